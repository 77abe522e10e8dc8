import { describe, expect, test } from 'vitest'
import { createAccess } from '../../src/service/access/access.ts'
import { newKeyRow } from '../../src/service/access/key-rows.ts'
import { createKey, revokeKey, summarizeKeys } from '../../src/service/access/keys.ts'
import { createSignInCode } from '../../src/service/access/sign-in-codes.ts'
import { createUser, removeUser, setPassword } from '../../src/service/access/users.ts'
import { writeKeys } from '../../src/store/access/keys.ts'
import { sql } from '../../src/store/query/sql.ts'
import {
  apiKeyIn,
  type TestResponse,
  basic,
  startTestServer,
  type TestServer,
  useServer,
} from '../harness.ts'

/** Browser sessions: a browser signs in once, then sends a cookie that its pages cannot read. */

const server = useServer()

const SESSION = '/api/v1/session'
const PAGE = { 'x-heddle-web': '1' }
const SESSION_MS = 30 * 24 * 3600 * 1000

async function signIn(
  body: object,
  headers: Record<string, string> = PAGE,
  at: Pick<TestServer, 'as'> = server,
): Promise<TestResponse> {
  return at.as('')(SESSION, body, { headers })
}

/** The cookie of a response as a browser sends it back. */
function cookieFrom(response: TestResponse): string {
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function signInAs(username: string): Promise<string> {
  const response = await signIn({ api_key: await createApiKey(username) })
  expect(response.status).toBe(200)
  return cookieFrom(response)
}

const withCookie = (cookie: string, method = 'GET', more: Record<string, string> = PAGE) =>
  server.as('')(SESSION, undefined, { method, headers: { cookie, ...more } })

describe('signing in', () => {
  test('by password, API key or code sets the same kind of cookie, which no response body contains', async () => {
    const { deps, access } = server.heddle
    await createUser(deps, { username: 'ann', password: 'annes password' })
    const { key } = await createKey(deps, 'ann')
    const code = await createSignInCode(deps, 'ann')
    access.invalidate()
    for (const credentials of [{ username: 'ann', password: 'annes password' }, { api_key: key }, { code }]) {
      const response = await signIn(credentials)
      expect([credentials, response.status]).toEqual([credentials, 200])
      expect(response.json).toEqual({
        username: 'ann',
        user_id: 'ann',
        is_server_admin: false,
        expires_at: expect.stringMatching(/Z$/),
      })
      const [pair = '', ...attributes] = response.headers.get('set-cookie')?.split('; ') ?? []
      expect(pair).toMatch(/^heddle_session=hs_[\w-]{43}$/)
      expect(attributes).toEqual(['Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Strict'])
      expect(response.text).not.toContain(pair.split('=')[1])
      expect(response.headers.get('cache-control')).toBe('no-store')
      const read = await withCookie(pair)
      expect([read.status, read.json]).toEqual([200, response.json])
      const restMs = Date.parse(response.json['expires_at'] as string) - Date.now()
      expect(Math.abs(restMs - SESSION_MS)).toBeLessThan(60_000)
    }
  })

  test('over HTTPS, according to the proxy or the page, the cookie is Secure', async () => {
    const api_key = await createApiKey('secured')
    for (const headers of [
      { 'x-forwarded-proto': 'https' },
      { 'x-forwarded-proto': 'https, http' },
      { origin: 'https://heddle.example' },
    ]) {
      const response = await signIn({ api_key }, { ...PAGE, ...headers })
      expect([headers, response.headers.get('set-cookie')?.endsWith('; Secure')]).toEqual([headers, true])
    }
    for (const headers of [{}, { 'x-forwarded-proto': 'http, https' }, { origin: 'http://localhost:6340' }]) {
      const response = await signIn({ api_key }, { ...PAGE, ...headers })
      expect([headers, response.headers.get('set-cookie')?.includes('Secure')]).toEqual([headers, false])
    }
  })

  test('with wrong credentials is rejected with a readable reason, without a cookie or a browser dialog', async () => {
    const { deps, access } = server.heddle
    await createUser(deps, { username: 'careful', password: 'the right one' })
    access.invalidate()
    const wrong = [
      { username: 'careful', password: 'the wrong one' },
      { username: 'nobody', password: 'the wrong one' },
      { username: 'api', password: `hd_${'x'.repeat(43)}` },
      { api_key: `hd_${'x'.repeat(43)}` },
      { api_key: 'short' },
      { code: 'x'.repeat(32) },
    ]
    for (const credentials of wrong) {
      const response = await signIn(credentials)
      expect([credentials, response.status, response.json['code']]).toEqual([
        credentials,
        401,
        'unauthenticated',
      ])
      expect(response.json['reason']).not.toContain('Basic')
      expect([response.headers.get('set-cookie'), response.headers.get('www-authenticate')]).toEqual([
        null,
        null,
      ])
    }
    for (const credentials of [
      {},
      { username: 'careful' },
      { password: 'the right one' },
      { api_key: 'a', code: 'b' },
      { username: 'careful', password: 'the right one', code: 'b' },
      { api_key: '' },
    ]) {
      expect([credentials, (await signIn(credentials)).status]).toEqual([credentials, 422])
    }
    const spare = { username: null, password: null, code: null, api_key: await createApiKey('sparing') }
    expect((await signIn(spare)).status).toBe(200)
  })

  test('is rejected from a page of another origin (login CSRF)', async () => {
    const api_key = await createApiKey('misled')
    const foreign = { origin: 'https://elsewhere.example', 'content-type': 'text/plain' }
    const response = await signIn({ api_key }, foreign)
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null])
    // The preflight response does not allow the required header either.
    const preflight = await server.as('')(SESSION, undefined, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:3000', 'access-control-request-headers': 'x-heddle-web' },
    })
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

async function createApiKey(username: string): Promise<string> {
  const { deps, access } = server.heddle
  await createUser(deps, { username })
  const { key } = await createKey(deps, username)
  access.invalidate()
  return key
}

describe('a sign-in code', () => {
  test('signs in once, also with concurrent requests; afterwards the error says what to do', async () => {
    const code = await createSignInCode(server.heddle.deps, 'admin')
    const responses = await Promise.all([signIn({ code }), signIn({ code }), signIn({ code })])
    expect(responses.map((response) => response.status).sort((a, b) => a - b)).toEqual([200, 401, 401])
    const again = await signIn({ code })
    expect(again.status).toBe(401)
    expect(again.json['reason']).toMatch(/used already.*`heddle users link`/)
  })

  test('works on every node, but only once in total', async () => {
    const other = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
    try {
      const code = await createSignInCode(server.heddle.deps, 'admin')
      expect((await signIn({ code }, PAGE, other)).status).toBe(200)
      expect((await signIn({ code })).status).toBe(401)
    } finally {
      await other.heddle.stop()
    }
  })

  test('is accepted at most once by two nodes that get it at the same moment', async () => {
    const other = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
    try {
      for (let round = 0; round < 5; round++) {
        const code = await createSignInCode(server.heddle.deps, 'admin')
        const nodes = [server, other, server, other]
        const responses = await Promise.all(nodes.map((node) => signIn({ code }, PAGE, node)))
        expect(responses.filter(({ status }) => status === 200).length).toBeLessThan(2)
      }
    } finally {
      await other.heddle.stop()
    }
  })

  test('is not an API key, and expires after a day', async () => {
    const { deps } = server.heddle
    const code = await createSignInCode(deps, 'admin')
    expect((await server.as(basic('api', code))(SESSION)).status).toBe(401)
    expect((await withCookie(`heddle_session=hs_${code.padEnd(43, 'x')}`)).status).toBe(401)
    const late = await createSignInCode({ ...deps, now: () => deps.now() - 24n * 3_600_000_000n }, 'admin')
    expect((await signIn({ code: late })).status).toBe(401)
    const early = await createSignInCode({ ...deps, now: () => deps.now() - 23n * 3_600_000_000n }, 'admin')
    expect((await signIn({ code: early })).status).toBe(200)
  })
})

describe('a cookie', () => {
  test('allows reads on its own, and writes only with the header of the web UI', async () => {
    const cookie = await signInAs('ben')
    const start = { start: { project_id: 'ben/p', op_name: 'op' } }
    const send = (headers: Record<string, string>) => server.as('')('/call/start', start, { headers })
    const bare = await send({ cookie })
    expect([bare.status, bare.json['code']]).toEqual([401, 'unauthenticated'])
    expect(bare.headers.get('www-authenticate')).toBeNull()
    expect((await send({ cookie, 'x-heddle-web': '0' })).status).toBe(401)
    expect((await send({ cookie, ...PAGE })).status).toBe(200)
    expect((await withCookie(cookie, 'GET', {})).status).toBe(200)
    expect((await withCookie(cookie, 'HEAD', {})).status).toBe(200)
    expect((await withCookie(cookie, 'DELETE', {})).status).toBe(401)
    expect((await withCookie(cookie, 'GET', {})).status).toBe(200)
  })

  test('has exactly the rights of its user', async () => {
    const cookie = await signInAs('cleo')
    const read = (project_id: string) =>
      server.as('')('/calls/query_stats', { project_id }, { headers: { cookie, ...PAGE } })
    expect((await read('cleo/p')).status).toBe(200)
    expect((await read('acme/demo')).status).toBe(403)
  })

  test('is ignored with an Authorization header, and a session token is not an API key', async () => {
    const cookie = await signInAs('dan')
    const other = await server.user('dora')
    const read = (authorization: string) =>
      server.as(authorization)(SESSION, undefined, { headers: { cookie, ...PAGE } })
    expect((await read(other)).json).toMatchObject({ username: 'dora', expires_at: null })
    const wrong = await read(basic('api', `hd_${'x'.repeat(43)}`))
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Basic/),
    ])
    expect((await server.as(basic('api', cookie.split('=')[1] ?? ''))(SESSION)).status).toBe(401)
    const key = apiKeyIn(other)
    expect((await withCookie(`heddle_session=${key}`)).status).toBe(401)
  })

  test('is found among other cookies, and an invalid cookie is ignored', async () => {
    const cookie = await signInAs('eve')
    expect((await withCookie(`a=b; ${cookie};c="d"; heddle_session=x`)).status).toBe(200)
    expect((await withCookie(`heddle_session=; x; =; ${cookie}`)).status).toBe(200)
    for (const odd of ['heddle_session', 'heddle_session=', `x${cookie}`, `${cookie}x`, '='.repeat(999)])
      expect([odd, (await withCookie(odd)).status]).toEqual([odd, 401])
  })

  test('responses to it must not be cached', async () => {
    const cookie = await signInAs('fay')
    const response = await server.as('')('/api/v1/session', undefined, { headers: { cookie } })
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('works immediately on another node that has just loaded the tables', async () => {
    const other = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
    try {
      for (const username of ['gus-1', 'gus-2', 'gus-3']) {
        await other.send(SESSION)
        const cookie = await signInAs(username)
        const response = await other.as('')(SESSION, undefined, { headers: { cookie } })
        expect([response.status, response.json['username']]).toEqual([200, username])
      }
    } finally {
      await other.heddle.stop()
    }
  })
})

describe('the end of a session', () => {
  test('signing out clears the cookie, and the session is revoked even if the cookie was kept', async () => {
    const cookie = await signInAs('hal')
    const out = await withCookie(cookie, 'DELETE')
    expect([out.status, out.json]).toEqual([200, {}])
    expect(out.headers.get('set-cookie')).toMatch(/^heddle_session=; Path=\/; Max-Age=0;/)
    const after = await withCookie(cookie)
    expect([after.status, after.json['reason']]).toEqual([
      401,
      'this session has expired or was revoked; sign in again',
    ])
    expect(after.headers.get('www-authenticate')).toBeNull()
  })

  test('signing out does not affect other sessions and keys of the user', async () => {
    const api_key = await createApiKey('ida')
    const [one, two] = [cookieFrom(await signIn({ api_key })), cookieFrom(await signIn({ api_key }))]
    await withCookie(one, 'DELETE')
    expect((await withCookie(two)).status).toBe(200)
    const byKey = server.as(basic('api', api_key))
    expect((await byKey(SESSION, undefined, { method: 'DELETE' })).status).toBe(200)
    expect((await byKey(SESSION)).status).toBe(200)
  })

  test('a session expires after thirty days, to the second, not at the next refresh', async () => {
    const { deps } = server.heddle
    const cookie = await signInAs('jan')
    const token = cookie.split('=')[1] ?? ''
    let aheadMs = BigInt(SESSION_MS) - 5_000n
    const node = createAccess({ ...deps, now: () => deps.now() + aheadMs * 1000n })
    expect(await node.resumeSession(token)).toMatchObject({ username: 'jan' })
    aheadMs += 5_000n
    await expect(node.resumeSession(token)).rejects.toMatchObject({ code: 'unauthenticated' })
    const listed = async (now: () => bigint): Promise<string[]> =>
      (await summarizeKeys({ ...deps, now }, 'jan')).map((key) => key.kind)
    expect(await listed(deps.now)).toEqual(['key', 'session'])
    expect(await listed(() => deps.now() + BigInt(SESSION_MS) * 1000n)).toEqual(['key'])
  })

  test('a session ends when its key is revoked, the password changes or the user is removed', async () => {
    const { deps, access } = server.heddle
    await createUser(deps, { username: 'kim', password: 'the first one' })
    const { key, key_id } = await createKey(deps, 'kim')
    access.invalidate()
    const byKey = cookieFrom(await signIn({ api_key: key }))
    const byPassword = cookieFrom(await signIn({ username: 'kim', password: 'the first one' }))
    await revokeKey(deps, key_id)
    access.invalidate()
    expect([(await withCookie(byKey)).status, (await withCookie(byPassword)).status]).toEqual([401, 200])
    await setPassword(deps, 'kim', 'the second one')
    access.invalidate()
    expect((await withCookie(byPassword)).status).toBe(401)
    const last = cookieFrom(await signIn({ username: 'kim', password: 'the second one' }))
    expect((await withCookie(last)).status).toBe(200)
    await removeUser(deps, 'kim')
    access.invalidate()
    expect((await withCookie(last)).status).toBe(401)
  })

  test('beyond the maximum of a user, a new session ends the oldest', async () => {
    const { deps, access } = server.heddle
    const api_key = await createApiKey('lou')
    const oldest = cookieFrom(await signIn({ api_key }))
    const later = cookieFrom(await signIn({ api_key }))
    const rows = Array.from({ length: 98 }, (_, n) =>
      newKeyRow(deps, `session ${n}`, { user_id: 'lou', kind: 'session' }, SESSION_MS),
    )
    await writeKeys(deps.db, rows)
    access.invalidate()
    expect((await withCookie(oldest)).status).toBe(200)
    const newest = cookieFrom(await signIn({ api_key }))
    const statuses = await Promise.all(
      [oldest, later, newest].map(async (cookie) => (await withCookie(cookie)).status),
    )
    expect(statuses).toEqual([401, 200, 200])
  })

  test('one user may sign in only so often; others are not affected', async () => {
    const api_key = await createApiKey('max')
    const responses = await Promise.all(Array.from({ length: 200 }, () => signIn({ api_key })))
    const limited = responses.filter((response) => response.status === 429)
    // 120 at once; more while the requests take seconds.
    expect([limited.length > 0, limited.length <= 80]).toEqual([true, true])
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await signIn({ api_key: await createApiKey('ned') })).status).toBe(200)
  })

  test('rows that expired long ago are deleted from the table', async () => {
    const { deps } = server.heddle
    const old = { ...deps, now: () => deps.now() - 40n * 24n * 3_600_000_000n }
    await createSignInCode(old, 'admin')
    await deps.db.ddl('OPTIMIZE TABLE api_keys FINAL')
    const ended = await deps.db.rows(
      sql`SELECT kind FROM api_keys WHERE expires_at < now() - INTERVAL 1 DAY`,
      {
        name: 'ended',
        kind: 'point',
      },
    )
    expect(ended).toEqual([])
  })
})
