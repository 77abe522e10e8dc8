import { readFileSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import { uuidv7 } from '../core/ids.ts'
import { systemClock } from '../core/time.ts'
import { type Engine, startEngine } from '../engine/engine.ts'
import { createServer } from '../http/server.ts'
import { createAccess } from '../service/access.ts'
import type { Deps } from '../service/deps.ts'
import { createHandlers } from '../service/handlers.ts'
import { createDatabase, Database, type DatabaseSettings } from '../store/database.ts'
import { migrate, readMigrations } from '../store/migrations.ts'
import type { Settings } from './settings.ts'

/** A running Heddle: everything is put together here, by hand, in the order it starts. */
export interface Heddle {
  readonly url: string
  readonly deps: Deps
  /** Resolves with a sentence if the built-in engine ends by itself. */
  readonly engineDied: Promise<string>
  stop(): Promise<void>
}

export const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

export async function startHeddle(settings: Settings, log: Logger = createLog(settings)): Promise<Heddle> {
  const engine = settings.clickhouseUrl === undefined ? await startOwnEngine(settings, log) : undefined
  try {
    const db = await openDatabase(settings, engine, log)
    const deps: Deps = { db, now: systemClock, newId: () => uuidv7(systemClock()), version: VERSION }
    const access = createAccess(deps)
    const server = createServer({
      handlers: createHandlers(deps),
      access,
      log,
      bodyLimitBytes: settings.bodyLimitBytes,
    })
    const url = await server.listen({ host: settings.host, port: settings.port })
    return {
      url,
      deps,
      engineDied: engine?.died ?? new Promise<string>(() => {}),
      stop: async () => {
        await server.close()
        await db.close()
        await engine?.stop()
      },
    }
  } catch (error) {
    await engine?.stop()
    throw error
  }
}

export function createLog(settings: Settings): Logger {
  return pino({ level: settings.logLevel })
}

async function startOwnEngine(settings: Settings, log: Logger): Promise<Engine> {
  const engine = await startEngine({ directory: settings.dataDirectory })
  log.info({ pid: engine.pid, directory: settings.dataDirectory }, 'the built-in engine is up')
  return engine
}

async function openDatabase(settings: Settings, engine: Engine | undefined, log: Logger): Promise<Database> {
  const target: DatabaseSettings = {
    url: engine?.url ?? settings.clickhouseUrl ?? '',
    username: engine?.username ?? settings.clickhouseUser,
    password: engine?.password ?? settings.clickhousePassword,
    database: settings.clickhouseDatabase,
    holdMs: settings.holdMs,
  }
  await createDatabase(target)
  const db = new Database(target)
  for (const name of await migrate(db, await readMigrations())) log.info({ migration: name }, 'migrated')
  return db
}
