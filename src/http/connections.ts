import { get, type Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Makes `server.close()` close each connection after its current response. Node's own version has three flaws: a
 * response counts as finished when its last byte is queued on the socket, so a large one is truncated; a connection
 * that was busy at that moment stays alive after its response; and a connection without any request yet (Node's
 * `fetch` leaves one behind whenever a stream is aborted) counts as busy until the headers timeout.
 */
export function closeConnectionsAfterResponse(server: Server): void {
  const open = new Map<Socket, Connection>()
  let isClosing = false
  server.on('connection', (socket: Socket) => {
    open.set(socket, { activeRequests: 0, bytesReadAtLastResponse: 0 })
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    const connection = open.get(socket)
    if (connection === undefined) return
    connection.activeRequests++
    response.once('close', () => {
      connection.activeRequests--
      connection.bytesReadAtLastResponse = socket.bytesRead
      if (isClosing && connection.activeRequests === 0) socket.destroySoon()
    })
  })
  server.closeIdleConnections = () => {
    isClosing = true
    for (const [socket, { activeRequests, bytesReadAtLastResponse }] of open) {
      if (activeRequests === 0 && socket.bytesRead === bytesReadAtLastResponse) socket.destroySoon()
    }
  }
}

interface Connection {
  activeRequests: number
  /** Bytes read when the last response ended. If more were read since, the next request has begun to arrive. */
  bytesReadAtLastResponse: number
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
