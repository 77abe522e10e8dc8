import type { Database } from '../database/database.ts'
import { settleLeftovers } from './unreconciled.ts'

const TICK_MS = 10_000
/** Without a reason, in case that another node was killed and did not come back. */
const IDLE_MS = 10 * 60_000
/** An insert that was given up may still be done this much later, counted from the sweep before. */
const MARGIN_MS = 2 * 60_000
/** What may have been left behind by the process that was here before this one. */
const FIRST_MS = 15 * 60_000
/** After an insert whose outcome is not known: now, and again when the engine has surely done what it was sent. */
const SWEEPS_AFTER_DOUBT = 2

/** Settles what writers left unsettled (unsettled.ts): at the start, after inserts in doubt, and now and then. */
export class Sweeper {
  readonly #db: Database
  readonly #failed: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #sweptAt: number
  #doubts = 0
  #wanted = 1
  #isStopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(db: Database, failed: (error: unknown) => void) {
    this.#db = db
    this.#failed = failed
    this.#sweptAt = performance.now() - FIRST_MS + MARGIN_MS
  }

  start(): void {
    this.#tick()
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
  }

  /** A sweep that is under way breaks off when the database closes: each of its steps may be done again. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  #tick(): void {
    if (this.#db.insertsInDoubt !== this.#doubts) {
      this.#doubts = this.#db.insertsInDoubt
      this.#wanted = SWEEPS_AFTER_DOUBT
    }
    if (this.#wanted === 0 && performance.now() - this.#sweptAt < IDLE_MS) return
    this.#running = this.#running.then(() => this.#sweep())
  }

  async #sweep(): Promise<void> {
    const began = performance.now()
    const withinSeconds = Math.ceil((began - this.#sweptAt + MARGIN_MS) / 1000)
    try {
      await settleLeftovers(this.#db, withinSeconds)
      this.#sweptAt = began
      this.#wanted = Math.max(0, this.#wanted - 1)
    } catch (error) {
      // The next tick tries again, and from where this one began.
      if (!this.#isStopped) this.#failed(error)
    }
  }
}
