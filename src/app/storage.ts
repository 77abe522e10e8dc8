import type { Logger } from 'pino'
import { queryMemoryBytes } from '../clickhouse/config.ts'
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from '../clickhouse/embedded-clickhouse.ts'
import { refuseOtherOwner } from '../clickhouse/data-owner.ts'
import { findRunningClickHouse, type RunningClickHouse } from '../clickhouse/running.ts'
import { BACKUP_DISK } from '../clickhouse/s3-disks.ts'
import { StartFailure } from '../clickhouse/start-failure.ts'
import { isCluster, openCluster } from '../store/cluster/cluster-database.ts'
import { checkServers, prepareServer } from '../store/cluster/prepare-server.ts'
import { recordShards } from '../store/cluster/record-shards.ts'
import { createDatabase } from '../store/database/create-database.ts'
import { Database, type DatabaseSettings } from '../store/database/database.ts'
import { applyDurability } from '../store/database/table-durability.ts'
import { migrate, readMigrations } from '../store/database/migrations.ts'
import { applySearchIndex } from '../store/calls/read/search-index.ts'
import { applyTableTtl } from '../store/retention/table-ttl.ts'
import { logServerErrors } from './clickhouse-log.ts'
import { reportLostParts } from './lost-parts.ts'
import { readTopology } from './cluster-file.ts'
import { startColdParts } from './cold-parts.ts'
import { findColdStorage } from './cold-storage.ts'
import { prepareServers } from './prepare-servers.ts'
import { findBackupDisk, findColdDisk } from './s3-disks.ts'
import { isExternal, type Settings } from './settings.ts'

/** The migrated database, and embedded ClickHouse if this process started it. */
export interface Storage {
  readonly db: Database
  /** Undefined with an external ClickHouse, or when a running server owns the embedded one. */
  readonly clickhouse: EmbeddedClickHouse | undefined
  close(): Promise<void>
}

/** For a server: connects to the external ClickHouse of the settings, or starts embedded ClickHouse. */
export async function openStorage(settings: Settings, log: Logger): Promise<Storage> {
  const cold = findColdStorage(settings)
  const configure = async (server: Database): Promise<void> => {
    await applyDurability(server, settings.durability)
    await applySearchIndex(server, settings.searchIndex)
    await applyTableTtl(server, { deleteAfterDays: settings.retentionMaxDays, cold })
  }
  const storage = await (isExternal(settings)
    ? open(settings, log, { configure })
    : openEmbedded(settings, log, configure))
  await reportLostParts(storage.db, settings.allowDetachedParts, log)
  return storage
}

/** For a CLI command: like `openStorage`, but reuses the embedded ClickHouse of a running server. */
export async function joinStorage(settings: Settings, log: Logger): Promise<Storage> {
  if (isExternal(settings)) return open(settings, log)
  const running = await findRunning(settings)
  return running === undefined ? openEmbedded(settings, log) : open(settings, log, { running })
}

/** The embedded ClickHouse of a running server. Root could read its password, and would leave files in the directory. */
export async function findRunning({ dataDirectory }: Settings): Promise<RunningClickHouse | undefined> {
  await refuseOtherOwner(dataDirectory)
  return findRunningClickHouse(dataDirectory)
}

/** ClickHouse without the database of the settings, which a restore replaces. */
export interface ClickHouseServer {
  /** Connected to ClickHouse's own database `default`; of all servers of a cluster. */
  readonly server: Database
  /** Another connection, to a database that need not exist. The caller closes it. */
  readonly connectTo: (database: string) => Database
  /** Whether a running Heddle server owns the embedded ClickHouse. */
  readonly isInUse: boolean
  close(): Promise<void>
}

/** Like `joinStorage`, but neither creates nor migrates the database. */
export async function joinClickHouse(settings: Settings, log: Logger): Promise<ClickHouseServer> {
  const running = isExternal(settings) ? undefined : await findRunning(settings)
  const clickhouse =
    isExternal(settings) || running !== undefined ? undefined : await startEmbedded(settings, log)
  const target = databaseSettings(settings, running ?? clickhouse, log)
  const connectTo = (database: string): Database => connect(settings, { ...target, database })
  const server = connectTo('default')
  return {
    server,
    connectTo,
    isInUse: running !== undefined,
    close: async () => {
      await server.close()
      await clickhouse?.stop()
    },
  }
}

/** Settings for `attachStorage`: ClickHouse is running, and the first user exists. */
export function attachedSettings(settings: Settings, { clickhouse }: Storage): Settings {
  return {
    ...settings,
    ...(clickhouse === undefined
      ? {}
      : {
          clickhouseUrl: clickhouse.url,
          clickhouseUser: clickhouse.username,
          clickhousePassword: clickhouse.password,
          readMaxMemoryBytes: embeddedReadMemoryBytes(settings),
          backupDisk: findBackupDisk(settings) && BACKUP_DISK,
        }),
    initAdminPassword: undefined,
    initApiKey: undefined,
  }
}

