import type { Database } from '../database/database.ts'

const TICK_MS = 10_000
/** Interval of sweeps without a known cause, in case another node was killed and did not come back. */
const IDLE_SWEEP_MS = 10 * 60_000
/** ClickHouse may still complete an abandoned insert this much later, counted from the previous sweep. */
const MARGIN_MS = 2 * 60_000
/** The first sweep covers what the previous process of this node may have left behind. */
const FIRST_SWEEP_MS = 15 * 60_000
/** After an insert with unknown outcome: one sweep now, and one when ClickHouse has surely completed the insert. */
const SWEEPS_AFTER_UNCERTAIN_INSERT = 2

/** Repairs what was written within so many seconds. */
type Repair = (withinSeconds: number) => Promise<unknown>

/**
 * A background sweeper: repairs calls whose writer did not complete its checks (unreconciled.ts, cluster/split-calls.ts). It
 * runs at startup, after inserts with unknown outcome, and periodically.
 */
export class Sweeper {
  readonly #db: Pick<Database, 'uncertainInserts'>
  readonly #repair: Repair
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #sweptAt: number
  #seenUncertainInserts = 0
  #pendingSweeps = 1
  #isStopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(db: Pick<Database, 'uncertainInserts'>, repair: Repair, onError: (error: unknown) => void) {
    this.#db = db
    this.#repair = repair
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
      await this.#repair(withinSeconds)
      this.#sweptAt = began
      this.#pendingSweeps = Math.max(0, this.#pendingSweeps - 1)
    } catch (error) {
      // The next tick retries from the same start time.
      if (!this.#isStopped) this.#onError(error)
    }
  }
}
