import { createHmac, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../contract/api-error.ts'
import { type Credentials, wrongCredentials } from '../../core/access/credentials.ts'
import { isPassword } from '../../core/access/password.ts'
import { type SignInAttempt, SignInThrottle } from '../../core/access/sign-in-throttle.ts'
import { BoundedMap } from '../../core/concurrency/bounded-map.ts'
import { FairScheduler } from '../../core/concurrency/fair-scheduler.ts'
import type { UserRow } from '../../store/access/users.ts'

/** Verifies passwords. */

/** Maximum cached credentials; the least recently used are evicted. */
const MAX_VERIFIED = 10_000

/**
 * A check occupies a core, and one of the four threads of Node's pool, for a third of a second. One core and two threads
 * stay free for other requests.
 */
const MAX_CONCURRENT_CHECKS = Math.min(2, Math.max(1, availableParallelism() - 1))
const CHECK_WAIT_MS = 30_000

/** When the throttle delays failures, they are answered after a multiple of this time. */
const FAILURE_DELAY_MS = 2_000

/** Credentials and the network address they came from. */
export interface PasswordAttempt {
  readonly credentials: Credentials
  readonly address: string
  /** Undefined if there is no user of this name. */
  readonly user: UserRow | undefined
}

/**
 * The hash is slow on purpose, so each credential is checked once and cached: as a keyed hash that is useless outside
 * this process, with the stored password hash it matched. A changed password no longer matches. Wrong guesses do not
 * lock out clients whose credentials are cached.
 */
export class PasswordVerifier {
  readonly #secret = randomBytes(32)
  readonly #verified = new BoundedMap<string, string>(MAX_VERIFIED)
  readonly #checking = new Map<string, Promise<boolean>>()
  readonly #throttle = new SignInThrottle()
  readonly #nowMs: () => number
  /** Duration of the last check. */
  #checkMs = 0
  /** Addresses take turns, and the usernames that one address tries. The throttle limits how many attempts wait. */
  readonly #checks = new FairScheduler({
    capacity: MAX_CONCURRENT_CHECKS,
    maxPerKey: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitingPerKey: Number.POSITIVE_INFINITY,
    waitMs: CHECK_WAIT_MS,
    rejection: () =>
      new ApiError('rate_limited', 'too many sign-ins; try again in 2 s', { retryAfterSeconds: 2 }),
  })

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Whether these credentials were verified against the user's current password hash. */
  isVerified(credentials: Credentials, user: UserRow): boolean {
    const fingerprint = this.#fingerprint(credentials)
    const hash = this.#verified.touch(fingerprint)
    if (hash === undefined || user.password_hash === '') return false
    if (hash === user.password_hash) return true
    this.#verified.delete(fingerprint)
    return false
  }

  /** Throws unless the password is correct. Response and time do not depend on whether the user exists. */
  async verify(attempt: PasswordAttempt): Promise<void> {
    const fingerprint = this.#fingerprint(attempt.credentials)
    // Concurrent requests with the same credentials share one check, and count once.
    let check = this.#checking.get(fingerprint)
    if (check === undefined) {
      check = this.#attempt(attempt, fingerprint).finally(() => this.#checking.delete(fingerprint))
      this.#checking.set(fingerprint, check)
    }
    if (!(await check)) throw wrongCredentials()
  }

  async #attempt(attempt: PasswordAttempt, fingerprint: string): Promise<boolean> {
    const { credentials, user, address } = attempt
    const counted = this.#throttle.begin({ address, username: credentials.username }, this.#nowMs())
    if (typeof counted === 'number') throw tooManyAttempts(counted)
    let isCorrect = false
    try {
      isCorrect = await this.#check(attempt, counted)
      if (isCorrect && user !== undefined) this.#verified.set(fingerprint, user.password_hash)
      return isCorrect
    } finally {
      counted.end(isCorrect)
    }
  }

  /**
   * Names that do not exist are hashed like others, so that the response takes as long. Not if failures are delayed
   * anyway: then they only wait for their turn, so random names occupy no core, and the delay hides the difference.
   */
  async #check(attempt: PasswordAttempt, { isTrusted, isDelayed }: SignInAttempt): Promise<boolean> {
    const { credentials, user, address } = attempt
    const startedAt = performance.now()
    const options = { group: credentials.username, isPriority: isTrusted }
    if (!this.#checks.tryAcquire(address, 1, options)) await this.#checks.wait(address, 1, options).granted
    const isSkipped = isDelayed && (user === undefined || user.password_hash === '')
    const checkStartedAt = performance.now()
    let isCorrect = false
    try {
      if (!isSkipped) isCorrect = await isPassword(credentials.secret, user?.password_hash)
    } finally {
      this.#checks.release(address, 1, credentials.username)
    }
    if (!isSkipped) this.#checkMs = performance.now() - checkStartedAt
    if (isCorrect || !isDelayed) return isCorrect
    const elapsedMs = performance.now() - startedAt + (isSkipped ? this.#checkMs : 0)
    await sleep(FAILURE_DELAY_MS * Math.ceil(elapsedMs / FAILURE_DELAY_MS) - (performance.now() - startedAt))
    return false
  }

  #fingerprint({ username, secret }: Credentials): string {
    return createHmac('sha256', this.#secret).update(`${username}:${secret}`).digest('base64')
  }
}

function tooManyAttempts(retryAfterSeconds: number): ApiError {
  const reason = `too many wrong passwords for this user or from this address; try again in ${retryAfterSeconds} s, or use an API key`
  return new ApiError('rate_limited', reason, { retryAfterSeconds })
}
