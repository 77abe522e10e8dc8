import type { Logger } from 'pino'
import { type Engine, startEmbeddedClickHouse } from '../clickhouse/embedded-clickhouse.ts'
import { findRunning, type RunningEngine } from '../clickhouse/running.ts'
import { createDatabase, Database, type DatabaseSettings } from '../store/database/database.ts'
import { applyDurability } from '../store/database/durability.ts'
import { migrate, readMigrations } from '../store/database/migrations.ts'
import { applySearchIndex } from '../store/calls/search-index.ts'
import type { Settings } from './settings.ts'

/** The database, up to date, and the engine it runs on if that is ours. */
export interface Storage {
  readonly db: Database
  /** Undefined with a ClickHouse of your own, or with the engine of a server that is running already. */
  readonly engine: Engine | undefined
  close(): Promise<void>
}

/** For a server: the ClickHouse of the settings, or a new engine in the data directory. */
export async function openStorage(settings: Settings, log: Logger): Promise<Storage> {
  const storage = await (settings.clickhouseUrl === undefined
    ? openOwn(settings, log)
    : open(settings, log, undefined, undefined))
  try {
    await applyDurability(storage.db, settings.durability)
    await applySearchIndex(storage.db, settings.searchIndex)
  } catch (error) {
    await storage.close()
    throw error
  }
  return storage
}

/** For a command: the same, but beside a running server the engine of that server. */
export async function joinStorage(settings: Settings, log: Logger): Promise<Storage> {
  if (settings.clickhouseUrl !== undefined) return open(settings, log, undefined, undefined)
  const running = await findRunning(settings.dataDirectory)
  return running === undefined ? openOwn(settings, log) : open(settings, log, running, undefined)
}

/** For a worker: another process of this machine has prepared the database, and keeps the engine. */
export function attachStorage(settings: Settings, log: Logger): Storage {
  const db = new Database(targetOf(settings, undefined, log))
  return { db, engine: undefined, close: () => db.close() }
}

async function openOwn(settings: Settings, log: Logger): Promise<Storage> {
  const engine = await startEmbeddedClickHouse({ directory: settings.dataDirectory })
  log.info({ engine_pid: engine.pid, directory: settings.dataDirectory }, 'the built-in engine is up')
  try {
    return await open(settings, log, engine, engine)
  } catch (error) {
    await engine.stop()
    throw error
  }
}

async function open(
  settings: Settings,
  log: Logger,
  at: RunningEngine | undefined,
  engine: Engine | undefined,
): Promise<Storage> {
  const target = targetOf(settings, at, log)
  await createDatabase(target)
  const db = new Database(target)
  try {
    for (const name of await migrate(db, await readMigrations())) log.info({ migration: name }, 'migrated')
  } catch (error) {
    await db.close()
    throw error
  }
  return {
    db,
    engine,
    close: async () => {
      await db.close()
      await engine?.stop()
    },
  }
}

function targetOf(settings: Settings, at: RunningEngine | undefined, log: Logger): DatabaseSettings {
  return {
    url: at?.url ?? settings.clickhouseUrl ?? '',
    username: at?.username ?? settings.clickhouseUser,
    password: at?.password ?? settings.clickhousePassword,
    database: settings.clickhouseDatabase,
    retryWindowMs: settings.retryWindowMs,
    durability: settings.durability,
    limits: {
      listSeconds: settings.listTimeoutSeconds,
      scanSeconds: settings.scanTimeoutSeconds,
      memoryBytes: settings.readMaxMemoryBytes,
      rows: settings.readMaxRows,
      bytes: settings.readMaxBytes,
    },
    turns: {
      maxConcurrent: Math.max(1, settings.maxConcurrentReads),
      maxPerProject: Math.max(1, settings.maxConcurrentReadsPerProject),
      waitMs: settings.readWaitMs,
    },
    slow: {
      thresholdMs: settings.slowQueryMs,
      withValues: settings.slowQueryLogValues === 1,
      say: (line, message) => log.warn(line, message),
    },
  }
}
