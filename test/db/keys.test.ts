import { expect, test } from 'vitest'
import { createAccess } from '../../src/service/access/access.ts'
import { newKeyRow } from '../../src/service/access/key-rows.ts'
import { keysHandlers } from '../../src/service/access/keys.ts'
import type { Database } from '../../src/store/database/database.ts'
import { writeKeys } from '../../src/store/access/keys.ts'
import { basic, type TestServer, useServer } from '../harness.ts'

const server = useServer()

const KEYS = '/api/v1/keys'
const PAGE = { 'x-heddle-web': '1' }

type Send = TestServer['send']

interface ListedKey {
  readonly key_id: string
  readonly name: string
  readonly kind: string
  readonly is_current: boolean
}

const revoke = (send: Send, key_id: string) => send(`${KEYS}/${key_id}`, undefined, { method: 'DELETE' })

async function listKeys(send: Send): Promise<ListedKey[]> {
  const response = await send(KEYS)
  expect(response.status).toBe(200)
  return response.json['keys'] as ListedKey[]
}

test('a key is returned once on creation, works immediately, and stops working when revoked', async () => {
  const ann = server.as(await server.user('ann'))
  const created = await ann(KEYS, { name: 'laptop' })
  expect([created.status, created.json]).toEqual([
    200,
    { key: expect.stringMatching(/^hd_[\w-]{43}$/), key_id: expect.stringMatching(/^key_/) },
  ])
  const { key, key_id } = created.json as { key: string; key_id: string }
  const byKey = server.as(basic('api', key))
  expect((await byKey('/calls/query_stats', { project_id: 'ann/p' })).status).toBe(200)
  const mine = await byKey(KEYS)
  expect(mine.text).not.toMatch(/hash|hd_/)
  expect((mine.json['keys'] as ListedKey[]).map(({ name, is_current }) => [name, is_current])).toEqual([
    ['', false],
    ['laptop', true],
  ])
  expect((await revoke(ann, key_id)).status).toBe(200)
  expect((await byKey('/calls/query_stats', { project_id: 'ann/p' })).status).toBe(401)
  expect((await revoke(ann, key_id)).json).toMatchObject({ code: 'not_found' })
})

test('no user, not even an admin, can list or revoke the keys of another user', async () => {
  const ben = server.as(await server.user('ben'))
  const cleo = server.as(await server.user('cleo'))
  const [key] = await listKeys(ben)
  expect((await listKeys(cleo)).map(({ key_id }) => key_id)).not.toContain(key?.key_id)
  for (const send of [cleo, server.as(server.authorization)]) {
    const response = await revoke(send, key?.key_id ?? '')
    const reason = 'you have no such key; it may have been revoked already'
    expect([response.status, response.json['reason']]).toEqual([404, reason])
    expect((await revoke(send, 'key_000000000000')).json['reason']).toBe(reason)
  }
  expect(await listKeys(ben)).toHaveLength(1)
})

test('sessions are listed with the keys, and end when they or the key that created them are revoked', async () => {
  const dan = server.as(await server.user('dan'))
  const { key: api_key, key_id } = (await dan(KEYS, { name: 'for browsers' })).json as Record<string, string>
  const signIn = async (): Promise<Send> => {
    const response = await server.as('')('/api/v1/session', { api_key }, { headers: PAGE })
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    return (path, body, init) => server.as('')(path, body, { ...init, headers: { cookie, ...PAGE } })
  }
  const [one, two] = [await signIn(), await signIn()]
  const sessions = (await listKeys(one)).filter(({ kind }) => kind === 'session')
  expect(sessions.filter(({ is_current }) => is_current)).toHaveLength(1)
  const other = sessions.find(({ is_current }) => !is_current)?.key_id ?? ''
  expect((await revoke(one, other)).status).toBe(200)
  expect([(await two(KEYS)).status, (await one(KEYS)).status]).toEqual([401, 200])
  expect((await revoke(dan, key_id ?? '')).status).toBe(200)
  expect((await one(KEYS)).status).toBe(401)
  expect((await listKeys(dan)).map(({ kind }) => kind)).toEqual(['key'])
})

