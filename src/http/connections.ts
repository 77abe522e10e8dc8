import { get, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_PIPELINED_REQUESTS, MAX_WAITING_REQUESTS, STALLED_RESPONSE_MS } from './limits.ts'

/**
 * The connections of the HTTP server. The requests of one connection are executed one after the other: what a client
 * pipelines waits here, and beyond a few requests its socket is not read until they are done. So a response owns the socket
 * when its request begins, and Node tells it when the connection is closed; responses that wait behind others are not told.
 *
 * They also make `server.close()` close each connection after its current response. Node's own version has three flaws: a
 * response counts as finished when its last byte is queued on the socket, so a large one is truncated; a connection
 * that was busy at that moment stays alive after its response; and a connection without any request yet (Node's
 * `fetch` leaves one behind whenever a stream is aborted) counts as busy until the headers timeout.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  #waiting = 0
  #isClosing = false

  /** Requests that were received and have not begun, because another one of their connection is in progress. */
  get waiting(): number {
    return this.#waiting
  }

  serve(server: Server, execute: RequestListener): void {
    server.on('connection', (socket: Socket) => this.#add(socket, execute))
    server.on('request', (request, response) => this.#receive(request, response))
    server.setTimeout(STALLED_RESPONSE_MS, (socket) => {
      const isWorking = this.#open.get(socket)?.current !== undefined && socket.writableLength === 0
      if (!isWorking) socket.destroy()
    })
    server.closeIdleConnections = () => {
      this.#isClosing = true
      for (const { socket, current, bytesReadAtLastResponse } of this.#open.values())
        if (current === undefined && socket.bytesRead === bytesReadAtLastResponse) socket.destroySoon()
    }
  }

  #add(socket: Socket, execute: RequestListener): void {
    const connection: Connection = {
      socket,
      execute,
      waiting: [],
      current: undefined,
      bytesReadAtLastResponse: 0,
    }
    this.#open.set(socket, connection)
    // Node resumes the socket for its own reasons, such as a body that was read.
    socket.on('resume', () => {
      if (isHeld(connection)) socket.pause()
    })
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#waiting -= connection.waiting.length
      connection.waiting = []
      // Whatever Node does for the response, it has done by then.
      process.nextTick(() => connection.current?.destroy().emit('close'))
    })
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket)
    // A part of what was received before the connection was closed.
    if (connection === undefined || connection.socket.destroyed) return
    if (connection.current === undefined) return this.#begin(connection, { request, response })
    connection.waiting.push({ request, response })
    this.#waiting++
    if (!isHeld(connection)) return
    connection.socket.pause()
    if (this.#waiting > MAX_WAITING_REQUESTS) connection.socket.destroy()
  }

  #begin(connection: Connection, { request, response }: ReceivedRequest): void {
    connection.current = response
    response.once('close', () => this.#next(connection))
    connection.execute(request, response)
  }

  #next(connection: Connection): void {
    const { socket, waiting } = connection
    connection.current = undefined
    connection.bytesReadAtLastResponse = socket.bytesRead
    const next = waiting.shift()
    if (next === undefined) {
      if (this.#isClosing) socket.destroySoon()
      return
    }
    this.#waiting--
    // The rest of its body may have to be read.
    if (waiting.length === 0) socket.resume()
    this.#begin(connection, next)
  }
}

interface ReceivedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  readonly socket: Socket
  readonly execute: RequestListener
  /** Received after the current one, in order. */
  waiting: ReceivedRequest[]
  /** The response in progress. */
  current: ServerResponse | undefined
  /** Bytes read when the last response ended. If more were read since, the next request has begun to arrive. */
  bytesReadAtLastResponse: number
}

function isHeld({ waiting }: Connection): boolean {
  return waiting.length >= MAX_PIPELINED_REQUESTS
}

/** Upper bound for the request to ourselves. */
const SELF_REQUEST_TIMEOUT_MS = 5_000

/**
 * Accepts all connections of the kernel's accept queue. Connections still in the queue when we stop listening are
 * reset, along with requests already sent on them (seen on a busy machine half a second after they were sent). The
 * queue is FIFO, so once a request to ourselves is answered, all earlier connections have been accepted.
 */
export function acceptPendingConnections(server: Server): Promise<void> {
  const address = server.address()
  if (address === null || typeof address === 'string') return Promise.resolve()
  const target = { host: address.address, port: address.port, path: '/livez', agent: false }
  return new Promise((resolve) => {
    get({ ...target, timeout: SELF_REQUEST_TIMEOUT_MS }, (response) =>
      response.resume().once('close', resolve),
    )
      .once('timeout', resolve)
      .once('error', () => resolve())
  })
}
