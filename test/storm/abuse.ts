import http2 from 'node:http2'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What abusive clients do, over HTTP and gRPC. Each function is one attempt, and ends within seconds. */
interface Target {
  readonly url: string
  readonly grpcUrl: string
}

export interface User {
  readonly name: string
  readonly authorization: string
}

type Abuse = (target: Target, user: User) => Promise<void>

const KIB = 1024

function request(
  method: string,
  path: string,
  authorization: string,
  body = '',
  length = body.length,
): string {
  const credentials = authorization === '' ? '' : `authorization: ${authorization}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: x\r\n${credentials}content-length: ${length}\r\n\r\n${body}`
}

async function withSocket({ url }: Target, use: (socket: Socket) => Promise<void>): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  try {
    await use(socket)
  } finally {
    socket.destroy()
  }
}

const read = ({ name, authorization }: User): string =>
  request('POST', '/call/read', authorization, JSON.stringify({ project_id: `${name}/storm`, id: 'x' }))

const write = ({ name, authorization }: User, bytes: number, length?: number): string => {
  const start = { project_id: `${name}/storm`, op_name: 'storm', inputs: { text: 'x'.repeat(bytes) } }
  return request('POST', '/call/start', authorization, JSON.stringify({ start }), length)
}

/** Sends the bytes and closes the connection without reading. */
const dropped =
  (bytes: (user: User) => string, afterMs: number): Abuse =>
  (target, user) =>
    withSocket(target, async (socket) => {
      socket.write(bytes(user))
      await sleep(afterMs)
    })

/** Sends the bytes in small pieces. */
const slow: Abuse = (target, user) =>
  withSocket(target, async (socket) => {
    const bytes = write(user, 2 * KIB)
    for (let at = 0; at < bytes.length && !socket.destroyed; at += 100) {
      socket.write(bytes.slice(at, at + 100))
      await sleep(50)
    }
    await sleep(100)
  })

/** Reads a response slowly, and not to its end. */
const slowReader: Abuse = (target, { name, authorization }) =>
  withSocket(target, async (socket) => {
    socket.pause()
    socket.write(request('GET', `/api/v1/projects/${name}/storm/export?what=calls`, authorization))
    await sleep(1_500)
  })

const live: Abuse = (target, { name, authorization }) =>
  withSocket(target, async (socket) => {
    socket.write(request('GET', `/api/v1/projects/${name}/storm/live`, authorization).repeat(3))
    socket.resume()
    await sleep(700)
  })

const TRACES = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'

/** A session with this many streams that each announce a message, send a part of it, and are then ended in some way. */
const grpc =
  (streams: number, end: (stream: http2.ClientHttp2Stream) => void): Abuse =>
  async ({ grpcUrl }, { name, authorization }) => {
    const session = http2.connect(grpcUrl)
    session.on('error', () => {})
    for (let n = 0; n < streams && !session.destroyed; n++) {
      const stream = session.request({
        ':method': 'POST',
        ':path': TRACES,
        'content-type': 'application/grpc',
        te: 'trailers',
        project_id: `${name}/storm`,
        ...(authorization === '' ? {} : { authorization }),
      })
      stream.on('error', () => {})
      stream.write(Buffer.concat([Buffer.from([0, 0, 1, 0, 0]), Buffer.alloc(4 * KIB)]))
      end(stream)
    }
    await sleep(200)
    session.destroy()
  }

const cancel = (stream: http2.ClientHttp2Stream): void => stream.close(http2.constants.NGHTTP2_CANCEL)

const stranger =
  (abuse: Abuse): Abuse =>
  (target, user) =>
    abuse(target, { ...user, authorization: '' })

export const ABUSES: Readonly<Record<string, Abuse>> = {
  'dropped pipelines': dropped((user) => read(user).repeat(200), 60),
  'dropped reads': dropped(read, 5),
  'dropped writes': dropped((user) => write(user, 20 * KIB), 10),
  'dropped large writes': dropped((user) => write(user, 900 * KIB), 50),
  'half a body': dropped((user) => write(user, 8 * KIB, 50 * KIB), 300),
  'half a large body': dropped((user) => write(user, 200 * KIB, 60 * KIB * KIB), 300),
  'too large': dropped((user) => write(user, 1, 100 * KIB * KIB), 100),
  'pipelines without credentials': stranger(dropped((user) => read(user).repeat(500), 300)),
  'slow body': slow,
  'slow reader': slowReader,
  'live streams': live,
  'cancelled gRPC streams': grpc(60, cancel),
  'half-sent gRPC streams': grpc(60, () => {}),
  'gRPC streams without credentials': stranger(grpc(150, () => {})),
  'gRPC resets without credentials': stranger(grpc(500, cancel)),
}
