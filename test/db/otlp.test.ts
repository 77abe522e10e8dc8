import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodeTraces } from '../../src/otlp/wire/decode.ts'
import { LogsResponse, TraceResponse } from '../../src/otlp/wire/messages.ts'
import type { Call } from '../../src/contract/calls/calls.ts'
import { apiKeyIn, parseJsonLines, projectNames, type TestServer, useServer } from '../harness.ts'
import { encodeLogs, encodeTraces } from '../otlp/encode.ts'
import { makeSpan, newSpanIds } from '../otlp/make-span.ts'
import { testLog } from '../otlp/span-fixture.ts'

/** OTLP/HTTP on a real server. */

const server = useServer({ bodyLimitBytes: 3 * 1024 * 1024 })
const APP = 'https://app.example.com'
const withCors = useServer({ corsOrigins: `http://localhost:3000, ${APP}` })
const newProject = projectNames('acme/otlp')

const PROTOBUF = 'application/x-protobuf'

/** Tag and length of a protobuf field of the given length. */
function lengthDelimited(field: number, length: number): Buffer {
  const bytes = [(field << 3) | 2]
  let rest = length
  for (; rest > 127; rest >>= 7) bytes.push((rest & 127) | 128)
  return Buffer.from([...bytes, rest])
}

interface SendOptions {
  readonly type?: string
  readonly headers?: Record<string, string>
  readonly path?: string
  readonly authorization?: string
}

async function send(
  project_id: string | undefined,
  body: Buffer | string,
  {
    type = PROTOBUF,
    headers = {},
    path = '/otel/v1/traces',
    authorization = server.authorization,
  }: SendOptions = {},
) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: {
      'content-type': type,
      ...(authorization === '' ? {} : { authorization }),
      ...(project_id === undefined ? {} : { project_id }),
      ...headers,
    },
  })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  }
}

async function calls(project_id: string): Promise<Call[]> {
  const { text } = await server.send('/calls/stream_query', { project_id })
  return parseJsonLines<Call>(text)
}

describe('encodings', () => {
  test.each(['protobuf', 'json'] as const)('spans in %s become calls', async (encoding) => {
    const project_id = newProject()
    const span = makeSpan({ name: 'step', attributes: new Map([['answer', 42n]]) })
    const type = encoding === 'json' ? 'application/json; charset=utf-8' : PROTOBUF
    const response = await send(project_id, encodeTraces([span], encoding), { type })
    expect(response.status).toBe(200)
    expect(response.type).toMatch(encoding === 'json' ? /^application\/json/ : /^application\/x-protobuf$/)
    expect(response.body.toString()).toBe(encoding === 'json' ? '{}' : '')
    expect(await calls(project_id)).toMatchObject([
      {
        id: span.traceId.slice(-16) + span.spanId,
        trace_id: span.traceId,
        parent_id: null,
        wb_user_id: 'admin',
      },
    ])
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ] as const)('bodies may be compressed with %s', async (encoding, compress) => {
    const project_id = newProject()
    const body = compress(encodeTraces([makeSpan()], 'protobuf'))
    const response = await send(project_id, body, { headers: { 'content-encoding': encoding } })
    expect(response.status).toBe(200)
    expect(await calls(project_id)).toHaveLength(1)
  })

  test('another Content-Type gets 415', async () => {
    const response = await send(newProject(), 'x', { type: 'text/plain' })
    expect(response.status).toBe(415)
    expect(response.body.toString()).toMatch(/application\/x-protobuf or application\/json/)
  })

  test('a body that is not OTLP gets 400, as a status in its encoding', async () => {
    const protobuf = await send(newProject(), Buffer.from('not a message'))
    expect([protobuf.status, protobuf.type]).toEqual([400, PROTOBUF])
    // code 3, message
    expect(protobuf.body.subarray(0, 2)).toEqual(Buffer.from([0x08, 3]))
    expect(protobuf.body.toString()).toMatch(/not a valid protobuf message/)
    const json = await send(newProject(), '{"resourceSpans":', { type: 'application/json' })
    expect(json.status).toBe(400)
    expect(JSON.parse(json.body.toString())).toMatchObject({ code: 'invalid_request' })
  })

  test('a decompression bomb gets 413', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    const response = await send(newProject(), bomb, { headers: { 'content-encoding': 'gzip' } })
    expect([response.status, response.headers.get('retry-after')]).toEqual([413, null])
  })

  test('resource attributes that many spans would repeat get 413, and so do too many spans', async () => {
    const project_id = newProject()
    const resource = { attributes: new Map([['big', 'x'.repeat(1_000_000)]]), schemaUrl: '' }
    const { scope } = makeSpan({})
    const spans = Array.from({ length: 70 }, () => makeSpan({ ...newSpanIds(), resource, scope }))
    const rejected = await send(project_id, encodeTraces(spans, 'protobuf'))
    expect(rejected.status).toBe(413)
    expect((await send(project_id, encodeTraces(spans.slice(0, 3), 'protobuf'))).status).toBe(200)
    // Tag and length of ResourceSpans and ScopeSpans, then empty spans.
    const empty = Buffer.alloc(2 * 100_001, Buffer.from([0x12, 0x00]))
    const wrapped = [1, 2].reduce(
      (inner, field) => Buffer.concat([lengthDelimited(3 - field, inner.length), inner]),
      empty,
    )
    expect((await send(project_id, wrapped)).status).toBe(413)
  })

  test('the aliases of OTLP are served', async () => {
    const project_id = newProject()
    const body = encodeTraces([makeSpan()], 'protobuf')
    for (const path of ['/v1/traces', '/traces/otel/v1/traces'])
      expect((await send(project_id, body, { path })).status).toBe(200)
    for (const path of ['/v1/logs', '/otel/v1/logs'])
      expect((await send(project_id, Buffer.alloc(0), { path })).status).toBe(200)
    expect(await calls(project_id)).toHaveLength(1)
  })
})

