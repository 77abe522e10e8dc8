import { expect, test } from 'vitest'
import { grantRole } from '../../src/service/access/member-admin.ts'
import { projectExists } from '../../src/store/access/projects.ts'
import { type TestServer, useServer } from '../harness.ts'

const server = useServer()

type Send = TestServer['send']

const membersPath = (project_id: string): string => `/api/v1/projects/${project_id}/members`

const put = (send: Send, project_id: string, username: string, role: string) =>
  send(`${membersPath(project_id)}/${username}`, { role }, { method: 'PUT' })

const remove = (send: Send, project_id: string, username: string) =>
  send(`${membersPath(project_id)}/${username}`, undefined, { method: 'DELETE' })

const read = (send: Send, project_id: string) => send('/calls/query_stats', { project_id })

test('a project admin grants, changes and revokes roles, each effective with the next request', async () => {
  const boss = server.as(await server.user('boss', { 'org/one': 'admin' }))
  const guest = server.as(await server.user('guest'))
  const write = () => guest('/call/start', { start: { project_id: 'org/one', op_name: 'op' } })
  expect((await read(guest, 'org/one')).status).toBe(403)
  const granted = await put(boss, 'org/one', 'guest', 'read')
  expect([granted.status, granted.json]).toEqual([200, { username: 'guest', role: 'read', from: 'project' }])
  expect([(await read(guest, 'org/one')).status, (await write()).status]).toEqual([200, 403])
  expect((await put(boss, 'org/one', 'guest', 'write')).status).toBe(200)
  expect((await write()).status).toBe(200)
  expect((await boss(membersPath('org/one'))).json).toEqual({
    members: [
      { username: 'boss', role: 'admin', from: 'project' },
      { username: 'guest', role: 'write', from: 'project' },
    ],
  })
  expect((await remove(boss, 'org/one', 'guest')).status).toBe(200)
  expect((await read(guest, 'org/one')).status).toBe(403)
  expect((await remove(boss, 'org/one', 'guest')).json).toMatchObject({ code: 'not_found' })
})

test('a role applies to its project only, and managing members needs the role admin', async () => {
  const writer = server.as(await server.user('writer', { 'shop/one': 'write' }))
  const boss = server.as(await server.user('head', { 'shop/one': 'admin' }))
  for (const [send, project_id] of [
    [writer, 'shop/one'],
    [boss, 'shop/two'],
    [boss, 'shop2/one'],
  ] as const) {
    expect((await send(membersPath(project_id))).status).toBe(403)
    expect((await put(send, project_id, 'writer', 'admin')).status).toBe(403)
    expect((await remove(send, project_id, 'writer')).status).toBe(403)
  }
})

test('roles in the entity and the owner are listed with their source, and cannot be revoked in one project', async () => {
  const owner = server.as(await server.user('ona'))
  await server.user('partner')
  await grantRole(server.heddle.deps, { username: 'partner', scope: 'ona', role: 'read' })
  await put(owner, 'ona/p', 'partner', 'write')
  expect((await owner(membersPath('ona/p'))).json).toEqual({
    members: [
      { username: 'ona', role: 'admin', from: 'owner' },
      { username: 'partner', role: 'read', from: 'entity' },
      { username: 'partner', role: 'write', from: 'project' },
    ],
  })
  expect((await owner(membersPath('ona/other'))).json).toMatchObject({ members: [{}, { from: 'entity' }] })
  expect((await remove(owner, 'ona/p', 'partner')).status).toBe(200)
  const again = await remove(owner, 'ona/p', 'partner')
  expect([again.status, again.json['reason']]).toEqual([409, expect.stringContaining('whole entity "ona"')])
  expect((await remove(owner, 'ona/p', 'ona')).status).toBe(409)
})

test('an unknown user is a 404, and an unknown role is rejected', async () => {
  const admin = server.as(server.authorization)
  const response = await put(admin, 'acme/demo', 'nobody', 'read')
  expect([response.status, response.json['reason']]).toEqual([404, expect.stringContaining('"nobody"')])
  expect((await put(admin, 'acme/demo', 'admin', 'owner')).status).toBe(422)
})

test('managing members does not create the project', async () => {
  const founder = server.as(await server.user('founder'))
  await founder(membersPath('founder/idea'))
  await put(founder, 'founder/idea', 'admin', 'read')
  expect(await projectExists(server.heddle.deps.db, 'founder/idea')).toBe(false)
})
