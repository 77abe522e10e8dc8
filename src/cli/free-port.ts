import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Settings } from '../app/settings.ts'

/** Throws EADDRINUSE or the like if the server could not listen: found before a data directory is created. */
export async function requireFreePort({ host, port }: Pick<Settings, 'host' | 'port'>): Promise<void> {
  if (port === 0) return
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
