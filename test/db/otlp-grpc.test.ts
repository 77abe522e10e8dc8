import http2 from 'node:http2'
import net from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import grpc from '@grpc/grpc-js'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { startHeddle } from '../../src/app/heddle.ts'
import type { Call } from '../../src/contract/calls/calls.ts'
import { TraceResponse } from '../../src/otlp/wire/messages.ts'
import {
  apiKeyIn,
  parseJsonLines,
  projectNames,
  type TestServer,
  testSettings,
  useServer,
} from '../harness.ts'
import { encodeTraces } from '../otlp/encode.ts'
import { makeSpan } from '../otlp/make-span.ts'

/** OTLP/gRPC on a real server. */

const LIMIT_BYTES = 3 * 1024 * 1024
const server = useServer({ otlpGrpcPort: 0, bodyLimitBytes: LIMIT_BYTES })
const newProject = projectNames('acme/otlp-grpc')

const TRACES = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'
const METRICS = '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export'
const LOGS = '/opentelemetry.proto.collector.logs.v1.LogsService/Export'

const clients = new Map<string, grpc.Client>()
afterAll(() => clients.forEach((client) => client.close()))

function clientOf({ heddle }: TestServer, compression?: grpc.compressionAlgorithms): grpc.Client {
  const url = heddle.grpcUrl ?? ''
  const key = `${url} ${compression}`
  const client =
    clients.get(key) ??
    new grpc.Client(url.replace('http://', ''), grpc.credentials.createInsecure(), {
      'grpc.max_send_message_length': -1,
      ...(compression === undefined ? {} : { 'grpc.default_compression_algorithm': compression }),
    })
  clients.set(key, client)
  return client
}

interface Options {
  readonly to?: TestServer
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly compression?: grpc.compressionAlgorithms
}

async function send(
  project_id: string | undefined,
  body: Buffer,
  {
    to = server,
    path = TRACES,
    headers = { authorization: server.authorization },
    compression,
  }: Options = {},
): Promise<Buffer> {
  const metadata = new grpc.Metadata()
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  if (project_id !== undefined) metadata.set('project_id', project_id)
  const asBytes = (bytes: Buffer): Buffer => bytes
  return new Promise((resolve, reject) => {
    clientOf(to, compression).makeUnaryRequest(path, asBytes, asBytes, body, metadata, (error, response) =>
      error === null ? resolve(response!) : reject(error),
    )
  })
}

async function calls(project_id: string, from: TestServer = server): Promise<Call[]> {
  const { text } = await from.send('/calls/stream_query', { project_id })
  return parseJsonLines<Call>(text)
}

const { status } = grpc

describe('exports', () => {
  test('spans become calls', async () => {
    const project_id = newProject()
    const span = makeSpan()
    expect(await send(project_id, encodeTraces([span], 'protobuf'))).toHaveLength(0)
    expect(await calls(project_id)).toMatchObject([{ trace_id: span.traceId, wb_user_id: 'admin' }])
  })

  test('the project may be named in a header without an underscore, percent-encoded', async () => {
    const project_id = newProject()
    const { authorization } = server
    for (const name of [project_id, encodeURIComponent(project_id)])
      await send(undefined, encodeTraces([makeSpan()], 'protobuf'), {
        headers: { authorization, 'project-id': name },
      })
    expect(await calls(project_id)).toHaveLength(2)
  })

  test('spans of no named project are stored, and the response says where', async () => {
    const resource = { attributes: new Map([['service.name', 'grpc-shop']]), schemaUrl: '' }
    const response = await send(undefined, encodeTraces([makeSpan({ resource })], 'protobuf'))
    expect(TraceResponse.decode(response).partialSuccess).toMatchObject({
      errorMessage: expect.stringMatching(/stored in admin\/grpc-shop; set the header project-id/) as unknown,
    })
    expect(await calls('admin/grpc-shop')).toHaveLength(1)
  })

  test('an export of logs is accepted', async () => {
    expect(await send(newProject(), Buffer.alloc(0), { path: LOGS })).toHaveLength(0)
  })

  test('metrics are accepted and not kept, and the response says so', async () => {
    expect(await send(newProject(), Buffer.alloc(0), { path: METRICS })).toHaveLength(0)
    // One metric with a gauge of two data points.
    const body = Buffer.from('0a0a120812062a040a000a00', 'hex')
    const response = TraceResponse.decode(await send(newProject(), body, { path: METRICS }))
    expect(response.partialSuccess).toMatchObject({
      rejectedSpans: { low: 2 },
      errorMessage: expect.stringMatching(/OTEL_METRICS_EXPORTER=none/) as unknown,
    })
    const cut = send(newProject(), body.subarray(1), { path: METRICS })
    await expect(cut).rejects.toMatchObject({ code: status.INVALID_ARGUMENT })
    const anonymous = send(newProject(), body, { path: METRICS, headers: {} })
    await expect(anonymous).rejects.toMatchObject({ code: status.UNAUTHENTICATED })
  })

  test('messages may be compressed with gzip', async () => {
    const project_id = newProject()
    const body = encodeTraces([makeSpan()], 'protobuf')
    await send(project_id, body, { compression: grpc.compressionAlgorithms.gzip })
    expect(await calls(project_id)).toHaveLength(1)
  })

  test('a span that cannot be stored is reported', async () => {
    const project_id = newProject()
    const spans = [makeSpan(), makeSpan({ traceId: '0'.repeat(32) })]
    const response = TraceResponse.decode(await send(project_id, encodeTraces(spans, 'protobuf')))
    expect(response.partialSuccess).toMatchObject({ rejectedSpans: { low: 1 } })
    expect(await calls(project_id)).toHaveLength(1)
  })

  test('an API key may be a bearer token or in a header of its own', async () => {
    const project_id = newProject()
    const key = apiKeyIn(server.authorization)
    for (const headers of [{ authorization: `Bearer ${key}` }, { 'wandb-api-key': key }] as const)
      await send(project_id, encodeTraces([makeSpan()], 'protobuf'), { headers })
    expect(await calls(project_id)).toHaveLength(2)
  })

  test('requests are counted', async () => {
    await send(newProject(), Buffer.alloc(0))
    const { text } = await server.send('/metrics')
    expect(text).toMatch(/heddle_http_requests_total\{operation="otlp_traces_grpc",status="200"\} [1-9]/)
  })
})

