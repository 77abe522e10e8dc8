/**
 * Counts wrong passwords per username within a minute. It slows down guessing; credentials that were already
 * proven right are not asked for here, so guessing at a name does not lock its owner out.
 */
export interface FailureLimits {
  readonly most: number
  readonly windowMs: number
  /** Names remembered at once; the oldest are forgotten first. */
  readonly names: number
}

const LIMITS: FailureLimits = { most: 10, windowMs: 60_000, names: 10_000 }

interface Count {
  count: number
  readonly sinceMs: number
}

export class Failures {
  readonly #counts = new Map<string, Count>()
  readonly #limits: FailureLimits

  constructor(limits: FailureLimits = LIMITS) {
    this.#limits = limits
  }

  add(username: string, nowMs: number): void {
    const count = this.#counts.get(username)
    if (count !== undefined && nowMs - count.sinceMs < this.#limits.windowMs) {
      count.count += 1
      return
    }
    this.#counts.delete(username)
    this.#counts.set(username, { count: 1, sinceMs: nowMs })
    if (this.#counts.size <= this.#limits.names) return
    const oldest = this.#counts.keys().next()
    if (oldest.done !== true) this.#counts.delete(oldest.value)
  }

  /** Seconds until this username may be tried again; 0 = now. */
  waitSeconds(username: string, nowMs: number): number {
    const count = this.#counts.get(username)
    if (count === undefined || count.count < this.#limits.most) return 0
    return Math.max(0, Math.ceil((count.sinceMs + this.#limits.windowMs - nowMs) / 1000))
  }
}
