import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../src/app/settings.ts'
import { createClient } from '../../src/client/client.ts'
import { apiKeyIn, startTestServer, type TestServer } from '../harness.ts'
import { openStream } from '../live-stream.ts'
import { type ReverseProxy, startReverseProxy } from '../reverse-proxy.ts'
import { runCli } from '../run-cli.ts'

/** Heddle below a path of a reverse proxy, which removes the path or passes it on. */

const PROJECT = 'acme/below'
let web: string
let server: TestServer
const proxies = new Map<boolean, ReverseProxy>()

beforeAll(async () => {
  web = mkdtempSync(join(tmpdir(), 'heddle-web-'))
  mkdirSync(join(web, 'assets'))
  writeFileSync(join(web, 'index.html'), '<!doctype html><script src="./assets/main-B7fK2x9Q.js"></script>')
  writeFileSync(join(web, 'assets/main-B7fK2x9Q.js'), 'export {}')
  server = await startTestServer({ basePath: '/tools/heddle', webDirectory: web })
  const target = new URL(server.url).origin
  for (const keepsPath of [true, false])
    proxies.set(keepsPath, await startReverseProxy({ target, path: '/tools/heddle', keepsPath }))
})

afterAll(async () => {
  for (const proxy of proxies.values()) await proxy.stop()
  await server.stop()
  rmSync(web, { recursive: true })
})

test('the printed URL has the path', () => {
  expect(new URL(server.url).pathname).toBe('/tools/heddle')
})

describe.each([
  ['that passes the path on', true],
  ['that removes the path', false],
])('behind a proxy %s', (_, keepsPath) => {
  const url = () => proxies.get(keepsPath)!.url

  test('calls are written and read at both paths of the API', async () => {
    for (const base of [url(), `${url()}/traces`]) {
      const client = createClient({ url: base, authorization: server.authorization })
      const { id } = await client.call('call_start', {
        start: { project_id: PROJECT, op_name: 'op', started_at: '2026-11-01T00:00:00Z' },
      })
      const { call } = await client.call('call_read', { project_id: PROJECT, id })
      expect(call?.id).toBe(id)
    }
  })

  test('every page of the web UI loads its script below the path', async () => {
    for (const page of ['', '/', '/sign-in', `/${PROJECT}/weave/traces?filter=x`]) {
      const response = await fetch(url() + page, { headers: { accept: 'text/html' } })
      expect([page, response.status]).toEqual([page, 200])
      expect(await response.text()).toContain('src="/tools/heddle/assets/main-B7fK2x9Q.js"')
    }
    const script = await fetch(`${new URL(url()).origin}/tools/heddle/assets/main-B7fK2x9Q.js`)
    expect([script.status, await script.text()]).toEqual([200, 'export {}'])
  })

  test('the session cookie belongs to the path', async () => {
    const response = await fetch(`${url()}/api/v1/session`, {
      method: 'POST',
      headers: { 'x-heddle-web': '1' },
      body: JSON.stringify({ api_key: apiKeyIn(server.authorization) }),
    })
    expect(response.status).toBe(200)
    const cookie = response.headers.get('set-cookie') ?? ''
    expect(cookie).toContain('; Path=/tools/heddle;')
    const session = await fetch(`${url()}/api/v1/session`, { headers: { cookie: cookie.split(';')[0]! } })
    expect(session.status).toBe(200)
  })

  test('the live feed, the OpenAPI document and the reference are below the path', async () => {
    const project_id = `${PROJECT}-${keepsPath}`
    const stream = await openStream({ url: url(), authorization: server.authorization, project_id }, {})
    await server.post('/call/start', {
      start: { project_id, id: 'a', trace_id: 't', op_name: 'op', started_at: '2026-11-01T00:00:00Z' },
    })
    expect(await stream.waitForEvents(1)).toEqual(['start a'])
    await stream.close()
    const openapi = (await (await fetch(`${url()}/openapi.json`)).json()) as { servers: unknown }
    expect(openapi.servers).toEqual([{ url: '/tools/heddle' }, { url: '/tools/heddle/traces' }])
    expect(await (await fetch(`${url()}/docs`)).text()).toContain('href="/tools/heddle/openapi.json"')
  })

  test('the doctor finds nothing wrong', async () => {
    const { settings } = server.heddle.deps.db
    const { stdout } = await runCli(['doctor', '--json', '--url', url()], {
      env: {
        HEDDLE_CLICKHOUSE_URL: settings.url,
        HEDDLE_CLICKHOUSE_USER: settings.username,
        HEDDLE_CLICKHOUSE_PASSWORD: settings.password,
        HEDDLE_CLICKHOUSE_DATABASE: settings.database,
        HEDDLE_DOCTOR_KEY: apiKeyIn(server.authorization),
      },
    })
    const { findings } = JSON.parse(stdout) as { findings: { check: string; level: string }[] }
    const levels = new Map(findings.map(({ check, level }) => [check, level]))
    for (const check of ['server', 'api key', 'write and read', 'web page'])
      expect([check, levels.get(check)]).toEqual([check, 'ok'])
  })
})

test('a path that only begins alike is another one, and the setting must be a path', async () => {
  const { origin } = new URL(server.url)
  expect((await fetch(`${origin}/tools/heddles/livez`)).status).toBe(404)
  expect((await fetch(`${origin}/tools/heddle/livez`)).status).toBe(200)
  expect((await fetch(`${origin}/livez`)).status).toBe(200)
  expect(readSettings({ HEDDLE_BASE_PATH: '/a/b/' }).basePath).toBe('/a/b')
  expect(readSettings({ HEDDLE_BASE_PATH: '/' }).basePath).toBe('')
  for (const path of ['heddle', '/a b', '//a', 'https://example.com/heddle'])
    expect(() => readSettings({ HEDDLE_BASE_PATH: path })).toThrow('must be a path such as /heddle')
})
