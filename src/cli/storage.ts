import { createDeps } from '../app/deps.ts'
import { createLog } from '../app/heddle.ts'
import { readSettings } from '../app/settings.ts'
import { joinStorage } from '../app/storage.ts'
import type { Deps } from '../service/deps.ts'
import type { Arguments, World } from './command.ts'

/** A person waits: say sooner than a server would that the engine is away. */
const HOLD_MS = 3_000

/** Opens the storage for one command, also beside a running server, and closes it again. */
export async function withStorage<T>(
  args: Arguments,
  world: World,
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  const settings = readSettings(world.env, { ...args.storage(), retryWindowMs: HOLD_MS, logLevel: 'error' })
  const storage = await joinStorage(settings, createLog(settings))
  try {
    return await work(createDeps(storage.db, settings))
  } finally {
    await storage.close()
  }
}
