import { get, type Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Makes `server.close()` end each connection after the answer it carries. Node does so too, with flaws: an answer
 * counts as given when its last byte is in the queue of the socket, so that a large one is cut; a connection that was
 * busy then is kept alive after its answer; and one that has not sent a byte (Node's `fetch` leaves one behind
 * whenever a stream is aborted) counts as busy until its headers are late.
 */
export function endConnections(server: Server): void {
  const open = new Map<Socket, Connection>()
  let isClosing = false
  server.on('connection', (socket: Socket) => {
    open.set(socket, { requests: 0, answeredBytes: 0 })
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    const connection = open.get(socket)
    if (connection === undefined) return
    connection.requests++
    response.once('close', () => {
      connection.requests--
      connection.answeredBytes = socket.bytesRead
      if (isClosing && connection.requests === 0) socket.destroySoon()
    })
  })
  server.closeIdleConnections = () => {
    isClosing = true
    for (const [socket, { requests, answeredBytes }] of open) {
      if (requests === 0 && socket.bytesRead === answeredBytes) socket.destroySoon()
    }
  }
}

interface Connection {
  /** Under way. */
  requests: number
  /** What had been read when the last answer was given; more than that is a request whose headers have begun. */
  answeredBytes: number
}

/** A server that does not answer itself for this long is not going to. */
const OWN_ANSWER_MS = 5_000

/**
 * Connections that the system has taken for us, and that we have not accepted yet, would be reset when we stop
 * listening, with requests in them: seen on a busy machine half a second after they were sent. They are accepted in
 * order, so once we have answered ourselves we have read them all.
 */
export function acceptAll(server: Server): Promise<void> {
  const address = server.address()
  if (address === null || typeof address === 'string') return Promise.resolve()
  const target = { host: address.address, port: address.port, path: '/livez', agent: false }
  return new Promise((settle) => {
    get({ ...target, timeout: OWN_ANSWER_MS }, (answer) => answer.resume().once('close', settle))
      .once('timeout', settle)
      .once('error', () => settle())
  })
}