test('keys end with the key they were created with, also those made in its sessions, at any depth', async () => {
  const eli = server.as(await server.user('eli'))
  const create = async (send: Send) => (await send(KEYS, {})).json as { key: string; key_id: string }
  const first = await create(eli)
  const second = await create(server.as(basic('api', first.key)))
  const signedIn = await server.as('')('/api/v1/session', { api_key: second.key }, { headers: PAGE })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const session: Send = (path, body, init) =>
    server.as('')(path, body, { ...init, headers: { cookie, ...PAGE } })
  const third = await create(session)
  const status = async (key: string) => (await server.as(basic('api', key))(KEYS)).status
  // The end of a session does not end what it created.
  await session('/api/v1/session', undefined, { method: 'DELETE' })
  expect([await status(second.key), await status(third.key)]).toEqual([200, 200])
  expect((await revoke(eli, first.key_id)).status).toBe(200)
  expect([await status(second.key), await status(third.key)]).toEqual([401, 401])
  expect(await listKeys(eli)).toHaveLength(1)
})

test('the name of a key must be a single line', async () => {
  for (const name of ['two\nlines', '\u001b[31m', 'x'.repeat(129), 7])
    expect([name, (await server.send(KEYS, { name })).status]).toEqual([name, 422])
  for (const body of [{}, { name: null }, { name: '' }, { name: 'schön 🎉' }])
    expect([body, (await server.send(KEYS, body)).status]).toEqual([body, 200])
})

test('a user may create keys at once, then at a rate; other users are not affected', async () => {
  const eve = server.as(await server.user('eve'))
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => (await eve(KEYS, { name: 'many' })).status),
  )
  const created = statuses.filter((status) => status === 200).length
  // One more every six seconds.
  expect([created >= 30, created < 40]).toEqual([true, true])
  expect(statuses.filter((status) => status === 429)).toHaveLength(40 - created)
  const more = await Promise.all(Array.from({ length: 10 }, () => eve(KEYS, {})))
  const limited = more.find((response) => response.status === 429)
  expect(limited?.json['code']).toBe('rate_limited')
  expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await server.as(await server.user('fay'))(KEYS, {})).status).toBe(200)
})

test('a user with the maximum of active keys must revoke one first', async () => {
  const gus = server.as(await server.user('gus'))
  const { deps, access } = server.heddle
  await writeKeys(
    deps.db,
    Array.from({ length: 199 }, (_, n) => newKeyRow(deps, `old key ${n}`, { user_id: 'gus', name: `${n}` })),
  )
  access.invalidate()
  const full = await gus(KEYS, {})
  expect([full.status, full.json['code']]).toEqual([409, 'conflict'])
  expect(full.json['reason']).toMatch(/200 API keys.*revoke keys you no longer use/)
  const old = (await listKeys(gus)).find(({ name }) => name === '7')
  expect((await revoke(gus, old?.key_id ?? '')).status).toBe(200)
  expect((await gus(KEYS, {})).status).toBe(200)
})

test('a new or revoked key takes effect at once, without reading the tables again', async () => {
  await server.user('hal')
  const { deps } = server.heddle
  const statements: string[] = []
  const rows = (...args: Parameters<Database['rows']>) => {
    statements.push(args[1].name)
    return deps.db.rows(...args)
  }
  const db = new Proxy(deps.db, {
    get: (target, name) => (name === 'rows' ? rows : Reflect.get(target, name, target)),
  })
  const access = createAccess({ ...deps, db })
  const { key_create, key_revoke } = keysHandlers(deps, access)
  const hal = { user_id: 'hal', username: 'hal' }
  await expect(access.authenticate(basic('api', 'x'.repeat(46)))).rejects.toMatchObject({
    code: 'unauthenticated',
  })
  const tables = ['users list', 'keys list', 'members list', 'project deletions']
  expect(statements).toEqual([...tables, 'keys find'])
  for (let n = 0; n < 5; n++) {
    const { key, key_id } = await key_create({ name: '' }, hal)
    expect(await access.authenticate(basic('api', key))).toMatchObject({ username: 'hal', key_id })
    await key_revoke({ key_id }, hal)
    await expect(access.authenticate(basic('api', key))).rejects.toMatchObject({ code: 'unauthenticated' })
  }
  // A key that is not known, because it is wrong or revoked, is looked up.
  expect(statements).toEqual([...tables, ...Array.from({ length: 6 }, () => 'keys find')])
})
