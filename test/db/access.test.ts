import { expect, test } from 'vitest'
import { createAccess } from '../../src/service/access/access.ts'
import { createKey, revokeKey } from '../../src/service/access/keys.ts'
import { grantRole, revokeRole } from '../../src/service/access/member-admin.ts'
import { createUser, removeUser, setPassword } from '../../src/service/access/users.ts'
import { projectExists, listProjects } from '../../src/store/access/projects.ts'
import { type TestResponse, basic, startTestServer, useServer } from '../harness.ts'

const server = useServer()

const read = (project_id: string) => ['/call/read', { project_id, id: 'none' }] as const
const write = (...project_ids: string[]) =>
  [
    '/call/upsert_batch',
    {
      batch: project_ids.map((project_id) => ({
        mode: 'start',
        req: { start: { project_id, op_name: 'op' } },
      })),
    },
  ] as const

/** The status and body of a response, without the parts that differ between two requests. */
function comparable(response: TestResponse, project_id = ''): object {
  const { request_id: _, ...rest } = response.json
  return {
    status: response.status,
    ...rest,
    reason: String(rest['reason']).replaceAll(project_id, '<project>'),
  }
}

test('missing or malformed credentials get 401 and a description of the expected header', async () => {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  const wrong = [
    '',
    'Basic',
    'Basic !!!',
    `Bearer ${encode('api:x')}`,
    `Basic ${encode('no colon')}`,
    `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0x41]).toString('base64')}`,
    basic('api', 'short'),
    basic('api', `hd_${'x'.repeat(43)}`),
    basic('', ''),
  ]
  for (const authorization of wrong) {
    const response = await server.as(authorization)(...read('acme/demo'))
    expect([authorization, response.status]).toEqual([authorization, 401])
    expect(response.json).toMatchObject({
      code: 'unauthenticated',
      reason: expect.stringContaining('Authorization: Basic'),
    })
    expect(response.headers.get('www-authenticate')).toContain('Basic')
  }
})

test('an API key works with any username, a password only with its own', async () => {
  const { deps, access } = server.heddle
  await createUser(deps, { username: 'pat', password: 'pass:with:colons' })
  const { key } = await createKey(deps, 'pat')
  access.invalidate()
  for (const username of ['api', 'pat', 'whoever', '']) {
    expect((await server.as(basic(username, key))(...read('pat/p'))).status).toBe(200)
  }
  expect((await server.as(basic('pat', 'pass:with:colons'))(...read('pat/p'))).status).toBe(200)
  expect(
    (await server.as(`bAsIc  ${basic('pat', 'pass:with:colons').slice(6)}`)(...read('pat/p'))).status,
  ).toBe(200)
  expect((await server.as(basic('admin', 'pass:with:colons'))(...read('pat/p'))).status).toBe(401)
})

test('the roles read and write apply to one project or to the whole entity', async () => {
  const reader = server.as(await server.user('reader', { 'org/one': 'read' }))
  const writer = server.as(await server.user('writer', { org: 'write' }))
  const both = server.as(await server.user('both', { org: 'read', 'org/one': 'write' }))
  expect((await reader(...read('org/one'))).status).toBe(200)
  expect((await reader(...write('org/one'))).status).toBe(403)
  expect((await reader(...read('org/two'))).status).toBe(403)
  expect((await writer(...read('org/two'))).status).toBe(200)
  expect((await writer(...write('org/two'))).status).toBe(200)
  expect((await both(...write('org/one'))).status).toBe(200)
  expect((await both(...write('org/two'))).status).toBe(403)
  // An entity with the same name prefix is a different entity.
  expect((await writer(...read('org2/one'))).status).toBe(403)
})

test('a user owns the entity with their username, and other users do not', async () => {
  const owner = server.as(await server.user('owner'))
  const other = server.as(await server.user('other'))
  expect((await owner(...write('owner/p'))).status).toBe(200)
  expect((await other(...read('owner/p'))).status).toBe(403)
  expect((await other(...write('owner/p'))).status).toBe(403)
  expect((await server.send(...read('owner/p'))).status).toBe(200)
})

test('a 403 is the same whether or not the project exists, and names the right and the project', async () => {
  const stranger = server.as(await server.user('stranger'))
  await server.post(...write('acme/secret'))
  const exists = await stranger(...read('acme/secret'))
  const absent = await stranger(...read('acme/absent'))
  expect(comparable(exists, 'acme/secret')).toEqual(comparable(absent, 'acme/absent'))
  expect(exists.status).toBe(403)
  expect(exists.json).toMatchObject({ code: 'forbidden', reason: expect.stringMatching(/read acme\/secret/) })
})

test('a batch with one forbidden project is rejected before anything is written', async () => {
  const mixer = server.as(await server.user('mixer'))
  const response = await mixer(...write('mixer/mine', 'acme/theirs', 'mixer/also'))
  expect(response.status).toBe(403)
  expect(response.json['reason']).toContain('acme/theirs')
  expect(await projectExists(server.heddle.deps.db, 'mixer/mine')).toBe(false)
  expect((await mixer('/calls/query_stats', { project_id: 'mixer/mine' })).json).toMatchObject({ count: 0 })
})

test('the first write creates a project, once; a read does not', async () => {
  const writer = server.as(await server.user('maker'))
  expect((await writer(...read('maker/new'))).status).toBe(200)
  expect(await projectExists(server.heddle.deps.db, 'maker/new')).toBe(false)
  await Promise.all(Array.from({ length: 10 }, () => writer(...write('maker/new'))))
  const created = (await listProjects(server.heddle.deps.db)).filter((row) => row.project_id === 'maker/new')
  expect(created).toEqual([
    {
      project_id: 'maker/new',
      display_name: '',
      created_by: 'maker',
      deletion_started_at: null,
      changed_at: created[0]?.created_at,
      created_at: expect.stringMatching(/Z$/),
    },
  ])
})

