import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { startTestServer, useServer } from '../harness.ts'
import { waitUntil } from '../wait-until.ts'

/** Size limits and memory of request bodies: what one caller announces or sends must not affect others. */

const KIB = 1024
const MIB = 1024 * KIB
const server = useServer()
const project_id = 'acme/bodies'

interface RawRequest {
  readonly url: string
  readonly path: string
  readonly authorization?: string
  /** The announced length. */
  readonly length: number
  /** What is sent of it at first. */
  readonly sent: string | Buffer
}

/** Sends a part of a request. */
async function announce({ url, path, authorization, length, sent }: RawRequest): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const credentials = authorization === undefined ? '' : `authorization: ${authorization}\r\n`
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${credentials}content-length: ${length}\r\n\r\n`)
  socket.write(sent)
  return socket
}

/** The status of the response on a socket. */
async function statusOf(socket: Socket): Promise<number> {
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return Number(/^HTTP\/1.1 (\d+)/.exec(chunk.toString())?.[1])
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^heddle_http_${name} (\\d+)$`, 'm').exec(text)?.[1])
}

const quickBrotli = (data: Buffer): Buffer =>
  brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

describe('without credentials', () => {
  test('a body is limited to 16 KiB: announced, sent, chunked or decoded', async () => {
    const path = '/api/v1/session'
    const announced = await announce({ url: server.url, path, length: 64 * MIB, sent: '{' })
    expect(await statusOf(announced)).toBe(413)
    const send = async (body: Buffer, headers: Record<string, string> = {}): Promise<number> =>
      (await server.as('')(path, body, { headers })).status
    expect(await send(Buffer.alloc(16 * KIB, ' '))).toBe(400)
    expect(await send(Buffer.alloc(16 * KIB + 1, ' '))).toBe(413)
    expect(await send(gzipSync(Buffer.alloc(8 * MIB)), { 'content-encoding': 'gzip' })).toBe(413)
    expect(await send(quickBrotli(Buffer.alloc(8 * MIB)), { 'content-encoding': 'br' })).toBe(413)
    const chunked = await server.as('')(path, undefined, {
      method: 'POST',
      body: new Blob([' '.repeat(20 * KIB)]).stream(),
      duplex: 'half',
    })
    expect(chunked.status).toBe(413)
  })

  test('unfinished bodies take no memory from others', async () => {
    const small = await startTestServer({ inFlightLimitBytes: 256 * KIB, memoryWaitMs: 200 })
    try {
      const path = '/api/v1/session'
      const open = () => announce({ url: small.url, path, length: 16 * KIB, sent: '{' })
      const sockets = await Promise.all(Array.from({ length: 50 }, open))
      expect((await small.send('/call/read', { project_id, id: 'x' })).status).toBe(200)
      expect(await metric(small.url, 'in_flight_bytes')).toBe(0)
      for (const socket of sockets) socket.destroy()
    } finally {
      await small.stop()
    }
  })
})

test('queries are limited to 8 MiB', async () => {
  const body = JSON.stringify({ project_id, id: 'x', padding: 'x'.repeat(8 * MIB) })
  expect((await server.send('/call/read', body)).status).toBe(413)
})

test('bodies that are announced and not sent delay nobody', async () => {
  const authorization = await server.user('announcer', { [project_id]: 'write' })
  const request = { url: server.url, path: '/call/start', authorization, length: 60 * MIB, sent: '{' }
  const sockets = await Promise.all(Array.from({ length: 20 }, () => announce(request)))
  await waitUntil(async () => (await metric(server.url, 'in_flight_bytes')) === 20, 5_000)
  expect((await server.send('/call/read', { project_id, id: 'x' })).status).toBe(200)
  expect((await server.as(authorization)('/call/read', { project_id, id: 'x' })).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await waitUntil(async () => (await metric(server.url, 'in_flight_bytes')) === 0, 5_000)
})

test('many half-sent bodies, more than fit into memory together, are all completed', async () => {
  const small = await startTestServer({ inFlightLimitBytes: MIB, memoryWaitMs: 20_000 })
  try {
    const users = await Promise.all(['ann', 'bob', 'eve'].map((name) => small.user(name)))
    const body = JSON.stringify({ padding: 'x'.repeat(600 * KIB) })
    const halves = [body.slice(0, 350 * KIB), body.slice(350 * KIB)] as const
    const length = body.length
    const sockets = await Promise.all(
      users.map((authorization) =>
        announce({ url: small.url, path: '/call/read', authorization, length, sent: halves[0] }),
      ),
    )
    await waitUntil(async () => (await metric(small.url, 'in_flight_bytes')) > 900 * KIB, 5_000)
    for (const socket of sockets) socket.write(halves[1])
    // 422: read completely, and without a project.
    expect(await Promise.all(sockets.map(statusOf))).toEqual([422, 422, 422])
  } finally {
    await small.stop()
  }
})

describe('compressed bodies', () => {
  const start = (inputs: object): Buffer =>
    Buffer.from(JSON.stringify({ start: { project_id, op_name: 'large', inputs } }))

  test('a body of 60 MiB is accepted plain and compressed', async () => {
    const body = start({ text: 'A'.repeat(60 * MIB) })
    expect((await server.send('/call/start', body)).status).toBe(200)
    const headers = { 'content-encoding': 'gzip' }
    expect((await server.send('/call/start', gzipSync(body, { level: 1 }), { headers })).status).toBe(200)
  })

  test('a bomb is rejected for good, also while there is no memory', async () => {
    const small = await startTestServer({ inFlightLimitBytes: 2 * MIB, memoryWaitMs: 2_000 })
    // Holds the share of its caller, and exceeds it.
    const holder = await announce({
      url: small.url,
      path: '/call/read',
      authorization: await small.user('eve'),
      length: 4 * MIB,
      sent: ' '.repeat(3 * MIB),
    })
    try {
      await waitUntil(async () => (await metric(small.url, 'in_flight_bytes')) === 3 * MIB, 5_000)
      const headers = { 'content-encoding': 'gzip' }
      const send = async (body: Buffer): Promise<number> =>
        (await small.send('/call/start', gzipSync(body), { headers })).status
      expect(await send(Buffer.alloc(80 * MIB, ' '))).toBe(413)
      // A body that is not a bomb waits, and the request that sends nothing gives way to it.
      const held = statusOf(holder)
      expect(await send(start({ text: 'A'.repeat(2 * MIB) }))).toBe(200)
      expect(await held).toBe(503)
    } finally {
      holder.destroy()
      await small.stop()
    }
  })
})
