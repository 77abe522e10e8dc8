import { BoundedMap } from '../concurrency/bounded-map.ts'

/**
 * Throttles password guessing. Attempts are counted before the password is checked, so that concurrent ones count too,
 * and a correct password is not counted. All rules are the same whether the user exists or not.
 *
 * - One address has `maxPerSource` attempts per window for each username.
 * - All addresses together have `maxPerUsername` attempts for a username.
 * - An address with more than `maxPromptPerAddress` attempts, for any usernames, is not blocked, because others may sign
 *   in from there too. But its failures are answered late, and the number of its pending attempts is limited.
 *
 * A trusted source, an address from which this user has signed in before, is blocked by the first rule only. So
 * guessing from elsewhere does not lock the owner out. Its failures are as late as those of others: how soon a wrong
 * password is answered must not tell who has signed in from an address.
 */
export interface SignInLimits {
  readonly windowMs: number
  readonly maxPerSource: number
  readonly maxPerUsername: number
  readonly maxPromptPerAddress: number
  readonly maxPendingPerAddress: number
  readonly maxPending: number
  /** Sources, usernames and addresses to remember, each; the oldest are evicted first. */
  readonly maxKeys: number
}

const LIMITS: SignInLimits = {
  windowMs: 60_000,
  maxPerSource: 10,
  maxPerUsername: 100,
  maxPromptPerAddress: 10,
  maxPendingPerAddress: 256,
  maxPending: 4_096,
  maxKeys: 50_000,
}

/** Longer usernames are not valid, and a header may be 16 KiB long. */
const MAX_USERNAME_CHARACTERS = 64

/** How soon to try again after too many pending attempts. */
const PENDING_RETRY_SECONDS = 2

export interface SignInSource {
  readonly address: string
  readonly username: string
}

/** An attempt that may be made. */
export interface SignInAttempt {
  /** The user has signed in from this address before. */
  readonly isTrusted: boolean
  /** A failure must be answered late. */
  readonly isDelayed: boolean
  /** Ends the attempt. A successful one is not counted, and makes its source trusted. */
  end(isSuccess: boolean): void
}

export class SignInThrottle {
  readonly #limits: SignInLimits
  readonly #bySource: AttemptCounts
  readonly #byUsername: AttemptCounts
  readonly #byAddress: AttemptCounts
  readonly #trusted: BoundedMap<string, true>
  readonly #pendingByAddress = new Map<string, number>()
  #pending = 0

  constructor(limits: SignInLimits = LIMITS) {
    this.#limits = limits
    this.#bySource = new AttemptCounts(limits)
    this.#byUsername = new AttemptCounts(limits)
    this.#byAddress = new AttemptCounts(limits)
    this.#trusted = new BoundedMap(limits.maxKeys)
  }

  /** Counts an attempt, or returns the seconds after which it may be made. */
  begin(source: SignInSource, nowMs: number): SignInAttempt | number {
    const { address } = source
    const username = source.username.slice(0, MAX_USERNAME_CHARACTERS)
    const key = `${address} ${username}`
    const isTrusted = this.#trusted.touch(key) === true
    const waitSeconds = this.#waitSeconds(address, username, isTrusted, nowMs)
    if (waitSeconds > 0) return waitSeconds
    this.#bySource.add(key, 1, nowMs)
    this.#changePending(address, 1)
    this.#byAddress.add(address, 1, nowMs)
    if (!isTrusted) this.#byUsername.add(username, 1, nowMs)
    const isDelayed = this.#byAddress.get(address, nowMs) > this.#limits.maxPromptPerAddress
    return {
      isTrusted,
      isDelayed,
      end: (isSuccess) => {
        this.#changePending(address, -1)
        if (!isSuccess) return
        this.#bySource.add(key, -1, nowMs)
        this.#trusted.set(key, true)
        this.#byAddress.add(address, -1, nowMs)
        if (!isTrusted) this.#byUsername.add(username, -1, nowMs)
      },
    }
  }

  #waitSeconds(address: string, username: string, isTrusted: boolean, nowMs: number): number {
    const { maxPerSource, maxPerUsername, maxPendingPerAddress, maxPending } = this.#limits
    const waitSeconds = this.#bySource.waitSeconds(`${address} ${username}`, maxPerSource, nowMs)
    if (isTrusted || waitSeconds > 0) return waitSeconds
    const pending = this.#pendingByAddress.get(address) ?? 0
    if (pending >= maxPendingPerAddress || this.#pending >= maxPending) return PENDING_RETRY_SECONDS
    return this.#byUsername.waitSeconds(username, maxPerUsername, nowMs)
  }

  #changePending(address: string, change: 1 | -1): void {
    this.#pending += change
    const pending = (this.#pendingByAddress.get(address) ?? 0) + change
    if (pending > 0) this.#pendingByAddress.set(address, pending)
    else this.#pendingByAddress.delete(address)
  }
}

interface Count {
  count: number
  readonly sinceMs: number
}

/** Attempts by key. The window of a key begins with its first attempt. */
class AttemptCounts {
  readonly #windowMs: number
  readonly #counts: BoundedMap<string, Count>

  constructor({ windowMs, maxKeys }: SignInLimits) {
    this.#windowMs = windowMs
    this.#counts = new BoundedMap(maxKeys)
  }

  get(key: string, nowMs: number): number {
    return this.#current(key, nowMs)?.count ?? 0
  }

  add(key: string, change: 1 | -1, nowMs: number): void {
    const current = this.#current(key, nowMs)
    if (current !== undefined) current.count = Math.max(0, current.count + change)
    else if (change > 0) this.#counts.set(key, { count: change, sinceMs: nowMs })
  }

  /** Seconds until the window ends; 0 if there were fewer attempts than the maximum. */
  waitSeconds(key: string, max: number, nowMs: number): number {
    const current = this.#current(key, nowMs)
    if (current === undefined || current.count < max) return 0
    return Math.max(1, Math.ceil((current.sinceMs + this.#windowMs - nowMs) / 1_000))
  }

  #current(key: string, nowMs: number): Count | undefined {
    const count = this.#counts.get(key)
    return count !== undefined && nowMs - count.sinceMs < this.#windowMs ? count : undefined
  }
}
