import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * A TCP proxy in front of the native port of a ClickHouse from npm. That build aborts when a connection to this port is reset
 * while it reads from it, which a complete server survives: it happens when a server that reads from others gives up a
 * query, or is killed. The proxy ends such connections in order.
 */
export interface NativeProxy {
  readonly port: number
  stop(): Promise<void>
}

/** @param port where it listens; 0 is any free port. */
export async function startNativeProxy(port: number, targetPort: number): Promise<NativeProxy> {
  const clients = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(targetPort, '127.0.0.1')
    clients.add(client)
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', () => {})
    client.pipe(server, { end: false })
    server.pipe(client)
    client.on('close', () => {
      clients.delete(client)
      // What the server still sends is read: closing a socket with unread bytes would reset the connection.
      server.unpipe(client)
      server.end()
      server.resume()
    })
    client.on('end', () => server.end())
    server.on('close', () => client.destroy())
  })
  proxy.listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    stop: async () => {
      proxy.close()
      for (const client of clients) client.destroy()
      await once(proxy, 'close')
    },
  }
}
