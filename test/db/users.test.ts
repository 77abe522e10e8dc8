import { describe, expect, test } from 'vitest'
import { createAccess } from '../../src/service/access/access.ts'
import { createSignInCode } from '../../src/service/access/sign-in-codes.ts'
import { createUser, setDisabled } from '../../src/service/access/users.ts'
import { basic, startTestServer, type TestResponse, useServer } from '../harness.ts'
import { waitUntil } from '../wait-until.ts'

/** Users as server administrators manage them, and the account of each user. */

const server = useServer()

const USERS = '/api/v1/users'
const PAGE = { 'x-heddle-web': '1' }
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'

const create = async (username: string, more: object = {}): Promise<string> => {
  const response = await server.send(USERS, { username, ...more })
  expect([username, response.status]).toEqual([username, 200])
  return response.json['password'] as string
}

/** An API key of the user, created over HTTP, so that the server knows it at once. */
const createKey = async (username: string, password: string): Promise<string> =>
  (await server.as(basic(username, password))('/api/v1/keys', {})).json['key'] as string

const setState = (username: string, is_disabled: boolean, send = server.as(server.authorization)) =>
  send(`${USERS}/${username}/state`, { is_disabled }, { method: 'PUT' })

const listed = async (username: string) =>
  ((await server.send(USERS)).json['users'] as Record<string, unknown>[]).find(
    (user) => user['username'] === username,
  )

const signIn = (username: string, password: string, userAgent = CHROME): Promise<TestResponse> =>
  server.as('')('/api/v1/session', { username, password }, { headers: { ...PAGE, 'user-agent': userAgent } })

const cookieFrom = (response: TestResponse): string => response.headers.get('set-cookie')?.split(';')[0] ?? ''

const withCookie = (cookie: string, path = '/api/v1/session', body?: unknown, method = 'GET') =>
  server.as('')(path, body, { method, headers: { cookie, ...PAGE } })

