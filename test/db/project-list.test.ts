import { expect, test } from 'vitest'
import { grantRole, revokeRole } from '../../src/service/access/projects.ts'
import { useServer } from '../harness.ts'

/** A list of projects is the one place where names of many come together: it must hold none that are not the caller's. */

const server = useServer()

interface Listed {
  readonly project_id: string
  readonly created_at: string
  readonly role: string
}

async function listed(authorization: string): Promise<Listed[]> {
  const answer = await server.as(authorization)('/api/v1/projects')
  expect(answer.status).toBe(200)
  return answer.json['projects'] as Listed[]
}

async function namesFor(authorization: string): Promise<string[]> {
  return (await listed(authorization)).map(({ project_id, role }) => `${project_id} ${role}`)
}

async function make(...project_ids: string[]): Promise<void> {
  for (const project_id of project_ids)
    await server.post('/call/start', { start: { project_id, op_name: 'op' } })
}

test('everyone sees what they may read, by name and with their greatest role, and nothing else', async () => {
  const ann = await server.user('ann', { 'org/one': 'read' })
  const anna = await server.user('anna', { org: 'read', 'org/two': 'admin', 'orga/one': 'write' })
  const both = await server.user('both', { org: 'admin', 'org/two': 'read' })
  const nobody = await server.user('nobody')
  await make('org/two', 'org/one', 'orga/one', 'ann/mine', 'anna/hers', 'secret/plans', 'ann/first')
  expect(await namesFor(ann)).toEqual(['ann/first admin', 'ann/mine admin', 'org/one read'])
  expect(await namesFor(anna)).toEqual(['anna/hers admin', 'org/one read', 'org/two admin', 'orga/one write'])
  expect(await namesFor(both)).toEqual(['org/one admin', 'org/two admin'])
  expect(await namesFor(nobody)).toEqual([])
  expect(await namesFor(server.authorization)).toEqual(
    ['ann/first', 'ann/mine', 'anna/hers', 'org/one', 'org/two', 'orga/one', 'secret/plans'].map(
      (name) => `${name} admin`,
    ),
  )
  const answer = await server.as('')('/api/v1/projects')
  expect([answer.status, answer.text.includes('secret')]).toEqual([401, false])
})

test('a role in a project that nobody has written to shows none, and one that is taken away shows none any more', async () => {
  const { deps, access } = server.heddle
  await make('shared/real')
  const guest = await server.user('guest', { 'shared/real': 'write', 'shared/imagined': 'write' })
  expect(await namesFor(guest)).toEqual(['shared/real write'])
  await revokeRole(deps, 'guest', 'shared/real')
  access.forget()
  expect(await namesFor(guest)).toEqual([])
  await grantRole(deps, { username: 'guest', where: 'shared', role: 'read' })
  access.forget()
  expect(await namesFor(guest)).toEqual(['shared/real read'])
})

test('a project is there from its first write on, with the time of it', async () => {
  const maker = await server.user('maker')
  const before = Date.now()
  expect(await listed(maker)).toEqual([])
  await server.as(maker)('/call/start', { start: { project_id: 'maker/new', op_name: 'op' } })
  const [made] = await listed(maker)
  expect(made).toMatchObject({ project_id: 'maker/new', role: 'admin' })
  expect(Date.parse(made?.created_at ?? '')).toBeGreaterThanOrEqual(before)
})