describe('credentials', () => {
  test('an API key may be a bearer token or in a header of its own', async () => {
    const project_id = newProject()
    const key = apiKeyIn(server.authorization)
    const body = encodeTraces([makeSpan()], 'protobuf')
    expect((await send(project_id, body, { authorization: `Bearer ${key}` })).status).toBe(200)
    expect(
      (await send(project_id, body, { authorization: '', headers: { 'wandb-api-key': key } })).status,
    ).toBe(200)
    expect((await server.as(`Bearer ${key}`)('/calls/query', { project_id })).status).toBe(200)
    const wrong = await send(project_id, body, { authorization: `Bearer ${key}x` })
    expect([wrong.status, wrong.type]).toEqual([401, PROTOBUF])
  })

  test('spans of projects that the caller may not write to are rejected, the others stored', async () => {
    const [mine, other] = [newProject(), newProject()]
    const authorization = await server.user('otlp-writer', { [mine]: 'write', [other]: 'read' })
    const inProject = (project_id: string) => {
      const [entity = '', project = ''] = project_id.split('/')
      const attributes = new Map([
        ['wandb.entity', entity],
        ['wandb.project', project],
      ])
      return makeSpan({ resource: { attributes, schemaUrl: '' } })
    }
    const spans = [inProject(mine), inProject(other), inProject(other)]
    const response = await send(undefined, encodeTraces(spans, 'protobuf'), { authorization })
    expect(response.status).toBe(200)
    expect(TraceResponse.decode(response.body).partialSuccess).toMatchObject({
      rejectedSpans: { low: 2 },
      errorMessage: expect.stringContaining(other) as unknown,
    })
    expect(await calls(mine)).toHaveLength(1)
    expect(await calls(other)).toHaveLength(0)
    const forbidden = await send(undefined, encodeTraces([inProject(other)], 'protobuf'), { authorization })
    expect(forbidden.status).toBe(403)
  })

  test('without a header, the project is the service in the entity of the caller', async () => {
    const authorization = await server.user('otlp-owner')
    const attributes = new Map([['service.name', 'shop']])
    const span = makeSpan({ resource: { attributes, schemaUrl: '' } })
    expect(
      (await send(undefined, encodeTraces([span], 'json'), { type: 'application/json', authorization }))
        .status,
    ).toBe(200)
    expect(await calls('otlp-owner/shop')).toHaveLength(1)
  })

  test('spans of no named project are stored, and the response says where', async () => {
    const authorization = await server.user('otlp-guess')
    const ofService = (attributes: [string, string][]) =>
      makeSpan({ resource: { attributes: new Map(attributes), schemaUrl: '' } })
    const protobuf = await send(undefined, encodeTraces([ofService([])], 'protobuf'), { authorization })
    expect([protobuf.status, protobuf.headers.get('heddle-guessed-projects')]).toEqual([
      200,
      'otlp-guess/default',
    ])
    expect(TraceResponse.decode(protobuf.body).partialSuccess).toMatchObject({
      rejectedSpans: { low: 0 },
      errorMessage: expect.stringMatching(
        /stored in otlp-guess\/default; set the header project-id/,
      ) as unknown,
    })
    expect(await calls('otlp-guess/default')).toHaveLength(1)
    const spans = [ofService([['service.name', 'shop']]), ofService([['wandb.project', 'named']])]
    const json = await send(undefined, encodeTraces(spans, 'json'), {
      type: 'application/json',
      authorization,
    })
    expect(JSON.parse(json.body.toString())).toEqual({
      partialSuccess: {
        rejectedSpans: '0',
        errorMessage: expect.stringMatching(/stored in otlp-guess\/shop;/) as unknown,
      },
    })
    const named = await send('otlp-guess/x', encodeTraces(spans, 'json'), {
      type: 'application/json',
      authorization,
    })
    expect(named.body.toString()).toBe('{}')
  })

  test('the header may be spelled in two ways, and percent-encoded', async () => {
    const project_id = newProject()
    const headers = [
      { 'project-id': project_id },
      { 'project-id': encodeURIComponent(project_id) },
      { project_id: encodeURIComponent(project_id) },
    ]
    for (const each of headers) {
      const response = await send(undefined, encodeTraces([makeSpan()], 'protobuf'), { headers: each })
      expect(response.status).toBe(200)
    }
    expect(await calls(project_id)).toHaveLength(3)
  })

  test('a header that names no project gets 422', async () => {
    const response = await send('a/b/c', encodeTraces([makeSpan()], 'json'), { type: 'application/json' })
    expect(response.status).toBe(422)
  })
})