describe('server administrators', () => {
  test('create a user, who signs in with the generated password and owns the entity of the name', async () => {
    const password = await create('cleo')
    expect(await listed('cleo')).toMatchObject({
      is_server_admin: false,
      is_disabled: false,
      has_password: true,
      last_sign_in_at: null,
    })
    expect((await signIn('cleo', password)).status).toBe(200)
    const start = { project_id: 'cleo/first', op_name: 'op' }
    expect((await server.as(basic('cleo', password))('/call/start', { start })).status).toBe(200)
    expect((await listed('cleo'))?.['last_sign_in_at']).toMatch(/Z$/)
    expect((await server.send(USERS, { username: 'cleo' })).json).toMatchObject({ code: 'conflict' })
  })

  test('must confirm that a new user owns the projects that exist under the name', async () => {
    await server.post('/call/start', { start: { project_id: 'orphaned/p', op_name: 'op' } })
    expect((await server.send(USERS, { username: 'orphaned' })).status).toBe(409)
    await create('orphaned', { adopt: true })
  })

  test.each(['', 'Upper', 'a b', '../x', 'a'.repeat(65), 'api'])(
    'cannot create a user named %j',
    async (username) => {
      expect((await server.send(USERS, { username })).status).toBe(username === 'api' ? 400 : 422)
    },
  )

  test('reset a password: the old one, sessions and sign-in links end at once, API keys stay', async () => {
    const old = await create('dora')
    const cookie = cookieFrom(await signIn('dora', old))
    const code = await createSignInCode(server.heddle.deps, 'dora')
    const key = await createKey('dora', old)
    const { json } = await server.send(`${USERS}/dora/password`, {})
    expect((await withCookie(cookie)).status).toBe(401)
    expect((await signIn('dora', old)).status).toBe(401)
    expect((await server.as('')('/api/v1/session', { code }, { headers: PAGE })).status).toBe(401)
    expect((await signIn('dora', json['password'] as string)).status).toBe(200)
    expect((await server.as(basic('api', key))('/api/v1/session')).status).toBe(200)
    await server.send(`${USERS}/dora/password`, { end_keys: true })
    expect((await server.as(basic('api', key))('/api/v1/session')).status).toBe(401)
    expect((await server.send(`${USERS}/nobody/password`, {})).status).toBe(404)
  })

  test('disable a user: password, session, key and sign-in link are refused with the next request', async () => {
    const password = await create('eve')
    const cookie = cookieFrom(await signIn('eve', password))
    const key = await createKey('eve', password)
    const withKey = () => server.as(basic('api', key))('/api/v1/session')
    const withPassword = () => server.as(basic('eve', password))('/api/v1/session')
    expect([(await withKey()).status, (await withPassword()).status]).toEqual([200, 200])
    const code = await createSignInCode(server.heddle.deps, 'eve')
    expect((await setState('eve', true)).status).toBe(200)
    for (const refused of [withKey, withPassword, () => withCookie(cookie)])
      for (let attempt = 0; attempt < 2; attempt++) expect((await refused()).status).toBe(401)
    const response = await signIn('eve', password)
    expect([response.status, response.json['reason']]).toEqual([401, expect.stringContaining('disabled')])
    expect((await signIn('eve', 'not the password')).json['reason']).toBe('the username or password is wrong')
    expect((await server.as('')('/api/v1/session', { code }, { headers: PAGE })).status).toBe(401)
    expect(await listed('eve')).toMatchObject({ is_disabled: true })
    // Enabled again, the user can sign in, but what was valid before is not.
    expect((await setState('eve', false)).status).toBe(200)
    expect([(await withKey()).status, (await withCookie(cookie)).status]).toEqual([401, 401])
    expect((await signIn('eve', password)).status).toBe(200)
  })

  test('a disabled user is refused by every node, at once by one that has not loaded the user yet', async () => {
    const other = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
    const password = await create('fay')
    const key = await createKey('fay', password)
    const { deps } = server.heddle
    // A node with a snapshot from before: its clock moves on by more than the maximum age.
    let offset = 0n
    const stale = createAccess({ ...deps, now: () => deps.now() + offset })
    expect(await stale.authenticate(basic('api', key))).toMatchObject({ username: 'fay' })
    await setState('fay', true)
    expect((await other.as(basic('api', key))('/api/v1/session')).status).toBe(401)
    offset = 31_000_000n
    await expect(stale.authenticate(basic('api', key))).rejects.toMatchObject({ code: 'unauthenticated' })
    // Signing in reads the table: the node refuses it although its snapshot is older.
    const signedIn = await other.as('')('/api/v1/session', { username: 'fay', password }, { headers: PAGE })
    expect(signedIn.status).toBe(401)
    await other.heddle.stop()
  })

  test('cannot disable themselves or reset their own password', async () => {
    expect((await setState('admin', true)).json).toMatchObject({ code: 'conflict' })
    expect((await server.send(`${USERS}/admin/password`, {})).json).toMatchObject({ code: 'conflict' })
  })

  test('who disable each other do not leave the server without one', async () => {
    const own = await startTestServer()
    const { deps, access } = own.heddle
    const [ann, bob] = ['ann', 'bob'].map((name) => own.as(basic(name, `the password of ${name[0]}`)))
    for (const username of ['ann', 'bob'])
      await createUser(deps, { username, password: `the password of ${username[0]}`, is_server_admin: true })
    await setDisabled(deps, 'admin', true)
    access.invalidate()
    await Promise.allSettled([setDisabled(deps, 'ann', true), setDisabled(deps, 'bob', true)])
    access.invalidate()
    // Either may be disabled now, but not both.
    expect([(await ann!(USERS)).status, (await bob!(USERS)).status]).toContain(200)
    await own.heddle.stop()
  })

  test('others get 403 for everything, project administrators too', async () => {
    const boss = server.as(await server.user('hana', { 'acme/demo': 'admin', acme: 'admin' }))
    const requests = [
      boss(USERS),
      boss(USERS, { username: 'mine' }),
      boss(`${USERS}/admin/password`, {}),
      boss(`${USERS}/admin/state`, { is_disabled: true }, { method: 'PUT' }),
    ]
    for (const response of await Promise.all(requests))
      expect([response.status, response.json['code']]).toEqual([403, 'forbidden'])
    expect(await listed('admin')).toMatchObject({ is_disabled: false })
    expect(await listed('mine')).toBeUndefined()
  })
})

