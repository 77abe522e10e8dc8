import type { Logger } from 'pino'
import { CACHED_COLD_DISK } from '../clickhouse/s3-disks.ts'
import type { Database } from '../store/database/database.ts'
import { ColdParts } from '../store/retention/cold-parts.ts'

const INTERVAL_MS = 30_000

/**
 * Keeps in the local cache what a start reads of calls in cold storage; for the process that owns embedded ClickHouse. Returns
 * the function that stops it, after it looked once more.
 */
export async function startColdParts(db: Database, log: Logger): Promise<() => Promise<void>> {
  const parts = new ColdParts(db, CACHED_COLD_DISK)
  const load = (): Promise<void> =>
    parts.load().catch((error: unknown) => {
      log.warn({ err: error }, 'parts in cold storage could not be loaded into the cache; it is retried')
    })
  await load()
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(load)
  }, INTERVAL_MS)
  return () => {
    clearInterval(timer)
    return running.then(load)
  }
}