describe('log records', () => {
  test('that become nothing are counted, with the reason', async () => {
    const project_id = newProject()
    const event = testLog('gen_ai.user.message', { content: 'Hi' })
    const records = [event, testLog('http.request', 'x'), { ...event, traceId: '', spanId: '' }]
    const response = await send(project_id, encodeLogs(records, 'protobuf'), { path: '/v1/logs' })
    expect(response.status).toBe(200)
    const expected = /^1: .*not an event of the GenAI conventions.*; 1: .*no trace id and span id/
    expect(LogsResponse.decode(response.body).partialSuccess).toMatchObject({
      rejectedLogRecords: { low: 2 },
      errorMessage: expect.stringMatching(expected) as unknown,
    })
    const json = await send(project_id, encodeLogs(records, 'json'), {
      path: '/v1/logs',
      type: 'application/json',
    })
    expect(JSON.parse(json.body.toString())).toMatchObject({ partialSuccess: { rejectedLogRecords: '2' } })
    const { text } = await server.send('/metrics')
    expect(text).toMatch(/heddle_otlp_discarded_total\{operation="otlp_logs"\} 4/)
  })
})

describe('metrics', () => {
  // One metric with a gauge of two data points.
  const METRICS = Buffer.from('0a0a120812062a040a000a00', 'hex')
  const NOT_KEPT = expect.stringMatching(
    /^2: Heddle keeps no metrics; set OTEL_METRICS_EXPORTER=none/,
  ) as unknown

  test('are accepted and not kept, and the response says so', async () => {
    const project_id = newProject()
    for (const path of ['/v1/metrics', '/otel/v1/metrics']) {
      const response = await send(project_id, METRICS, { path })
      expect([response.status, response.type]).toEqual([200, PROTOBUF])
      expect(TraceResponse.decode(response.body).partialSuccess).toMatchObject({
        rejectedSpans: { low: 2 },
        errorMessage: NOT_KEPT,
      })
    }
    const metrics = [{ gauge: { dataPoints: [{}, {}] } }]
    const body = JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })
    const json = await send(undefined, body, { path: '/v1/metrics', type: 'application/json' })
    expect(JSON.parse(json.body.toString())).toEqual({
      partialSuccess: { rejectedDataPoints: '2', errorMessage: NOT_KEPT },
    })
    const { text } = await server.send('/metrics')
    expect(text).toMatch(/heddle_otlp_discarded_total\{operation="otlp_metrics"\} 6/)
  })

  test('are limited like spans', async () => {
    const sent = (project_id: string | undefined, body: Buffer, options: SendOptions = {}) =>
      send(project_id, body, { path: '/v1/metrics', ...options }).then((response) => response.status)
    const authorization = await server.user('metrics-writer')
    expect(await sent(newProject(), METRICS, { authorization: 'Bearer wrong' })).toBe(401)
    expect(await sent('acme/otlp-of-others', METRICS, { authorization })).toBe(403)
    expect(await sent(undefined, METRICS, { authorization })).toBe(200)
    expect(await sent(newProject(), METRICS.subarray(1))).toBe(400)
    expect(await sent(newProject(), Buffer.alloc(4 * 1024 * 1024))).toBe(413)
  })
})