describe('the account of a user', () => {
  const change = (cookie: string, body: object) => withCookie(cookie, '/api/v1/account/password', body, 'PUT')

  test('a password change needs the current one, and ends the other sessions', async () => {
    const old = await create('ida')
    const [here, there] = [await signIn('ida', old), await signIn('ida', old)].map(cookieFrom) as [
      string,
      string,
    ]
    const key = await createKey('ida', old)
    for (const current_password of [undefined, '', 'wrong password', key])
      expect((await change(here, { current_password, new_password: 'a new password' })).json).toMatchObject({
        code: 'forbidden',
      })
    expect((await change(here, { current_password: old, new_password: 'short' })).status).toBe(422)
    expect((await change(here, { current_password: old, new_password: 'a new password' })).status).toBe(200)
    expect([(await withCookie(here)).status, (await withCookie(there)).status]).toEqual([200, 401])
    expect((await signIn('ida', old)).status).toBe(401)
    expect((await signIn('ida', 'a new password')).status).toBe(200)
    expect((await server.as(basic('api', key))('/api/v1/session')).status).toBe(200)
  })

  test('a new password must not be a common one', async () => {
    const password = await create('ivy')
    const change = (new_password: string) =>
      server.as(basic('ivy', password))(
        '/api/v1/account/password',
        { current_password: password, new_password },
        { method: 'PUT' },
      )
    const refused = await change('12345678')
    expect([refused.status, refused.json['reason']]).toEqual([400, expect.stringContaining('choose one')])
    expect((await change('several random words')).status).toBe(200)
  })

  test('a user without a password sets the first one', async () => {
    const jo = server.as(await server.user('jo'))
    expect(
      (await jo('/api/v1/account/password', { new_password: 'my first one' }, { method: 'PUT' })).status,
    ).toBe(200)
    expect((await signIn('jo', 'my first one')).status).toBe(200)
  })

  test('guesses of the current password are limited', async () => {
    const old = await create('kim')
    const cookie = cookieFrom(await signIn('kim', old))
    const guess = (i: number) =>
      change(cookie, { current_password: `guess number ${i}`, new_password: 'a new password' })
    const statuses = (await Promise.all(Array.from({ length: 15 }, (_, i) => guess(i)))).map(
      ({ status }) => status,
    )
    expect(statuses).toContain(429)
  })

  test('sessions are listed with browser, last use and the current one, and all others end at once', async () => {
    const password = await create('lia')
    const [here, there] = [await signIn('lia', password), await signIn('lia', password, 'curl/8.9')].map(
      cookieFrom,
    ) as [string, string]
    const sessions = async () =>
      (await withCookie(here, '/api/v1/keys')).json['keys'] as Record<string, unknown>[]
    expect((await withCookie(there)).status).toBe(200)
    await waitUntil(async () => (await sessions()).every((session) => session['last_used_at'] !== null))
    expect(await sessions()).toEqual([
      expect.objectContaining({ kind: 'session', name: 'Chrome on Linux', is_current: true }),
      expect.objectContaining({ kind: 'session', name: 'curl', is_current: false }),
    ])
    const others = cookieFrom(await signIn('dora-2', await create('dora-2')))
    const ended = await withCookie(here, '/api/v1/account/sessions', undefined, 'DELETE')
    expect([ended.status, ended.json]).toEqual([200, { ended: 1 }])
    expect([(await withCookie(here)).status, (await withCookie(there)).status]).toEqual([200, 401])
    expect((await withCookie(others)).status).toBe(200)
  })
})
