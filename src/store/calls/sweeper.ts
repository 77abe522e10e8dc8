import type { RecordClock } from '../../core/calls/record-clock.ts'
import type { Database } from '../database/database.ts'
import { reconcileLeftovers } from './unreconciled.ts'

const TICK_MS = 10_000
/** Interval of sweeps without a known cause, in case another node was killed and did not come back. */
const IDLE_SWEEP_MS = 10 * 60_000
/** ClickHouse may still complete an abandoned insert this much later, counted from the previous sweep. */
const MARGIN_MS = 2 * 60_000
/** The first sweep covers what the previous process of this node may have left behind. */
const FIRST_SWEEP_MS = 15 * 60_000
/** After an insert with unknown outcome: one sweep now, and one when ClickHouse has surely completed the insert. */
const SWEEPS_AFTER_UNCERTAIN_INSERT = 2

/**
 * The background sweeper: reconciles calls that writers left unreconciled (unreconciled.ts). It runs at startup, after
 * inserts with unknown outcome, and periodically.
 */
export class Sweeper {
  readonly #db: Database
  readonly #clock: RecordClock
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #sweptAt: number
  #seenUncertainInserts = 0
  #pendingSweeps = 1
  #isStopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(db: Database, clock: RecordClock, onError: (error: unknown) => void) {
    this.#db = db
    this.#clock = clock
    this.#onError = onError
    this.#sweptAt = performance.now() - FIRST_SWEEP_MS + MARGIN_MS
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
    if (this.#pendingSweeps === 0 && performance.now() - this.#sweptAt < IDLE_SWEEP_MS) return
    this.#running = this.#running.then(() => this.#sweep())
  }

  async #sweep(): Promise<void> {
    const began = performance.now()
    const withinSeconds = Math.ceil((began - this.#sweptAt + MARGIN_MS) / 1000)
    try {
      await reconcileLeftovers(this.#db, this.#clock, withinSeconds)
      this.#sweptAt = began
      this.#pendingSweeps = Math.max(0, this.#pendingSweeps - 1)
    } catch (error) {
      // The next tick retries from the same start time.
      if (!this.#isStopped) this.#onError(error)
    }
  }
}
