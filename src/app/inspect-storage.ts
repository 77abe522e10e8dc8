import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import { findRunningClickHouse } from '../clickhouse/running.ts'
import { Database } from '../store/database/database.ts'
import { databaseExists } from '../store/database/server-state.ts'
import type { Settings } from './settings.ts'
import { databaseSettings, startEmbedded } from './storage.ts'

/** The storage as it is, for diagnostics: nothing is created or migrated. */
export interface InspectedStorage {
  readonly isEmbedded: boolean
  /** Connected to the database `default`, which always exists. */
  readonly clickhouse: Database
  /** Undefined if the database of Heddle does not exist yet. */
  readonly db: Database | undefined
  close(): Promise<void>
}

/** Starts embedded ClickHouse if no server runs it. Undefined if there is no data directory yet. */
export async function inspectStorage(settings: Settings, log: Logger): Promise<InspectedStorage | undefined> {
  const isEmbedded = settings.clickhouseUrl === undefined
  if (isEmbedded && !existsSync(settings.dataDirectory)) return undefined
  const running = isEmbedded ? await findRunningClickHouse(settings.dataDirectory) : undefined
  const started = isEmbedded && running === undefined ? await startEmbedded(settings, log) : undefined
  const target = databaseSettings(settings, running ?? started, log)
  const clickhouse = new Database({ ...target, database: 'default' })
  const close = async (): Promise<void> => {
    await clickhouse.close()
    await started?.stop()
  }
  try {
    const db = (await databaseExists(clickhouse, target.database)) ? new Database(target) : undefined
    return {
      isEmbedded,
      clickhouse,
      db,
      close: async () => {
        await db?.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
