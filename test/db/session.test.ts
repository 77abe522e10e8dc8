import { describe, expect, test } from 'vitest'
import { createAccess } from '../../src/service/access/access.ts'
import { createKey, revokeKey, summarizeKeys } from '../../src/service/access/keys.ts'
import { createSignInCode } from '../../src/service/access/sign-in-codes.ts'
import { createUser, removeUser, setPassword } from '../../src/service/access/users.ts'
import { sql } from '../../src/store/query/sql.ts'
import { type Answer, basic, startTestServer, type TestServer, useServer } from '../harness.ts'

/** What a browser does: it signs in once and then sends a cookie, which its pages cannot read. */

const server = useServer()

const SESSION = '/api/v1/session'
const PAGE = { 'x-heddle-web': '1' }
const KEPT_MS = 30 * 24 * 3600 * 1000

async function signIn(
  body: object,
  headers: Record<string, string> = PAGE,
  at: Pick<TestServer, 'as'> = server,
): Promise<Answer> {
  return at.as('')(SESSION, body, { headers })
}

/** As a browser would send it back. */
function cookieOf(answer: Answer): string {
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function sessionOf(username: string): Promise<string> {
  const { deps, access } = server.heddle
  await createUser(deps, { username })
  const { key } = await createKey(deps, username)
  access.forget()
  const answer = await signIn({ api_key: key })
  expect(answer.status).toBe(200)
  return cookieOf(answer)
}

const withCookie = (cookie: string, method = 'GET', more: Record<string, string> = PAGE) =>
  server.as('')(SESSION, undefined, { method, headers: { cookie, ...more } })

describe('signing in', () => {
  test('by password, key or code sets the same cookie, which no answer tells', async () => {
    const { deps, access } = server.heddle
    await createUser(deps, { username: 'ann', password: 'annes password' })
    const { key } = await createKey(deps, 'ann')
    const code = await createSignInCode(deps, 'ann')
    access.forget()
    for (const way of [{ username: 'ann', password: 'annes password' }, { api_key: key }, { code }]) {
      const answer = await signIn(way)
      expect([way, answer.status]).toEqual([way, 200])
      expect(answer.json).toEqual({
        username: 'ann',
        user_id: 'ann',
        is_server_admin: false,
        expires_at: expect.stringMatching(/Z$/),
      })
      const [pair = '', ...attributes] = answer.headers.get('set-cookie')?.split('; ') ?? []
      expect(pair).toMatch(/^heddle_session=hs_[\w-]{43}$/)
      expect(attributes).toEqual(['Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Strict'])
      expect(answer.text).not.toContain(pair.split('=')[1])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const read = await withCookie(pair)
      expect([read.status, read.json]).toEqual([200, answer.json])
      const restMs = Date.parse(answer.json['expires_at'] as string) - Date.now()
      expect(Math.abs(restMs - KEPT_MS)).toBeLessThan(60_000)
    }
  })

  test('over https, as a proxy or the page itself says, the cookie is for https alone', async () => {
    const api_key = await keyOf('secured')
    for (const headers of [
      { 'x-forwarded-proto': 'https' },
      { 'x-forwarded-proto': 'https, http' },
      { origin: 'https://heddle.example' },
    ]) {
      const answer = await signIn({ api_key }, { ...PAGE, ...headers })
      expect([headers, answer.headers.get('set-cookie')?.endsWith('; Secure')]).toEqual([headers, true])
    }
    for (const headers of [{}, { 'x-forwarded-proto': 'http, https' }, { origin: 'http://localhost:6340' }]) {
      const answer = await signIn({ api_key }, { ...PAGE, ...headers })
      expect([headers, answer.headers.get('set-cookie')?.includes('Secure')]).toEqual([headers, false])
    }
  })

  test('with anything wrong is refused in words for a person, without a cookie or a dialog', async () => {
    const { deps, access } = server.heddle
    await createUser(deps, { username: 'careful', password: 'the right one' })
    access.forget()
    const wrong = [
      { username: 'careful', password: 'the wrong one' },
      { username: 'nobody', password: 'the wrong one' },
      { username: 'api', password: `hd_${'x'.repeat(43)}` },
      { api_key: `hd_${'x'.repeat(43)}` },
      { api_key: 'short' },
      { code: 'x'.repeat(32) },
    ]
    for (const way of wrong) {
      const answer = await signIn(way)
      expect([way, answer.status, answer.json['code']]).toEqual([way, 401, 'unauthenticated'])
      expect(answer.json['reason']).not.toContain('Basic')
      expect([answer.headers.get('set-cookie'), answer.headers.get('www-authenticate')]).toEqual([null, null])
    }
    for (const way of [
      {},
      { username: 'careful' },
      { password: 'the right one' },
      { api_key: 'a', code: 'b' },
      { username: 'careful', password: 'the right one', code: 'b' },
      { api_key: '' },
    ]) {
      expect([way, (await signIn(way)).status]).toEqual([way, 422])
    }
    const spare = { username: null, password: null, code: null, api_key: await keyOf('sparing') }
    expect((await signIn(spare)).status).toBe(200)
  })

  test('guessing passwords is slowed down as it is everywhere', async () => {
    const { deps, access } = server.heddle
    await createUser(deps, { username: 'guessed', password: 'the right one' })
    access.forget()
    const guess = (n: number): Promise<Answer> => signIn({ username: 'guessed', password: `guess ${n}` })
    await Promise.all(Array.from({ length: 10 }, (_, n) => guess(n)))
    const next = await guess(10)
    expect([next.status, next.json['code']]).toEqual([429, 'rate_limited'])
  })

  test('is not for a page of another origin, which could sign somebody in as somebody else', async () => {
    const api_key = await keyOf('misled')
    const foreign = { origin: 'https://elsewhere.example', 'content-type': 'text/plain' }
    const answer = await signIn({ api_key }, foreign)
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
    // Nor does its browser get leave to send the header that would help.
    const asked = await server.as('')(SESSION, undefined, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:3000', 'access-control-request-headers': 'x-heddle-web' },
    })
    expect([...asked.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

async function keyOf(username: string): Promise<string> {
  const { deps, access } = server.heddle
  await createUser(deps, { username })
  const { key } = await createKey(deps, username)
  access.forget()
  return key
}

describe('a code', () => {
  test('signs in once, also if two come at once, and then says what to do', async () => {
    const code = await createSignInCode(server.heddle.deps, 'admin')
    const answers = await Promise.all([signIn({ code }), signIn({ code }), signIn({ code })])
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 401, 401])
    const again = await signIn({ code })
    expect(again.status).toBe(401)
    expect(again.json['reason']).toMatch(/used already.*start the server again/)
  })

  test('is good at every node, and at each only once', async () => {
    const other = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
    try {
      const code = await createSignInCode(server.heddle.deps, 'admin')
      expect((await signIn({ code }, PAGE, other)).status).toBe(200)
      expect((await signIn({ code })).status).toBe(401)
    } finally {
      await other.heddle.stop()
    }
  })

  test('is no key, and ends after a day', async () => {
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
  test('reads by itself, and writes only with the header of our pages', async () => {
    const cookie = await sessionOf('ben')
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

  test('has the rights of its user, no more', async () => {
    const cookie = await sessionOf('cleo')
    const read = (project_id: string) =>
      server.as('')('/calls/query_stats', { project_id }, { headers: { cookie, ...PAGE } })
    expect((await read('cleo/p')).status).toBe(200)
    expect((await read('acme/demo')).status).toBe(403)
  })

  test('counts only without an Authorization header, and a session is no key', async () => {
    const cookie = await sessionOf('dan')
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
    const key = Buffer.from(other.slice(6), 'base64').toString().slice(4)
    expect((await withCookie(`heddle_session=${key}`)).status).toBe(401)
  })

  test('is found among others, and what is no cookie of ours is as if there were none', async () => {
    const cookie = await sessionOf('eve')
    expect((await withCookie(`a=b; ${cookie};c="d"; heddle_session=x`)).status).toBe(200)
    expect((await withCookie(`heddle_session=; x; =; ${cookie}`)).status).toBe(200)
    for (const odd of ['heddle_session', 'heddle_session=', `x${cookie}`, `${cookie}x`, '='.repeat(999)])
      expect([odd, (await withCookie(odd)).status]).toEqual([odd, 401])
  })

  test('an answer to it is kept by nobody on the way', async () => {
    const cookie = await sessionOf('fay')
    const answer = await server.as('')('/api/v1/session', undefined, { headers: { cookie } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('works at once at another node, which has read the tables a moment before', async () => {
    const other = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
    try {
      for (const username of ['gus-1', 'gus-2', 'gus-3']) {
        await other.send(SESSION)
        const cookie = await sessionOf(username)
        const answer = await other.as('')(SESSION, undefined, { headers: { cookie } })
        expect([answer.status, answer.json['username']]).toEqual([200, username])
      }
    } finally {
      await other.heddle.stop()
    }
  })
})

describe('the end of a session', () => {
  test('signing out takes the cookie away, and it counts no more even if somebody kept it', async () => {
    const cookie = await sessionOf('hal')
    const out = await withCookie(cookie, 'DELETE')
    expect([out.status, out.json]).toEqual([200, {}])
    expect(out.headers.get('set-cookie')).toMatch(/^heddle_session=; Path=\/; Max-Age=0;/)
    const after = await withCookie(cookie)
    expect([after.status, after.json['reason']]).toEqual([401, 'this session has ended; sign in again'])
    expect(after.headers.get('www-authenticate')).toBeNull()
  })

  test('signing out leaves the other sessions and the keys of the user alone', async () => {
    const api_key = await keyOf('ida')
    const [one, two] = [cookieOf(await signIn({ api_key })), cookieOf(await signIn({ api_key }))]
    await withCookie(one, 'DELETE')
    expect((await withCookie(two)).status).toBe(200)
    const byKey = server.as(basic('api', api_key))
    expect((await byKey(SESSION, undefined, { method: 'DELETE' })).status).toBe(200)
    expect((await byKey(SESSION)).status).toBe(200)
  })

  test('comes after thirty days, to the second and not to the next refresh', async () => {
    const { deps } = server.heddle
    const cookie = await sessionOf('jan')
    const token = cookie.split('=')[1] ?? ''
    let aheadMs = BigInt(KEPT_MS) - 5_000n
    const node = createAccess({ ...deps, now: () => deps.now() + aheadMs * 1000n })
    expect(await node.resume(token)).toMatchObject({ username: 'jan' })
    aheadMs += 5_000n
    await expect(node.resume(token)).rejects.toMatchObject({ code: 'unauthenticated' })
    const listed = async (now: () => bigint): Promise<string[]> =>
      (await summarizeKeys({ ...deps, now }, 'jan')).map((key) => key.kind)
    expect(await listed(deps.now)).toEqual(['key', 'session'])
    expect(await listed(() => deps.now() + BigInt(KEPT_MS) * 1000n)).toEqual(['key'])
  })

  test('comes with the key it was begun with, with a new password, and with the user', async () => {
    const { deps, access } = server.heddle
    await createUser(deps, { username: 'kim', password: 'the first one' })
    const { key, key_id } = await createKey(deps, 'kim')
    access.forget()
    const byKey = cookieOf(await signIn({ api_key: key }))
    const byPassword = cookieOf(await signIn({ username: 'kim', password: 'the first one' }))
    await revokeKey(deps, key_id)
    access.forget()
    expect([(await withCookie(byKey)).status, (await withCookie(byPassword)).status]).toEqual([401, 200])
    await setPassword(deps, 'kim', 'the second one')
    access.forget()
    expect((await withCookie(byPassword)).status).toBe(401)
    const last = cookieOf(await signIn({ username: 'kim', password: 'the second one' }))
    expect((await withCookie(last)).status).toBe(200)
    await removeUser(deps, 'kim')
    access.forget()
    expect((await withCookie(last)).status).toBe(401)
  })

  test('rows that ended long ago leave the table', async () => {
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
