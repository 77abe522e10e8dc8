import http2 from 'node:http2'
import { createServer, type Server, type Socket } from 'node:net'
import grpc from '@grpc/grpc-js'
import { TokenBucket } from '../../core/concurrency/token-bucket.ts'
import {
  CANCELLED_STREAMS,
  MAX_CONCURRENT_STREAMS,
  MAX_INVALID_FRAMES,
  MAX_UNAUTHENTICATED_PER_TICK,
  MAX_UNAUTHENTICATED_STREAMS,
} from '../limits.ts'
import type { UnauthenticatedLimits } from '../unauthenticated.ts'

/**
 * The connections of OTLP/gRPC, each a session of HTTP/2, and their limits. grpc-js has an option for one of them, so this
 * uses two private members of its server; the tests notice when a new version lacks them.
 */
interface ServerInternals {
  readonly commonServerOptions: http2.ServerOptions
  readonly http2Servers: ReadonlyMap<http2.Http2Server, unknown>
}

/** Options for a server whose sessions are limited. */
export const SESSION_OPTIONS = { 'grpc.max_concurrent_streams': MAX_CONCURRENT_STREAMS }

/** Returns the server that accepts connections for `server`. */
export function acceptSessions(server: grpc.Server, unauthenticated: UnauthenticatedLimits): Server {
  const { commonServerOptions, http2Servers } = server as unknown as ServerInternals
  Object.assign(commonServerOptions, {
    maxSessionInvalidFrames: MAX_INVALID_FRAMES,
    // Node counts streams beyond the limit that was announced, and ends the session.
    maxSessionRejectedStreams: MAX_CONCURRENT_STREAMS,
  })
  const injector = server.createConnectionInjector(grpc.ServerCredentials.createInsecure())
  for (const http2Server of http2Servers.keys()) limitStreams(http2Server, unauthenticated)
  return createServer((socket: Socket) => {
    const inject = (): void => {
      if (!socket.destroyed) injector.injectConnection(socket)
    }
    // A session reads 64 KiB at once, which can open hundreds of streams: sessions begin in ticks of their own.
    const turn = unauthenticated.turn(socket, socket.remoteAddress ?? '', MAX_UNAUTHENTICATED_PER_TICK)
    if (turn === undefined) return inject()
    socket.on('error', () => {})
    void turn.then(inject)
  })
}

/** Ends sessions that open streams without ever being authenticated, or cancel streams as fast as they open them. */
function limitStreams(server: http2.Http2Server, unauthenticated: UnauthenticatedLimits): void {
  const sessions = new WeakMap<http2.Http2Session, SessionState>()
  const serve = server.listeners('stream') as StreamListener[]
  server.removeAllListeners('stream')
  server.on('stream', (stream, ...details) => {
    const { session } = stream
    // The session may end with one; without a listener, it would end the process.
    stream.on('error', () => {})
    // It was opened and cancelled in one read, or its session has ended: a response would throw.
    if (session === undefined || stream.destroyed || stream.closed) return
    const state = sessions.get(session) ?? newState()
    sessions.set(session, state)
    state.strangers = unauthenticated.isAuthenticated(session) ? 0 : state.strangers + 1
    if (state.strangers > MAX_UNAUTHENTICATED_STREAMS) return end(session)
    stream.once('close', () => {
      if (stream.rstCode !== http2.constants.NGHTTP2_CANCEL) return
      const nowMs = performance.now()
      if (state.cancelled.waitMs(1, nowMs) > 0) end(session)
      else state.cancelled.take(1, nowMs)
    })
    for (const listener of serve) listener.call(server, stream, ...details)
  })
}

type StreamListener = (
  this: http2.Http2Server,
  stream: http2.ServerHttp2Stream,
  ...details: unknown[]
) => void

interface SessionState {
  /** Streams since one was authenticated. */
  strangers: number
  readonly cancelled: TokenBucket
}

function newState(): SessionState {
  const { perSecond, burst } = CANCELLED_STREAMS
  return { strangers: 0, cancelled: new TokenBucket(perSecond, burst / perSecond, performance.now()) }
}

function end(session: http2.Http2Session): void {
  if (!session.destroyed)
    session.destroy(new Error('too many streams'), http2.constants.NGHTTP2_ENHANCE_YOUR_CALM)
}