describe('spans', () => {
  test('a malformed span is rejected alone', async () => {
    const project_id = newProject()
    const spans = [makeSpan(), makeSpan({ spanId: '0'.repeat(16) })]
    const response = await send(project_id, encodeTraces(spans, 'json'), { type: 'application/json' })
    expect(JSON.parse(response.body.toString())).toEqual({
      partialSuccess: { rejectedSpans: '1', errorMessage: '1: span_id must be 8 bytes, not all zero' },
    })
    expect(await calls(project_id)).toHaveLength(1)
  })

  test('an export that is sent again changes nothing', async () => {
    const project_id = newProject()
    const body = encodeTraces([makeSpan(), makeSpan()], 'protobuf')
    await send(project_id, body)
    const before = await calls(project_id)
    for (let i = 0; i < 3; i++) expect((await send(project_id, body)).status).toBe(200)
    expect(await calls(project_id)).toEqual(before)
  })

  test('a span without an end is a running call, until its end arrives', async () => {
    const project_id = newProject()
    const span = makeSpan()
    await send(project_id, encodeTraces([{ ...span, endNanos: 0n }], 'protobuf'))
    expect(await calls(project_id)).toMatchObject([{ ended_at: null }])
    await send(project_id, encodeTraces([span], 'protobuf'))
    expect(await calls(project_id)).toMatchObject([{ ended_at: expect.any(String) as unknown }])
  })

  test('equal span ids in two traces are two calls', async () => {
    const project_id = newProject()
    const { spanId } = newSpanIds()
    await send(project_id, encodeTraces([makeSpan({ spanId }), makeSpan({ spanId })], 'protobuf'))
    expect(await calls(project_id)).toHaveLength(2)
  })

  test('a value of 10,000 levels and one of 2 MB do no harm', async () => {
    const project_id = newProject()
    const { traceId, spanId } = newSpanIds()
    const deep = `${'{"arrayValue":{"values":['.repeat(10_000)}${']}}'.repeat(10_000)}`
    const text = JSON.stringify('x'.repeat(2 * 1024 * 1024))
    const attributes = `[{"key":"deep","value":${deep}},{"key":"large","value":{"stringValue":${text}}}]`
    const body = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"${traceId}","spanId":"${spanId}","name":"a","attributes":${attributes}}]}]}]}`
    expect(decodeTraces(Buffer.from(body), 'json').spans).toHaveLength(1)
    const response = await send(project_id, body, { type: 'application/json' })
    expect([response.status, response.body.toString()]).toEqual([200, '{}'])
    expect(await calls(project_id)).toHaveLength(1)
  })

  test('an empty export is accepted', async () => {
    expect((await send(newProject(), Buffer.alloc(0))).status).toBe(200)
    expect((await send(newProject(), '{}', { type: 'application/json' })).status).toBe(200)
  })
})

describe('browsers', () => {
  const REQUESTED = 'authorization,content-type,project-id'
  const preflight = (to: TestServer, path: string, origin: string, requested = REQUESTED) =>
    fetch(to.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': requested,
      },
    })
  const corsHeaders = ({ headers }: Response) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

  test('may export from allowed origins only, and without cookies', async () => {
    for (const path of ['/v1/traces', '/otel/v1/logs', '/traces/otel/v1/metrics']) {
      const allowed = await preflight(withCors, path, APP)
      expect([allowed.status, allowed.headers.get('vary'), corsHeaders(allowed)]).toEqual([
        204,
        'Origin',
        {
          'access-control-allow-origin': APP,
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': REQUESTED,
          'access-control-max-age': '7200',
        },
      ])
      for (const origin of ['https://evil.example', `${APP}.evil.example`, 'null'])
        expect(corsHeaders(await preflight(withCors, path, origin))).toEqual({})
    }
  })

  test('may not send the header of the web UI, with which the session cookie counts', async () => {
    const response = await preflight(withCors, '/v1/traces', APP, 'content-type,X-Heddle-Web')
    expect(corsHeaders(response)).not.toHaveProperty('access-control-allow-headers')
    expect(corsHeaders(response)).not.toHaveProperty('access-control-allow-credentials')
  })

  test('can read the response, and that of a refused export', async () => {
    for (const [authorization, status] of [
      [withCors.authorization, 200],
      ['Bearer wrong', 401],
    ] as const) {
      const response = await fetch(`${withCors.url}/v1/traces`, {
        method: 'POST',
        headers: {
          origin: APP,
          authorization,
          'content-type': 'application/json',
          'project-id': newProject(),
        },
        body: '{}',
      })
      expect([response.status, corsHeaders(response)]).toEqual([
        status,
        { 'access-control-allow-origin': APP, 'access-control-expose-headers': 'retry-after, x-request-id' },
      ])
    }
  })

  test('may do nothing else, and nothing without the setting', async () => {
    for (const path of ['/calls/query', '/api/v1/session', '/graphql', '/'])
      expect(corsHeaders(await preflight(withCors, path, APP))).toEqual({})
    expect(corsHeaders(await preflight(server, '/v1/traces', APP))).toEqual({})
  })
})