test('a revocation on this node takes effect with the next request', async () => {
  const { deps, access } = server.heddle
  await createUser(deps, { username: 'temp', password: 'the first one' })
  const { key, key_id } = await createKey(deps, 'temp')
  await grantRole(deps, { username: 'temp', scope: 'org/temp', role: 'read' })
  access.invalidate()
  const byKey = server.as(basic('api', key))
  const byPassword = server.as(basic('temp', 'the first one'))
  expect((await byKey(...read('org/temp'))).status).toBe(200)
  expect((await byPassword(...read('org/temp'))).status).toBe(200)
  await revokeRole(deps, 'temp', 'org/temp')
  access.invalidate()
  expect((await byKey(...read('org/temp'))).status).toBe(403)
  await revokeKey(deps, key_id)
  access.invalidate()
  expect((await byKey(...read('temp/p'))).status).toBe(401)
  await setPassword(deps, 'temp', 'the second one')
  access.invalidate()
  expect((await byPassword(...read('temp/p'))).status).toBe(401)
  expect((await server.as(basic('temp', 'the second one'))(...read('temp/p'))).status).toBe(200)
})

test('another node rejects a revoked key within 30 s and accepts a new one at once', async () => {
  const { deps } = server.heddle
  let aheadMs = 0n
  const node = createAccess({ ...deps, now: () => deps.now() + aheadMs * 1000n })
  await createUser(deps, { username: 'far' })
  const first = await createKey(deps, 'far')
  await node.authenticate(basic('api', first.key))
  // Created on another node a moment later.
  const second = await createKey(deps, 'far')
  expect(await node.authenticate(basic('api', second.key))).toMatchObject({ user_id: 'far', username: 'far' })
  await revokeKey(deps, second.key_id)
  expect(await node.authenticate(basic('api', second.key))).toMatchObject({ username: 'far' })
  aheadMs += 30_000n
  await expect(node.authenticate(basic('api', second.key))).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(await node.authenticate(basic('api', first.key))).toMatchObject({ username: 'far' })
})

test('a user, a password and a key that another process has just created are accepted at once', async () => {
  const { deps } = server.heddle
  const node = createAccess(deps)
  await createUser(deps, { username: 'earlier', password: 'the first one' })
  await node.signIn({ username: 'earlier', secret: 'the first one' })
  await createUser(deps, { username: 'recent', password: 'the first one' })
  expect(await node.signIn({ username: 'recent', secret: 'the first one' })).toMatchObject({
    username: 'recent',
  })
  await setPassword(deps, 'earlier', 'the second one')
  expect(await node.signIn({ username: 'earlier', secret: 'the second one' })).toMatchObject({
    username: 'earlier',
  })
  await createUser(deps, { username: 'newest' })
  const { key } = await createKey(deps, 'newest')
  expect(await node.authenticate(basic('api', key))).toMatchObject({ username: 'newest' })
  await expect(node.signIn({ username: 'nobody', secret: 'the first one' })).rejects.toMatchObject({
    code: 'unauthenticated',
  })
})

test('a removed user loses keys and roles, also when the username is created again', async () => {
  const { deps, access } = server.heddle
  const authorization = await server.user('gone', { org: 'write' })
  await removeUser(deps, 'gone')
  access.invalidate()
  expect((await server.as(authorization)(...read('gone/p'))).status).toBe(401)
  const again = server.as(await server.user('gone'))
  expect((await server.as(authorization)(...read('gone/p'))).status).toBe(401)
  expect((await again(...read('org/one'))).status).toBe(403)
})

test('a username that equals an entity with projects needs `adopt`', async () => {
  const { deps } = server.heddle
  await server.post(...write('taken/p'))
  await expect(createUser(deps, { username: 'taken' })).rejects.toMatchObject({ code: 'conflict' })
  await createUser(deps, { username: 'taken', adopt: true })
  for (const username of ['api', 'Upper', 'a/b', 'a:b', '', 'x'.repeat(65)]) {
    await expect(createUser(deps, { username })).rejects.toMatchObject({ code: 'invalid_request' })
  }
})

test('sent_by comes from the credentials, not from the body', async () => {
  const someone = server.as(await server.user('someone'))
  const started = await someone('/call/start', {
    start: { project_id: 'someone/p', op_name: 'op', wb_user_id: 'admin', sent_by: 'admin' },
  })
  const { call } = (await someone('/call/read', { project_id: 'someone/p', id: started.json['id'] }))
    .json as {
    call: Record<string, unknown>
  }
  expect(call).toMatchObject({ wb_user_id: 'admin', sent_by: 'someone' })
  expect((await someone('/call/read', { project_id: 'acme/demo', id: 'x' })).status).toBe(403)
})

test('settings create the admin once, and do not restore a revoked key', async () => {
  const initApiKey = `hd_${'a'.repeat(43)}`
  const flags = { initApiKey, initAdminPassword: 'from the settings' }
  const first = await startTestServer(flags)
  const clickhouseDatabase = first.heddle.deps.db.name
  // Two nodes on one database.
  const second = await startTestServer({ ...flags, clickhouseDatabase })
  const send = first.as(basic('api', initApiKey))
  expect((await send(...read('acme/demo'))).status).toBe(200)
  expect((await second.as(basic('admin', 'from the settings'))(...read('acme/demo'))).status).toBe(200)
  await revokeKey(first.heddle.deps, initApiKey)
  await second.heddle.stop()
  const third = await startTestServer({ ...flags, clickhouseDatabase })
  expect((await third.as(basic('api', initApiKey))(...read('acme/demo'))).status).toBe(401)
  await third.heddle.stop()
  await first.stop()
})
