import { expect, test } from 'vitest'
import { grantRole, revokeRole } from '../../src/service/access/member-admin.ts'
import { useServer } from '../harness.ts'

/** The project list must contain only projects that the caller may read. */

const server = useServer()

interface ListedProject {
  readonly project_id: string
  readonly created_at: string
  readonly role: string
}

async function listProjects(authorization: string): Promise<ListedProject[]> {
  const response = await server.as(authorization)('/api/v1/projects')
  expect(response.status).toBe(200)
  return response.json['projects'] as ListedProject[]
}

async function namesAndRoles(authorization: string): Promise<string[]> {
  return (await listProjects(authorization)).map(({ project_id, role }) => `${project_id} ${role}`)
}

async function createProjects(...project_ids: string[]): Promise<void> {
  for (const project_id of project_ids)
    await server.post('/call/start', { start: { project_id, op_name: 'op' } })
}

test('users see exactly the projects they may read, sorted by name, with their highest role', async () => {
  const ann = await server.user('ann', { 'org/one': 'read' })
  const anna = await server.user('anna', { org: 'read', 'org/two': 'admin', 'orga/one': 'write' })
  const both = await server.user('both', { org: 'admin', 'org/two': 'read' })
  const nobody = await server.user('nobody')
  await createProjects('org/two', 'org/one', 'orga/one', 'ann/mine', 'anna/hers', 'secret/plans', 'ann/first')
  expect(await namesAndRoles(ann)).toEqual(['ann/first admin', 'ann/mine admin', 'org/one read'])
  expect(await namesAndRoles(anna)).toEqual([
    'anna/hers admin',
    'org/one read',
    'org/two admin',
    'orga/one write',
  ])
  expect(await namesAndRoles(both)).toEqual(['org/one admin', 'org/two admin'])
  expect(await namesAndRoles(nobody)).toEqual([])
  expect(await namesAndRoles(server.authorization)).toEqual(
    ['ann/first', 'ann/mine', 'anna/hers', 'org/one', 'org/two', 'orga/one', 'secret/plans'].map(
      (name) => `${name} admin`,
    ),
  )
  const response = await server.as('')('/api/v1/projects')
  expect([response.status, response.text.includes('secret')]).toEqual([401, false])
})

test('a role in a project without data lists nothing, and a revoked role no longer lists its project', async () => {
  const { deps, access } = server.heddle
  await createProjects('shared/real')
  const guest = await server.user('guest', { 'shared/real': 'write', 'shared/imagined': 'write' })
  expect(await namesAndRoles(guest)).toEqual(['shared/real write'])
  await revokeRole(deps, 'guest', 'shared/real')
  access.invalidate()
  expect(await namesAndRoles(guest)).toEqual([])
  await grantRole(deps, { username: 'guest', scope: 'shared', role: 'read' })
  access.invalidate()
  expect(await namesAndRoles(guest)).toEqual(['shared/real read'])
})

test('a project is listed from its first write, with the time of that write', async () => {
  const writer = await server.user('maker')
  const before = Date.now()
  expect(await listProjects(writer)).toEqual([])
  await server.as(writer)('/call/start', { start: { project_id: 'maker/new', op_name: 'op' } })
  const [created] = await listProjects(writer)
  expect(created).toMatchObject({ project_id: 'maker/new', role: 'admin' })
  expect(Date.parse(created?.created_at ?? '')).toBeGreaterThanOrEqual(before)
})
