import { once } from 'node:events'
import http2 from 'node:http2'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { useServer } from '../harness.ts'
import { waitUntil } from '../wait-until.ts'

/** Connections that send many requests at once, or end before their responses. */

const server = useServer({ otlpGrpcPort: 0 })

async function open(bytes: string): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

function post(path: string, body: unknown, authorization?: string): string {
  const text = JSON.stringify(body)
  const credentials = authorization === undefined ? '' : `authorization: ${authorization}\r\n`
  return `POST ${path} HTTP/1.1\r\nhost: x\r\n${credentials}content-length: ${text.length}\r\n\r\n${text}`
}

/** Every lease that a request may hold, by kind. */
async function leases(): Promise<Record<string, number>> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Object.fromEntries(
    [...text.matchAll(/^heddle_leases\{kind="(\w+)"\} (\d+)$/gm)].map(([, kind = '', n]) => [
      kind,
      Number(n),
    ]),
  )
}

/** The request for the metrics is itself in progress. */
const nothingHeld = async (): Promise<boolean> => {
  const { requests, ...others } = await leases()
  return requests === 1 && Object.values(others).every((count) => count === 0)
}

describe('a connection that is closed before its responses', () => {
  test('pipelined reads release what they hold, and the user is served', async () => {
    const authorization = await server.user('dropper')
    const read = post('/call/read', { project_id: 'dropper/p', id: 'x' }, authorization)
    for (let round = 0; round < 3; round++) {
      const sockets = await Promise.all(Array.from({ length: 10 }, () => open(read.repeat(300))))
      await sleep(60)
      for (const socket of sockets) socket.destroy()
    }
    await waitUntil(nothingHeld, 10_000)
    const { status } = await server.as(authorization)('/calls/query_stats', { project_id: 'dropper/p' })
    expect(status).toBe(200)
  })

  test('reads, writes, live streams, exports and half-sent bodies release what they hold', async () => {
    const project_id = 'acme/dropped'
    await server.post('/call/start', { start: { project_id, id: 'x', op_name: 'o' } })
    const { authorization } = server
    const get = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`
    const kinds = [
      get(`/api/v1/projects/${project_id}/live`),
      get(`/api/v1/projects/${project_id}/export?what=calls`),
      post('/calls/stream_query', { project_id }, authorization),
      post(
        '/call/start',
        { start: { project_id, op_name: 'o', inputs: 'x'.repeat(100_000) } },
        authorization,
      ),
      post('/call/start', { start: { project_id, op_name: 'o' } }, authorization).slice(0, -5),
      `POST /call/start HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-length: 900000\r\n\r\n{`,
      post(
        `/api/v1/projects/${project_id}/sql`,
        { query: 'SELECT sleepEachRow(1) FROM numbers(3)' },
        authorization,
      ),
    ]
    for (const waitMs of [0, 10, 100]) {
      const sockets = await Promise.all(kinds.flatMap((kind) => [open(kind), open(kind.repeat(40))]))
      await sleep(waitMs)
      for (const socket of sockets) socket.destroy()
    }
    await waitUntil(nothingHeld, 20_000)
    expect((await server.send('/readyz')).status).toBe(200)
  })
})

describe('a connection without credentials', () => {
  test('a thousand pipelined requests are rejected in order, and others are served at the same time', async () => {
    const socket = await open('')
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    socket.write(post('/call/read', {}).repeat(1_000))
    const { status } = await server.send('/calls/query_stats', { project_id: 'acme/p' })
    expect(status).toBe(200)
    await waitUntil(() => text.split('HTTP/1.1 401').length === 1_001, 20_000)
    socket.destroy()
  })
})

const TRACES = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'

async function connectGrpc(): Promise<http2.ClientHttp2Session> {
  const session = http2.connect(server.heddle.grpcUrl ?? '')
  session.on('error', () => {})
  await once(session, 'remoteSettings')
  return session
}

function openStream(session: http2.ClientHttp2Session, headers: Record<string, string> = {}) {
  const stream = session.request({
    ':method': 'POST',
    ':path': TRACES,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  })
  return stream.on('error', () => {})
}

describe('a connection of OTLP/gRPC', () => {
  test('announces how many streams may be open', async () => {
    const session = await connectGrpc()
    expect(session.remoteSettings.maxConcurrentStreams).toBe(100)
    session.close()
  })

  test('is closed when it opens many streams without credentials', async () => {
    const session = await connectGrpc()
    const code = new Promise((resolve) => session.once('goaway', resolve))
    const closed = new Promise<void>((resolve) => session.once('close', resolve))
    const statuses: string[] = []
    for (let n = 0; n < 300 && !session.destroyed; n++) {
      const stream = openStream(session)
      stream.on('response', (headers) => statuses.push(String(headers['grpc-status'])))
      await new Promise((resolve) => stream.once('close', resolve))
    }
    expect(await code).toBe(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM)
    await closed
    expect([statuses.length, new Set(statuses)]).toEqual([200, new Set(['16'])])
  })

  test.each([{}, { authorization: 'valid' }])(
    'is closed when it cancels as fast as it opens: %o',
    async (given) => {
      const headers = 'authorization' in given ? { authorization: server.authorization } : {}
      const session = await connectGrpc()
      const closed = new Promise<void>((resolve) => session.once('close', resolve))
      for (let round = 0; round < 100 && !session.destroyed; round++) {
        for (let n = 0; n < 50; n++) openStream(session, headers).close(http2.constants.NGHTTP2_CANCEL)
        await sleep(5)
      }
      await closed
      await waitUntil(nothingHeld, 10_000)
    },
  )

  test('streams that are cancelled, half-sent or cut off release what they hold', async () => {
    const headers = { authorization: server.authorization, project_id: 'acme/p' }
    const session = await connectGrpc()
    for (let n = 0; n < 50; n++) {
      const stream = openStream(session, headers)
      stream.write(Buffer.concat([Buffer.from([0, 0, 1, 0, 0]), Buffer.alloc(1_000 * n)]))
      if (n % 2 === 0) stream.close(http2.constants.NGHTTP2_CANCEL)
    }
    await sleep(100)
    session.destroy()
    await waitUntil(nothingHeld, 10_000)
  })
})
