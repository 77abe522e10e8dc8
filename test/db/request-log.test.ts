import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Heddle, startHeddle } from '../../src/app/heddle.ts'
import { basic, testSettings } from '../harness.ts'

/** The log lines of refused requests and of administration: who, from where, what and why, and no secret. */

const KEY = 'hd_the-key-of-the-admin-of-this-server-0123456789'
const PASSWORD = 'the password of the admin'
const WRONG = 'a guess at some password'

let heddle: Heddle
const lines: string[] = []

beforeAll(async () => {
  const settings = testSettings({ initApiKey: KEY, initAdminPassword: PASSWORD, logLevel: 'info' })
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  heddle = await startHeddle(settings, log, { hasLargeRequestThread: false })
})

afterAll(async () => {
  const { db } = heddle.deps
  await db.ddl(`DROP DATABASE IF EXISTS ${db.name}`)
  await heddle.stop()
})

async function send(authorization: string, method: string, path: string, body?: object): Promise<number> {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(heddle.url + path, { method, headers: { authorization }, ...init })
  await response.arrayBuffer()
  return response.status
}

/** The line of the latest request of this operation; it is written when the response has ended. */
async function lineOf(operation: string): Promise<Record<string, unknown>> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const index = lines.findLastIndex((line) => line.includes(`"operation":"${operation}"`))
    const [line] = index < 0 ? [] : lines.splice(index, 1)
    if (line !== undefined) {
      for (const secret of [KEY, PASSWORD, WRONG, 'hd_', 'Basic']) expect(line).not.toContain(secret)
      return JSON.parse(line) as Record<string, unknown>
    }
    await new Promise((wait) => setTimeout(wait, 20))
  }
  throw new Error(`no line of ${operation}`)
}

const admin = basic('api', KEY)
const read = { project_id: 'admin/p', id: 'x' }

test('a wrong password is logged with the user, the address and the reason', async () => {
  expect(await send(basic('admin', WRONG), 'POST', '/call/read', read)).toBe(401)
  expect(await lineOf('call_read')).toMatchObject({
    status: 401,
    user: 'admin',
    address: '127.0.0.1',
    reason: expect.stringMatching(/^these credentials are not valid/),
  })
  expect(await send('', 'POST', '/api/v1/session', { username: 'admin', password: WRONG })).toBe(401)
  expect(await lineOf('session_create')).toMatchObject({
    status: 401,
    user: 'admin',
    address: '127.0.0.1',
    reason: 'the username or password is wrong',
  })
})

test('a username that nobody has is not logged: it may be a password or key in the wrong field', async () => {
  for (const username of [WRONG, KEY, 'hd_another-key-that-does-not-exist-0123456789']) {
    expect(await send('', 'POST', '/api/v1/session', { username, password: 'x' })).toBe(401)
    const line = await lineOf('session_create')
    expect([line['user'], line['target'], line['address']]).toEqual([undefined, undefined, '127.0.0.1'])
  }
  expect(await send(basic(WRONG, 'x'), 'POST', '/call/read', read)).toBe(401)
  expect(await lineOf('call_read')).not.toHaveProperty('user')
})

test('administration is logged with the user, the address and what it is about', async () => {
  const by = { msg: 'administration', status: 200, user: 'admin', address: '127.0.0.1' }
  expect(await send(admin, 'POST', '/api/v1/users', { username: 'bob', is_server_admin: true })).toBe(200)
  expect(await lineOf('user_create')).toMatchObject({
    ...by,
    target: { username: 'bob', is_server_admin: true },
  })
  expect(await send(admin, 'PUT', '/api/v1/projects/admin/p/members/bob', { role: 'read' })).toBe(200)
  expect(await lineOf('member_set')).toMatchObject({
    ...by,
    target: { entity: 'admin', project: 'p', username: 'bob', role: 'read' },
  })
  expect(await send(admin, 'POST', '/api/v1/keys', { name: 'laptop' })).toBe(200)
  expect(await lineOf('key_create')).toMatchObject(by)
  expect(await send(admin, 'PUT', '/api/v1/users/bob/state', { is_disabled: true })).toBe(200)
  expect(await lineOf('user_set_state')).toMatchObject({
    ...by,
    target: { username: 'bob', is_disabled: true },
  })
  // Somebody takes the key for its id.
  expect(await send(admin, 'DELETE', `/api/v1/keys/${KEY}x`)).toBe(404)
  expect(await lineOf('key_revoke')).toMatchObject({ status: 404, user: 'admin', address: '127.0.0.1' })
})

test('a sign-in that succeeds is logged too; a read is not', async () => {
  expect(await send('', 'POST', '/api/v1/session', { username: 'admin', password: PASSWORD })).toBe(200)
  expect(await lineOf('session_create')).toMatchObject({ status: 200, user: 'admin', address: '127.0.0.1' })
  expect(await send(admin, 'GET', '/api/v1/users')).toBe(200)
  expect(lines.filter((line) => line.includes('users_list'))).toEqual([])
})
