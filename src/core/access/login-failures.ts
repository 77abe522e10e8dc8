import { BoundedMap } from '../concurrency/bounded-map.ts'

/**
 * Rate limit for failed logins: counts wrong passwords per username within a time window. Credentials that were
 * already verified bypass it, so guessing does not lock the owner out.
 */
export interface LoginFailureLimits {
  readonly maxFailures: number
  readonly windowMs: number
  /** Usernames to remember; the oldest are evicted first. */
  readonly maxUsernames: number
}

const LIMITS: LoginFailureLimits = { maxFailures: 10, windowMs: 60_000, maxUsernames: 10_000 }

interface Count {
  count: number
  readonly sinceMs: number
}

export class LoginFailures {
  readonly #counts: BoundedMap<string, Count>
  readonly #limits: LoginFailureLimits

  constructor(limits: LoginFailureLimits = LIMITS) {
    this.#limits = limits
    this.#counts = new BoundedMap(limits.maxUsernames)
  }

  add(username: string, nowMs: number): void {
    const count = this.#counts.get(username)
    if (count !== undefined && nowMs - count.sinceMs < this.#limits.windowMs) {
      count.count += 1
      return
    }
    this.#counts.set(username, { count: 1, sinceMs: nowMs })
  }

  /** Seconds until this username may be tried again; 0 if it may be tried now. */
  waitSeconds(username: string, nowMs: number): number {
    const count = this.#counts.get(username)
    if (count === undefined || count.count < this.#limits.maxFailures) return 0
    return Math.max(0, Math.ceil((count.sinceMs + this.#limits.windowMs - nowMs) / 1000))
  }
}
