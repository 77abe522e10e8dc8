import type { Topology } from '../../core/cluster/topology.ts'
import type { Database } from './database.ts'

/** What each ClickHouse server reports of itself. */

/** `server` is the host of the server that a row is from; undefined if there is only one server. */
export type OfServer<Row> = Row & { readonly server: string | undefined }

/** The host and port of a server, without user and password. */
export function serverHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** Rows of every server, in the order of the servers. Fails if one of them does. */
export async function readEveryServer<Row>(
  db: Database,
  read: (server: Database) => Promise<readonly Row[]>,
): Promise<OfServer<Row>[]> {
  const { everyServer } = db
  const rows = await Promise.all(everyServer.map(read))
  return rows.flatMap((own, index) => own.map((row) => ({ ...row, server: hostIn(everyServer, index) })))
}

/** Rows of the servers that respond. Fails if none does. Does not wait for a server of a cluster that is down. */
export async function readResponding<Row>(
  db: Database,
  read: (server: Database) => Promise<readonly Row[]>,
): Promise<OfServer<Row>[]> {
  if (db.everyServer.length === 1) return readEveryServer(db, read)
  const failures: Error[] = []
  const rows = await readEveryServer(db, async (server) => {
    try {
      // Otherwise the read would be repeated during the retry window.
      if (await server.ping()) return await read(server)
      throw new Error(`ClickHouse does not respond at ${serverHost(server.settings.url)}`)
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)))
      return []
    }
  })
  const [first] = failures
  if (first !== undefined && failures.length === db.everyServer.length) throw first
  return rows
}

function hostIn(servers: readonly Database[], index: number): string | undefined {
  const server = servers[index]
  return server === undefined || servers.length === 1 ? undefined : serverHost(server.settings.url)
}

/** The servers of shards with several replicas, which have the same rows. */
export function replicatedHosts(topology: Topology | undefined): ReadonlySet<string> {
  const replicated = topology?.shards.filter(({ replicas }) => replicas.length > 1) ?? []
  return new Set(replicated.flatMap(({ replicas }) => replicas.map(({ url }) => serverHost(url))))
}
