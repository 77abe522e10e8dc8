import { expect, test } from 'vitest'
import { sql } from '../../src/store/query/sql.ts'
import { clusterEnvironment, testSettings, useServer } from '../harness.ts'
import { runCli } from '../run-cli.ts'

/** Secrets of projects: stored encrypted, listed by name, rotated, and found nowhere. */

const KEY = 'the-first-key-of-at-least-32-characters'
const NEXT = 'the-second-key-of-at-least-32-characters'
const settings = testSettings({ secretKey: KEY })
const server = useServer(settings)

const VALUE = 'sk-found-nowhere-7c1f'
const ORIGINS = ['https://api.openai.com']
const path = (project_id: string, name = ''): string =>
  `/api/v1/projects/${project_id}/secrets${name === '' ? '' : `/${name}`}`
const put = (project_id: string, name: string, body: object) =>
  server.send(path(project_id, name), body, { method: 'PUT' })
const rows = () =>
  server.heddle.deps.db.rows<Record<string, string>>(
    sql`SELECT name, key_id, ciphertext, origins FROM secrets FINAL ORDER BY project_id, name`,
    { name: 'test', kind: 'point' },
  )

const cli = (args: readonly string[], secretKey = KEY, input = '') =>
  runCli(['secrets', ...args], {
    env: {
      HEDDLE_CLICKHOUSE_URL: settings.clickhouseUrl,
      HEDDLE_CLICKHOUSE_USER: settings.clickhouseUser,
      HEDDLE_CLICKHOUSE_PASSWORD: settings.clickhousePassword,
      HEDDLE_CLICKHOUSE_DATABASE: settings.clickhouseDatabase,
      HEDDLE_SECRET_KEY: secretKey,
      ...clusterEnvironment(),
    },
    input,
  })

test('a secret is set and deleted by admins, and listed without its value', async () => {
  const project_id = 'keys/a'
  expect(
    (await put(project_id, 'OPENAI_API_KEY', { value: VALUE, origins: [`${ORIGINS[0]}:443`] })).status,
  ).toBe(200)
  const listed = await server.send(path(project_id))
  expect(listed.json['secrets']).toEqual([
    { name: 'OPENAI_API_KEY', origins: ORIGINS, changed_by: 'admin', changed_at: expect.any(String) },
  ])
  expect(listed.text).not.toContain(VALUE)
  const writer = server.as(await server.user('writer', { keys: 'write' }))
  expect((await writer(path(project_id))).status).toBe(200)
  const body = { value: 'x', origins: ['https://evil.example'] }
  expect((await writer(path(project_id, 'OPENAI_API_KEY'), body, { method: 'PUT' })).status).toBe(403)
  expect((await writer(path(project_id, 'OPENAI_API_KEY'), undefined, { method: 'DELETE' })).status).toBe(403)
  for (const origins of [[], ['api.openai.com'], ['https://a.b/c'], ['https://u:p@a.b'], ['ftp://a.b']])
    expect((await put(project_id, 'X', { value: 'x', origins })).status).toBe(422)
  const stranger = server.as(await server.user('stranger'))
  expect((await stranger(path(project_id))).status).toBe(403)
})

test('neither the database, SQL of users, exports nor metrics have the value', async () => {
  const project_id = 'keys/b'
  await put(project_id, 'A', { value: VALUE, origins: ORIGINS })
  const stored = await rows()
  expect(stored.length).toBeGreaterThan(0)
  for (const text of [VALUE, Buffer.from(VALUE).toString('base64').slice(0, -3)])
    expect(JSON.stringify(stored)).not.toContain(text)
  const query = (text: string) => server.send(`/api/v1/projects/${project_id}/sql`, { query: text })
  expect((await query('SELECT * FROM secrets')).status).toBeGreaterThanOrEqual(400)
  expect((await query(`SELECT * FROM ${settings.clickhouseDatabase}.secrets`)).status).toBe(403)
  expect((await server.send('/metrics')).text).not.toContain(VALUE)
})

test('rotation encrypts with the first key; the old one decrypts until then', async () => {
  const project_id = 'keys/c'
  const set = await cli(['set', project_id, 'B', '--origins', ORIGINS[0]!], KEY, `${VALUE}\n`)
  expect(set).toMatchObject({ code: 0, stdout: '' })
  const before = await rows()
  const rotated = await cli(['rotate'], `${NEXT},${KEY}`)
  expect(rotated).toMatchObject({
    code: 0,
    stderr: `encrypted ${before.length} secrets with the key ${(await rows())[0]?.['key_id']}\n`,
  })
  expect(new Set((await rows()).map(({ key_id }) => key_id)).size).toBe(1)
  expect((await rows()).map(({ ciphertext }) => ciphertext)).not.toContain(before[0]?.['ciphertext'])
  // Nothing is left to do, and a key that cannot decrypt says so without losing anything.
  expect(await cli(['rotate'], `${NEXT},${KEY}`)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^encrypted 0 /),
  })
  expect(await cli(['rotate'], KEY)).toMatchObject({ code: 1, stderr: expect.stringContaining('keys/c B') })
  expect(await cli(['rotate'], `${KEY},${NEXT}`)).toMatchObject({ code: 0 })
  expect(await cli(['list', project_id])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^B /m) })
  expect(await cli(['delete', project_id, 'B'])).toMatchObject({ code: 0 })
  expect((await server.send(path(project_id, 'B'), undefined, { method: 'DELETE' })).status).toBe(404)
})
