import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodeTraces } from '../../src/otlp/wire/decode.ts'
import { TraceResponse } from '../../src/otlp/wire/messages.ts'
import type { Call } from '../../src/contract/calls/calls.ts'
import { apiKeyIn, parseJsonLines, projectNames, useServer } from '../harness.ts'
import { encodeTraces } from '../otlp/encode.ts'
import { makeSpan, newSpanIds } from '../otlp/make-span.ts'

/** OTLP/HTTP on a real server. */

const server = useServer({ bodyLimitBytes: 3 * 1024 * 1024 })
const newProject = projectNames('acme/otlp')

const PROTOBUF = 'application/x-protobuf'

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

  test('a header that names no project gets 422', async () => {
    const response = await send('a/b/c', encodeTraces([makeSpan()], 'json'), { type: 'application/json' })
    expect(response.status).toBe(422)
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
