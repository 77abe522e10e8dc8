import { hostname } from 'node:os'
import type { Micros } from '../../../core/time/time.ts'
import type { Database } from '../../database/database.ts'
import { findLastRun, recordJobRun } from '../../jobs/job-runs.ts'
import { readClock } from './clock-sync.ts'
import { findLastInsert, type Period } from './unreconciled.ts'

const TICK_MS = 10_000
/** Interval of sweeps without a known cause, in case another node was killed and did not come back. */
const IDLE_SWEEP_MS = 10 * 60_000
/** ClickHouse may still complete an abandoned insert this much later, counted from the previous sweep. */
const MARGIN_MICROS: Micros = 2n * 60_000_000n
/** Before the last insert, where no sweep was recorded: an interval of sweeps, and the margin. */
const UNRECORDED_MICROS: Micros = 15n * 60_000_000n
/** After an insert with unknown outcome: one sweep now, and one when ClickHouse has surely completed the insert. */
const SWEEPS_AFTER_UNCERTAIN_INSERT = 2

export interface Sweep {
  /** Its name in `job_runs`. */
  readonly job: string
  readonly repair: (period: Period) => Promise<unknown>
}

/**
 * A background sweeper: repairs calls whose writer did not complete its checks (unreconciled.ts, cluster/split-calls.ts). It
 * runs at startup, after inserts with unknown outcome, and periodically. The first sweep of a process continues where the last
 * one of any process ended, however long ago; the next ones where its own ended.
 */
export class Sweeper {
  readonly #db: Database
  readonly #sweep: Sweep
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #sweptAtMs = Number.NEGATIVE_INFINITY
  #sweptTo: Micros | undefined
  #seenUncertainInserts = 0
  #pendingSweeps = 1
  #isStopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(db: Database, sweep: Sweep, onError: (error: unknown) => void) {
    this.#db = db
    this.#sweep = sweep
    this.#onError = onError
  }

  start(): void {
    this.#tick()
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
  }

  /** A running sweep ends when the database closes; all its steps can be repeated. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  #tick(): void {
    if (this.#db.uncertainInserts !== this.#seenUncertainInserts) {
      this.#seenUncertainInserts = this.#db.uncertainInserts
      this.#pendingSweeps = SWEEPS_AFTER_UNCERTAIN_INSERT
    }
    if (this.#pendingSweeps === 0 && performance.now() - this.#sweptAtMs < IDLE_SWEEP_MS) return
    this.#running = this.#running.then(() => this.#run())
  }

  async #run(): Promise<void> {
    const beganMs = performance.now()
    try {
      this.#sweptTo = await sweepSince(this.#db, this.#sweep, this.#sweptTo)
      this.#sweptAtMs = beganMs
      this.#pendingSweeps = Math.max(0, this.#pendingSweeps - 1)
    } catch (error) {
      // The next tick retries from the same start time.
      if (!this.#isStopped) this.#onError(error)
    }
  }
}

/** One sweep of what was written since the previous one. Returns, and records, up to when. */
async function sweepSince(
  db: Database,
  { job, repair }: Sweep,
  previous: Micros | undefined,
): Promise<Micros> {
  const now = (await readClock(db.firstShard)) ?? 0n
  const since = previous ?? (await findLastRun(db, job)) ?? (await beforeLastInsert(db)) ?? now
  // The clock may have been set back.
  const from = (since < now ? since : now) - MARGIN_MICROS
  await repair({ from, to: now })
  await recordSweep(db, job, now)
  return now
}

/** Rows inserted until then, by ClickHouse's clock, are repaired. */
export async function recordSweep(db: Database, job: string, until: Micros): Promise<void> {
  await recordJobRun(db, { job, owner: `${hostname()}-${process.pid}`, started_at: until, error: '' })
}

async function beforeLastInsert(db: Database): Promise<Micros | undefined> {
  const last = await findLastInsert(db)
  return last === undefined ? undefined : last - UNRECORDED_MICROS
}
