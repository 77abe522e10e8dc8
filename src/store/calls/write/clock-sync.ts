import type { RecordClock } from '../../../core/calls/record-clock.ts'
import { type Micros, parseTime } from '../../../core/time/time.ts'
import type { Database } from '../../database/database.ts'
import { type Sql, sql } from '../../query/sql.ts'

const INTERVAL_MS = 30_000
const READINGS = 5

/**
 * Keeps the record clock of a node at ClickHouse's time, so that the stamps of several nodes are comparable even if their
 * own clocks differ. Returns the function that stops it.
 */
export function startClockSync(
  db: Database,
  clock: RecordClock,
  onError: (error: unknown) => void,
): () => void {
  const synchronize = (): void => {
    synchronizeClock(db, clock).catch(onError)
  }
  synchronize()
  const timer = setInterval(synchronize, INTERVAL_MS)
  return () => clearInterval(timer)
}

/** The shortest of several readings tells most about the difference of the clocks. */
export async function synchronizeClock(db: Database, clock: RecordClock): Promise<void> {
  let best: Reading | undefined
  for (let n = 0; n < READINGS; n++) {
    const before = clock.now()
    const time = await readClock(db)
    const after = clock.now()
    if (time !== undefined && (best === undefined || after - before < best.after - best.before))
      best = { time, before, after }
  }
  if (best !== undefined) clock.synchronize(best.time, best.before, best.after)
}

interface Reading {
  readonly time: Micros
  readonly before: number
  readonly after: number
}

/** ClickHouse's clock. */
export async function readClock(db: Database): Promise<Micros | undefined> {
  const row = await db.first<{ now: string }>(selectClock, { name: 'clock', kind: 'point' })
  return parseTime(row?.now ?? '')
}

export const selectClock: Sql = sql`SELECT now64(6, 'UTC') AS now`
