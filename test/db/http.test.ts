import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { pino } from 'pino'
import { startHeddle } from '../../src/app/heddle.ts'
import { startTestServer, testSettings, useServer } from '../harness.ts'
import { ERROR_BODY } from '../operations.ts'
import { waitUntil } from '../wait-until.ts'

const server = useServer()

/** Writes raw bytes that no HTTP client would send; returns what the server sent until it closed the connection. */
async function onSocket(url: string, ...parts: (string | number)[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let response = ''
  socket.on('data', (chunk: Buffer) => {
    response += chunk.toString()
  })
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')
  for (const part of parts) {
    if (typeof part === 'number') await new Promise((resolve) => setTimeout(resolve, part))
    else socket.write(part)
  }
  socket.end()
  await closed
  return response
}

describe('server endpoints', () => {
  test.each(['/healthz', '/livez', '/readyz', '/metrics', '/openapi.json', '/docs'])(
    '%s needs no credentials',
    async (path) => {
      const response = await fetch(server.url + path)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect((await response.text()).length).toBeGreaterThan(10)
      const head = await fetch(server.url + path, { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
    },
  )

  test('the docs page loads nothing from other origins and runs no scripts', async () => {
    const response = await fetch(`${server.url}/docs`)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    const html = await response.text()
    expect(html).not.toMatch(/<script|src=|url\(|https?:/)
    expect(html).toContain('/server_info')
  })

  test('metrics count requests by operation and status, and contain no client text', async () => {
    await server.send('/server_info')
    await server.send('/canary-4711', { project_id: 'canary/4711' })
    await server.send('/call/read?canary=4711', { project_id: 'canary/4711', id: 'canary4711' })
    const { text } = await server.send('/metrics')
    expect(text).toMatch(/heddle_http_requests_total\{operation="server_info",status="200"\} \d+/)
    expect(text).toMatch(
      /heddle_http_request_duration_seconds_bucket\{le="0.1",operation="server_info"\} \d+/,
    )
    expect(text).toContain('heddle_http_errors_total{code="not_found"}')
    expect(text).toMatch(/heddle_http_in_flight_requests 1\n/)
    expect(text).toMatch(/heddle_http_in_flight_bytes 0\n/)
    expect(text).toContain('process_cpu_seconds_total')
    expect(text).not.toMatch(/canary/)
  })

  test('a draining server is not ready, but alive', async () => {
    const other = await startTestServer()
    try {
      expect((await other.send('/readyz')).status).toBe(200)
      other.heddle.setDraining()
      const response = await other.send('/readyz')
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('1')
      expect(response.headers.get('connection')).toBe('close')
      expect(response.json).toEqual({
        ...ERROR_BODY,
        code: 'unavailable',
        reason: expect.stringContaining('shutting down'),
      })
      expect((await other.send('/healthz')).status).toBe(200)
      expect((await other.send('/server_info')).status).toBe(200)
    } finally {
      await other.stop()
    }
  })
})

describe('request ids', () => {
  test('a safe request id is echoed, any other is replaced', async () => {
    const idFor = async (id: string): Promise<string | null> =>
      (await server.send('/nowhere', undefined, { headers: { 'x-request-id': id } })).headers.get(
        'x-request-id',
      )
    expect(await idFor('abc-123_.:x')).toBe('abc-123_.:x')
    for (const odd of ['a b', '<script>', 'x'.repeat(129), 'ü', ''])
      expect(await idFor(odd)).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('the header and the error body have the same id', async () => {
    const response = await server.send('/nowhere', undefined, { headers: { 'x-request-id': 'my-id' } })
    expect(response.json['request_id']).toBe('my-id')
  })
})

describe('one error body everywhere', () => {
  test.each([
    ['an unknown path', 404, 'not_found', '/nowhere', 'GET'],
    ['a badly encoded path', 400, 'invalid_request', '/v2/%zz/x/calls/complete', 'POST'],
    ['another method', 405, 'method_not_allowed', '/server_info', 'POST'],
    ['another method on a page', 405, 'method_not_allowed', '/readyz', 'DELETE'],
    [
      'a path part that is too long',
      400,
      'invalid_request',
      `/v2/${'e'.repeat(600)}/p/calls/complete`,
      'POST',
    ],
  ])('%s', async (_name, status, code, path, method) => {
    const response = await server.send(path, undefined, { method })
    expect([response.status, response.json]).toEqual([status, { ...ERROR_BODY, code }])
    expect(response.headers.get('x-request-id')).toBe(response.json['request_id'])
    expect(response.headers.get('content-type')).toContain('application/json')
  })

  test.each(['QUERY', 'TRACE', 'PROPFIND', 'PURGE', 'PATCH'])('%s is 405 at known paths', async (method) => {
    // fetch refuses TRACE.
    const send = async (path: string, headers = '') => {
      const response = await onSocket(
        server.url,
        `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`,
      )
      return [Number(response.slice(9, 12)), /\r\nallow: (.*)\r\n/i.exec(response)?.[1]]
    }
    expect(await send('/calls/query_stats')).toEqual([405, 'POST, OPTIONS'])
    expect(await send('/traces/v2/e/p/calls/complete')).toEqual([405, 'POST, OPTIONS'])
    expect(await send('/api/v1/keys', 'content-type: application/json\r\n')).toEqual([
      405,
      'GET, HEAD, POST, OPTIONS',
    ])
    expect(await send('/docs')).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(await send('/nowhere')).toEqual([404, undefined])
  })

  test('405 and OPTIONS list the allowed methods', async () => {
    const wrong = await server.send('/traces/server_info', undefined, { method: 'PUT' })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const options = await server.send('/server_info', undefined, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow'), options.text]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
      '',
    ])
  })

  test.each([
    ['no HTTP at all', 400, ['hello\r\n\r\n']],
    [
      'headers beyond 16 KiB',
      431,
      [`GET /healthz HTTP/1.1\r\nhost: x\r\nx-big: ${'x'.repeat(20_000)}\r\n\r\n`],
    ],
    ['two lengths', 400, ['POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na']],
    [
      'a length and chunks',
      400,
      ['POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ],
    ['a length that is not a number', 400, ['POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n']],
    [
      'a broken chunk',
      400,
      ['POST /x HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n'],
    ],
    ['a line break in a header', 400, ['GET /healthz HTTP/1.1\r\nhost: x\r\nx-a: b\rc: d\r\n\r\n']],
  ])('%s', async (_name, status, parts) => {
    const response = await onSocket(server.url, ...parts)
    // For an unknown path the server may respond with 404 before it reads the broken body.
    expect(response).toMatch(new RegExp(`^HTTP/1.1 (${status}|404)`))
    const body = response.slice(response.indexOf('\r\n\r\n') + 4).split('HTTP/1.1')[0] ?? ''
    expect(JSON.parse(body)).toEqual(ERROR_BODY)
  })
})

test('the log has one line per request, without payloads, secrets or forged lines', async () => {
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
  const settings = testSettings()
  const heddle = await startHeddle(settings, log)
  try {
    const headers = { authorization: server.authorization, 'x-request-id': 'log-1' }
    const body = JSON.stringify({
      start: { project_id: 'acme/demo', op_name: 'op', inputs: { a: 'canary-4711' } },
    })
    await fetch(`${heddle.url}/call/start`, { method: 'POST', headers, body })
    await fetch(`${heddle.url}/canary-4711%0A%7B%22level%22:60%7D`, {
      headers: { authorization: 'Basic canary-4711' },
    })
    await fetch(`${heddle.url}/call/read`, { method: 'POST', headers, body: '{"canary-4711' })
  } finally {
    await heddle.deps.db.ddl(`DROP DATABASE IF EXISTS ${settings.clickhouseDatabase}`)
    await heddle.stop()
  }
  const requests = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    // A server that closes requests its own /livez once (src/http/connections.ts).
    .filter((line) => 'operation' in line && line['operation'] !== '/livez')
    .map(({ request_id, operation, status, ms, bytes, user }) => ({
      request_id,
      operation,
      status,
      ms,
      bytes,
      user,
    }))
  const any = { ms: expect.any(Number), bytes: expect.any(Number), user: 'admin', request_id: 'log-1' }
  expect(requests).toEqual([
    { ...any, operation: 'call_start', status: 200 },
    { ...any, operation: 'other', status: 404, user: undefined, request_id: expect.any(String) },
    { ...any, operation: 'call_read', status: 400 },
  ])
  expect(lines.join('')).not.toMatch(/canary|Basic/)
})

test('a client that is still sending a body that is too large gets the response, and can use the connection again', async () => {
  const authorization = `authorization: ${server.authorization}`
  const head = `POST /calls/query HTTP/1.1\r\nhost: x\r\n${authorization}\r\ntransfer-encoding: chunked\r\n\r\n`
  const chunk = `100000\r\n${' '.repeat(2 ** 20)}\r\n`
  const next = `GET /server_info HTTP/1.1\r\nhost: x\r\n${authorization}\r\n\r\n`
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let received = ''
  socket.on('data', (data: Buffer) => (received += data.toString()))
  socket.on('error', () => {})
  socket.write(head + chunk.repeat(9))
  await waitUntil(() => received.startsWith('HTTP/1.1 413'))
  socket.write(`${chunk}0\r\n\r\n${next}`)
  await waitUntil(() => received.includes('HTTP/1.1 200'))
  socket.destroy()
})

test('a request in progress is finished while the server closes', async () => {
  const other = await startTestServer()
  const port = new URL(other.url).port
  const response = onSocket(
    other.url,
    `GET /server_info HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`,
    400,
    'connection: keep-alive\r\n\r\n',
    300,
  )
  await new Promise((resolve) => setTimeout(resolve, 150))
  await other.stop()
  expect(await response).toMatch(/^HTTP\/1.1 200/)
})