/** For a worker or thread: another one has prepared the database and owns embedded ClickHouse. */
export function attachStorage(settings: Settings, log: Logger): Storage {
  const db = connect(settings, databaseSettings(settings, undefined, log))
  return { db, clickhouse: undefined, close: () => db.close() }
}

/** Starts the embedded ClickHouse of the data directory. */
export async function startEmbedded(settings: Settings, log: Logger): Promise<EmbeddedClickHouse> {
  const clickhouse = await startEmbeddedClickHouse({
    directory: settings.dataDirectory,
    warn: (message) => log.warn(message),
    onServerError: logServerErrors(log),
    s3Disks: { backup: findBackupDisk(settings), cold: findColdDisk(settings) },
  }).catch((error: unknown) => {
    if (error instanceof StartFailure) log.debug({ output: error.output }, 'output of embedded ClickHouse')
    throw error
  })
  log.info(
    { clickhouse_pid: clickhouse.pid, directory: settings.dataDirectory },
    'embedded ClickHouse is running',
  )
  return clickhouse
}

/** What each server of ClickHouse needs after its migrations. */
type Configure = (server: Database) => Promise<void>

async function openEmbedded(settings: Settings, log: Logger, configure?: Configure): Promise<Storage> {
  const clickhouse = await startEmbedded(settings, log)
  try {
    const storage = await open(settings, log, { running: clickhouse, clickhouse, configure })
    if (findColdDisk(settings) === undefined) return storage
    const stopColdParts = await startColdParts(storage.db, log)
    return { ...storage, close: () => stopColdParts().then(() => storage.close()) }
  } catch (error) {
    await clickhouse.stop()
    throw error
  }
}

interface OpenOptions {
  readonly running?: RunningClickHouse | undefined
  /** Stopped when the storage is closed. */
  readonly clickhouse?: EmbeddedClickHouse | undefined
  readonly configure?: Configure | undefined
}

async function open(
  settings: Settings,
  log: Logger,
  { running, clickhouse, configure = async () => {} }: OpenOptions = {},
): Promise<Storage> {
  const target = databaseSettings(settings, running, log)
  const db = connect(settings, target)
  const migrations = await readMigrations()
  let stopPreparing = async (): Promise<void> => {}
  try {
    if (isCluster(db)) {
      stopPreparing = await prepareServers(db, log, {
        check: async (servers) => {
          await checkServers(servers, migrations)
          await recordShards(db, servers)
        },
        prepare: async (server) => {
          const { url } = server.settings
          for (const migration of await prepareServer(db, server, migrations))
            log.info({ migration, url }, 'applied migration')
          await configure(server)
        },
      })
    } else {
      await createDatabase(target)
      for (const migration of await migrate(db, migrations)) log.info({ migration }, 'applied migration')
      await configure(db)
    }
  } catch (error) {
    await db.close()
    throw error
  }
  return {
    db,
    clickhouse,
    close: async () => {
      await stopPreparing()
      await db.close()
      await clickhouse?.stop()
    },
  }
}

function connect({ cluster }: Settings, target: DatabaseSettings): Database {
  return cluster === undefined ? new Database(target) : openCluster(target, readTopology(cluster))
}

/**
 * A read may use at most what embedded ClickHouse grants to one query. Its limit is sent with each read and would replace
 * the smaller one of a small container.
 */
function embeddedReadMemoryBytes({ readMaxMemoryBytes }: Settings): number {
  const grantedBytes = queryMemoryBytes()
  return readMaxMemoryBytes === 0 ? grantedBytes : Math.min(readMaxMemoryBytes, grantedBytes)
}

/** What needs one server of a cluster uses the preferred one of the first shard. */
function firstServer(cluster: string | undefined): string {
  return cluster === undefined ? '' : readTopology(cluster).shards[0].replicas[0].url
}

export function databaseSettings(
  settings: Settings,
  running: RunningClickHouse | undefined,
  log: Logger,
): DatabaseSettings {
  return {
    url: running?.url ?? settings.clickhouseUrl ?? firstServer(settings.cluster),
    username: running?.username ?? settings.clickhouseUser,
    password: running?.password ?? settings.clickhousePassword,
    database: settings.clickhouseDatabase,
    retryWindowMs: settings.retryWindowMs,
    durability: settings.durability,
    limits: {
      listTimeoutSeconds: settings.listTimeoutSeconds,
      scanTimeoutSeconds: settings.scanTimeoutSeconds,
      maxMemoryBytes: running === undefined ? settings.readMaxMemoryBytes : embeddedReadMemoryBytes(settings),
      maxRows: settings.readMaxRows,
      maxBytes: settings.readMaxBytes,
    },
    concurrency: {
      maxConcurrent: Math.max(1, settings.maxConcurrentReads),
      maxPerUser: Math.max(1, settings.maxConcurrentReadsPerUser),
      maxPerProject: Math.max(1, settings.maxConcurrentReadsPerProject),
      waitMs: settings.readWaitMs,
    },
    slowQueryLog: {
      thresholdMs: settings.slowQueryMs,
      withValues: settings.slowQueryLogValues === 1,
      log: (line, message) => log.warn(line, message),
    },
  }
}
