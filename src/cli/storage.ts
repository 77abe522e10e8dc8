import { createDeps } from '../app/deps.ts'
import { inspectStorage } from '../app/inspect-storage.ts'
import { createLog } from '../app/log.ts'
import { readSettings, type Settings } from '../app/settings.ts'
import { joinStorage } from '../app/storage.ts'
import type { PlannedServer } from '../store/database/migration-plan.ts'
import type { Deps } from '../service/deps.ts'
import type { Arguments, Environment } from './command.ts'

/** Shorter than a server's: a person waits for the error message. */
const RETRY_WINDOW_MS = 3_000

/** Opens the storage for one command, also while a server is running, and closes it afterwards. */
export async function withStorage<T>(
  args: Arguments,
  environment: Environment,
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  const settings = commandSettings(args, environment)
  const storage = await joinStorage(settings, createLog(settings))
  try {
    return await work(createDeps(storage.db, settings))
  } finally {
    await storage.close()
  }
}

/** Like `withStorage`, without creating or migrating the database: it need not exist on a server. */
export async function withInspectedStorage<T>(
  args: Arguments,
  environment: Environment,
  work: (servers: readonly PlannedServer[]) => Promise<T>,
): Promise<T> {
  const settings = commandSettings(args, environment)
  const storage = await inspectStorage(settings, createLog(settings))
  try {
    const [missing] = storage?.unreachable ?? []
    if (missing !== undefined)
      throw new Error(`ClickHouse does not respond at ${missing.host}`, { cause: missing.error })
    return await work(storage?.servers ?? [{ host: undefined, db: undefined }])
  } finally {
    await storage?.close()
  }
}

export function commandSettings(args: Arguments, environment: Environment): Settings {
  return readSettings(environment.env, {
    ...args.storage(),
    retryWindowMs: RETRY_WINDOW_MS,
    logLevel: 'error',
  })
}
