import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Topology } from '../core/cluster/topology.ts'
import { Database, type DatabaseSettings } from '../store/database/database.ts'
import { serverHost } from '../store/database/every-server.ts'
import { databaseExists } from '../store/database/server-state.ts'
import { readTopology } from './cluster-file.ts'
import type { Settings } from './settings.ts'
import { databaseSettings, findRunning, startEmbedded } from './storage.ts'

/** The storage as it is, for diagnostics: nothing is created or migrated. */
export interface InspectedStorage {
  readonly isEmbedded: boolean
  /** Undefined with a single server. */
  readonly topology: Topology | undefined
  /** Those that respond. A single one always does. */
  readonly servers: readonly InspectedServer[]
  readonly unreachable: readonly UnreachableServer[]
  close(): Promise<void>
}

export interface InspectedServer {
  /** Undefined if there is only one server. */
  readonly host: string | undefined
  /** Connected to the database `default`, which always exists. */
  readonly clickhouse: Database
  /** Undefined if the database of Heddle does not exist yet. */
  readonly db: Database | undefined
}

interface UnreachableServer {
  readonly host: string
  readonly error: unknown
}

/** Starts embedded ClickHouse if no server runs it. Undefined if there is no data directory yet. */
export async function inspectStorage(settings: Settings, log: Logger): Promise<InspectedStorage | undefined> {
  if (settings.cluster !== undefined) return inspectCluster(readTopology(settings.cluster), settings, log)
  const isEmbedded = settings.clickhouseUrl === undefined
  if (isEmbedded && !existsSync(settings.dataDirectory)) return undefined
  const running = isEmbedded ? await findRunning(settings) : undefined
  const started = isEmbedded && running === undefined ? await startEmbedded(settings, log) : undefined
  try {
    const server = await inspectServer(databaseSettings(settings, running ?? started, log), undefined)
    return {
      isEmbedded,
      topology: undefined,
      servers: [server],
      unreachable: [],
      close: async () => {
        await closeServer(server)
        await started?.stop()
      },
    }
  } catch (error) {
    await started?.stop()
    throw error
  }
}

async function inspectCluster(
  topology: Topology,
  settings: Settings,
  log: Logger,
): Promise<InspectedStorage> {
  const target = databaseSettings(settings, undefined, log)
  const servers: InspectedServer[] = []
  const unreachable: UnreachableServer[] = []
  for (const { url } of topology.shards.flatMap(({ replicas }) => replicas)) {
    const host = serverHost(url)
    try {
      servers.push(await inspectServer({ ...target, url }, host))
    } catch (error) {
      unreachable.push({ host, error })
    }
  }
  const close = async (): Promise<void> => {
    await Promise.all(servers.map(closeServer))
  }
  return { isEmbedded: false, topology, servers, unreachable, close }
}

async function inspectServer(target: DatabaseSettings, host: string | undefined): Promise<InspectedServer> {
  const clickhouse = new Database({ ...target, database: 'default' })
  try {
    const db = (await databaseExists(clickhouse, target.database)) ? new Database(target) : undefined
    return { host, clickhouse, db }
  } catch (error) {
    await clickhouse.close()
    throw error
  }
}

async function closeServer({ clickhouse, db }: InspectedServer): Promise<void> {
  await Promise.all([clickhouse.close(), db?.close()])
}
