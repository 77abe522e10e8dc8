import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A way to the engine that can be cut and mended, as a network or a restart would. */
export interface CuttableEngine {
  readonly url: string
  /** Open connections break, new ones are refused at once. */
  cut(): void
  mend(): void
  stop(): Promise<void>
}

export async function startCuttableEngine(engineUrl: string): Promise<CuttableEngine> {
  const { hostname, port } = new URL(engineUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) {
      client.resetAndDestroy()
      return
    }
    const engine = connect(Number(port), hostname)
    for (const socket of [client, engine]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        engine.destroy()
      })
    }
    client.pipe(engine).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    isCut = true
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isCut = false
    },
    stop: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
