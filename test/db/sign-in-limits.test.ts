import { expect, test } from 'vitest'
import { type Access, createAccess } from '../../src/service/access/access.ts'
import { createUser } from '../../src/service/access/users.ts'
import { basic, startTestServer, type TestServer, useServer } from '../harness.ts'

/** Password guessing: what it costs, whom it affects, and what it reveals. */

const server = useServer()

const PASSWORD = 'the right one'
const SESSION = '/api/v1/session'

async function addUser(username: string, password?: string): Promise<void> {
  await createUser(server.heddle.deps, { username, password })
  server.heddle.access.invalidate()
}

/** Another process on the same database, with throttles of its own. */
function newNode(): Access {
  return createAccess(server.heddle.deps)
}

/** Signs in with HTTP Basic from an address; the username, or the error code. */
async function signIn(node: Access, username: string, password: string, address: string): Promise<string> {
  return node.authenticate(basic(username, password), address).then(
    (caller) => caller.username,
    (error: { code: string }) => error.code,
  )
}

function countOf(outcomes: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[String(outcome)] = (counts[String(outcome)] ?? 0) + 1
  return counts
}

const many = <T>(count: number, send: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => send(n)))

test('of many concurrent guesses for a user, ten are checked; a client that is signed in notices nothing', async () => {
  await addUser('target', PASSWORD)
  const owner = server.as(basic('target', PASSWORD))
  expect((await owner(SESSION)).status).toBe(200)
  const guesses = many(40, (n) => server.as(basic('target', `guess ${n}`))(SESSION))
  // Cached credentials do not wait for the checks.
  const startedAt = performance.now()
  for (let n = 0; n < 5; n++) expect((await owner(SESSION)).status).toBe(200)
  const ownerMs = performance.now() - startedAt
  const responses = await guesses
  const guessesMs = performance.now() - startedAt
  expect(countOf(responses.map((response) => response.status))).toEqual({ 401: 10, 429: 30 })
  expect(ownerMs).toBeLessThan(guessesMs)
  const limited = responses.find((response) => response.status === 429)
  expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(limited?.json['code']).toBe('rate_limited')
  // A sign-in form has the same limit, and the owner passes it too.
  const form = (password: string) => server.as('')(SESSION, { username: 'target', password })
  expect([(await form('guess')).status, (await form(PASSWORD)).status]).toEqual([429, 200])
})

test('guesses from one address do not lock a user out elsewhere', async () => {
  await addUser('owner', PASSWORD)
  const node = newNode()
  const outcomes = await many(12, (n) => signIn(node, 'owner', `guess ${n}`, '192.0.2.1'))
  expect(countOf(outcomes)).toEqual({ unauthenticated: 10, rate_limited: 2 })
  // An IPv4 address counts the same when it is mapped into IPv6.
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1'])
    expect(await signIn(node, 'owner', PASSWORD, address)).toBe('rate_limited')
  expect(await signIn(node, 'owner', PASSWORD, '198.51.100.7')).toBe('owner')
  // Now the credentials are known, and work from everywhere.
  expect(await signIn(node, 'owner', PASSWORD, '192.0.2.1')).toBe('owner')
})

test('random usernames do not block the sign-in of others, even from the same address', async () => {
  await addUser('newcomer', PASSWORD)
  const node = newNode()
  const guesses = many(60, (n) => signIn(node, `random-${n}`, 'wrong', '192.0.2.1'))
  expect(await signIn(node, 'newcomer', PASSWORD, '192.0.2.1')).toBe('newcomer')
  expect(countOf(await guesses)).toEqual({ unauthenticated: 60 })
})

test('a wrong password, a user without a password and an unknown user look the same, before and during an attack', async () => {
  const names = ['with-password', 'without-password', 'nobody']
  await addUser('with-password', PASSWORD)
  await addUser('without-password')
  const node = newNode()
  await node.authenticate(server.authorization)
  const attempt = async (username: string, password: string): Promise<{ error: unknown; ms: number }> => {
    const startedAt = performance.now()
    const error: unknown = await node
      .authenticate(basic(username, password), '192.0.2.1')
      .catch((e: unknown) => e)
    return { error, ms: performance.now() - startedAt }
  }
  const compare = async (password: string): Promise<number[]> => {
    const results: { error: unknown; ms: number }[] = []
    for (const name of names) results.push(await attempt(name, password))
    for (const { error } of results) {
      expect(error).toMatchObject({ code: 'unauthenticated' })
      expect(error).toEqual(results[0]?.error)
    }
    return results.map(({ ms }) => ms)
  }
  // Each is hashed.
  const before = await compare('wrong')
  expect(Math.max(...before)).toBeLessThan(10 * Math.min(...before))
  await many(8, (n) => attempt(`noise-${n}`, 'wrong'))
  // Now failures from this address are delayed.
  for (const ms of await compare('wrong again')) expect(ms).toBeGreaterThan(1_900)
  // An empty password is wrong for everybody.
  expect((await attempt('without-password', '')).error).toMatchObject({ code: 'unauthenticated' })
})

test('X-Forwarded-For names the client only if it comes from a trusted proxy', async () => {
  // Redeeming sign-in codes is limited per address too, and needs no hash.
  const redeem = async (at: TestServer, address: string): Promise<number> => {
    const headers = { 'x-forwarded-for': `203.0.113.9, ${address}` }
    return (await at.as('')(SESSION, { code: 'x'.repeat(32) }, { headers })).status
  }
  const direct = countOf(await many(60, (n) => redeem(server, `192.0.2.${n}`)))
  expect([direct[401]! >= 20, direct[429]! > 0]).toEqual([true, true])
  const clickhouseDatabase = server.heddle.deps.db.name
  const proxied = await startTestServer({ clickhouseDatabase, trustedProxies: '127.0.0.1' })
  try {
    expect(countOf(await many(60, (n) => redeem(proxied, `192.0.2.${n}`)))).toEqual({ 401: 60 })
    expect(countOf(await many(60, () => redeem(proxied, '198.51.100.1')))[429]).toBeGreaterThan(0)
  } finally {
    await proxied.heddle.stop()
  }
})