describe('errors', () => {
  test('credentials are required', async () => {
    const failed = send(newProject(), Buffer.alloc(0), { headers: {} })
    await expect(failed).rejects.toMatchObject({ code: status.UNAUTHENTICATED })
  })

  test('a project of others is forbidden', async () => {
    const authorization = await server.user('grpc-outsider')
    const failed = send(newProject(), encodeTraces([makeSpan()], 'protobuf'), { headers: { authorization } })
    await expect(failed).rejects.toMatchObject({ code: status.PERMISSION_DENIED })
  })

  test('a message that is not OTLP is invalid', async () => {
    const failed = send(newProject(), Buffer.from('not a message'))
    await expect(failed).rejects.toMatchObject({ code: status.INVALID_ARGUMENT })
  })

  test('a message that is too large is rejected, compressed or not', async () => {
    const large = Buffer.alloc(LIMIT_BYTES + 1)
    await expect(send(newProject(), large)).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED })
    const bomb = send(newProject(), large, { compression: grpc.compressionAlgorithms.gzip })
    // The limit of our own decoder, which counts memory, and not of the library.
    await expect(bomb).rejects.toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
      details: expect.stringMatching(/decodes to more than/) as unknown,
    })
    await send(newProject(), encodeTraces([makeSpan()], 'protobuf'))
  })

  test('unknown methods are not implemented', async () => {
    const failed = send(newProject(), Buffer.alloc(0), {
      path: TRACES.replace('trace.v1.Trace', 'profiles.v1development.Profiles'),
    })
    await expect(failed).rejects.toMatchObject({ code: status.UNIMPLEMENTED })
  })
})

test('a message counts against the memory budget while it arrives', async () => {
  const session = http2.connect(server.heddle.grpcUrl ?? '')
  const stream = session.request({
    ':method': 'POST',
    ':path': TRACES,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: server.authorization,
  })
  const sent = 50_000
  const prefix = Buffer.from([0, 0, 1, 0, 0])
  stream.write(Buffer.concat([prefix, Buffer.alloc(sent)]))
  const held = async (): Promise<number> => {
    const { text } = await server.send('/metrics')
    return Number(/^heddle_http_in_flight_bytes (\d+)/m.exec(text)?.[1])
  }
  for (let i = 0; i < 100 && (await held()) < sent; i++) await sleep(50)
  expect(await held()).toBeGreaterThanOrEqual(sent)
  stream.close(http2.constants.NGHTTP2_CANCEL)
  for (let i = 0; i < 100 && (await held()) > 0; i++) await sleep(50)
  expect(await held()).toBe(0)
  session.close()
})

describe('quotas', () => {
  const limited = useServer({ otlpGrpcPort: 0, quotaKeyCallsPerSecond: 1, quotaBurstSeconds: 1 })

  test('an export beyond the quota says when to send it again', async () => {
    const body = encodeTraces([makeSpan(), makeSpan(), makeSpan()], 'protobuf')
    const attempts = async (): Promise<void> => {
      for (let i = 0; i < 3; i++) await send('acme/limited', body, { to: limited })
    }
    const error = (await attempts().catch((error: unknown) => error)) as grpc.ServiceError
    expect(error.code).toBe(status.RESOURCE_EXHAUSTED)
    const [details] = error.metadata.get('grpc-status-details-bin')
    expect(String(details)).toContain('google.rpc.RetryInfo')
  })
})

describe('large exports', () => {
  const threaded = useServer({ otlpGrpcPort: 0 }, { hasLargeRequestThread: true })

  test('are stored by the thread for large requests', async () => {
    const spans = [makeSpan({ attributes: new Map([['text', 'x'.repeat(1_000_000)]]) }), makeSpan()]
    // Decoded once on its way to the thread.
    await send('acme/large%2525', encodeTraces(spans, 'protobuf'), { to: threaded })
    expect(await calls('acme/large%25', threaded)).toHaveLength(2)
    const { text } = await threaded.send('/metrics')
    expect(text).toMatch(/heddle_http_large_requests_total\{operation="otlp_traces_grpc"\} 1/)
    const invalid = send('acme/large', Buffer.alloc(500_000, 0xff), { to: threaded })
    await expect(invalid).rejects.toMatchObject({ code: status.INVALID_ARGUMENT })
  })
})

describe('a port that is taken', () => {
  const log = pino({ level: 'silent' })

  test('is an error if it was set, and else OTLP/gRPC is left out', { timeout: 60_000 }, async () => {
    const other = net.createServer().listen(4317, '127.0.0.1')
    // If another program has it, the test needs no own one.
    await Promise.race([once(other, 'listening'), once(other, 'error')])
    const settings = testSettings()
    try {
      await expect(startHeddle({ ...settings, otlpGrpcPort: 4317 }, log)).rejects.toThrow(/EADDRINUSE/)
      const heddle = await startHeddle({ ...settings, otlpGrpcPort: 'auto' }, log)
      expect(heddle.grpcUrl).toBe(undefined)
      await heddle.deps.db.ddl(`DROP DATABASE IF EXISTS ${settings.clickhouseDatabase}`)
      await heddle.stop()
    } finally {
      other.close()
    }
  })
})
