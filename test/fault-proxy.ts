import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy that injects network faults: broken connections, lost or truncated responses, latency. */
export interface FaultProxy {
  readonly url: string
  /** Breaks open connections and refuses new ones immediately. */
  disconnect(): void
  /** Ends every fault: connections, responses and requests pass again, without delay. */
  restore(): void
  /** Breaks open connections; new ones work. */
  closeConnections(): void
  /**
   * Breaks the next `count` connections that return this many bytes. With 0 the server did the work, but no response
   * arrives.
   */
  breakResponses(count: number, afterBytes: number): void
  /** Breaks the connection at the next `count` chunks that clients send; these chunks are dropped. */
  dropRequests(count: number): void
  /** Delays responses by this much. */
  delay(ms: number): void
  /** Responses and requests broken so far. */
  readonly brokenCount: number
  stop(): Promise<void>
}

interface BreakPlan {
  count: number
  readonly afterBytes: number
}

export async function startFaultProxy(targetUrl: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let isDisconnected = false
  let delayMs = 0
  let responsePlan: BreakPlan = { count: 0, afterBytes: 0 }
  let requestsToDrop = 0
  let brokenCount = 0

  const open = (client: Socket): void => {
    const server = connect(Number(port), hostname)
    const delayed: Buffer[] = []
    /** One side closed: closes the other once it has received all earlier bytes. */
    const end = (): void => {
      server.destroySoon()
      if (delayed.length === 0) client.destroySoon()
    }
    const breakConnection = (): void => {
      brokenCount++
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on('data', (bytes: Buffer) => {
      if (requestsToDrop > 0) {
        requestsToDrop--
        breakConnection()
      } else pass(bytes, client, server)
    })
    /** How many bytes this connection still passes before the plan breaks it. */
    let breaking = { plan: responsePlan, left: responsePlan.afterBytes }
    const passDelayed = (): void => {
      const bytes = delayed.shift()
      if (bytes !== undefined) pass(bytes, server, client)
      if (server.destroyed) end()
    }
    server.on('data', (bytes: Buffer) => {
      if (breaking.plan !== responsePlan) breaking = { plan: responsePlan, left: responsePlan.afterBytes }
      if (responsePlan.count > 0) {
        if (bytes.length >= breaking.left) {
          responsePlan.count--
          server.pause()
          if (breaking.left > 0 && delayed.length === 0)
            client.write(bytes.subarray(0, breaking.left), breakConnection)
          else breakConnection()
          return
        }
        breaking.left -= bytes.length
      }
      // Keeps the order, also when the delay has just ended.
      if (delayMs === 0 && delayed.length === 0) pass(bytes, server, client)
      else {
        delayed.push(bytes)
        setTimeout(passDelayed, delayMs).unref()
      }
    })
  }
  const listener = createServer((client) => {
    if (isDisconnected) client.destroy()
    else open(client)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const closeConnections = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const disconnect = (): void => {
    isDisconnected = true
    closeConnections()
  }
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    disconnect,
    restore: () => {
      isDisconnected = false
      delayMs = 0
      responsePlan = { count: 0, afterBytes: 0 }
      requestsToDrop = 0
    },
    closeConnections,
    breakResponses: (count, afterBytes) => {
      responsePlan = { count, afterBytes }
    },
    dropRequests: (count) => {
      requestsToDrop = count
    },
    delay: (ms) => {
      delayMs = ms
    },
    get brokenCount() {
      return brokenCount
    },
    stop: async () => {
      disconnect()
      listener.close()
      await once(listener, 'close')
    },
  }
}

/** Forwards bytes with back-pressure: pauses the source while the target's buffer is full. */
function pass(bytes: Buffer, from: Socket, to: Socket): void {
  if (to.destroyed || to.write(bytes)) return
  from.pause()
  to.once('drain', () => from.resume())
}
