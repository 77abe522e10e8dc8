import { createHmac, randomBytes } from 'node:crypto'
import { ApiError } from '../../contract/api-error.ts'
import { type Credentials, wrongCredentials } from '../../core/access/credentials.ts'
import { LoginFailures } from '../../core/access/login-failures.ts'
import { isPassword } from '../../core/access/password.ts'
import { BoundedMap } from '../../core/concurrency/bounded-map.ts'
import { Semaphore } from '../../core/concurrency/semaphore.ts'
import type { UserRow } from '../../store/access/users.ts'

/** Verifies passwords. */

/** Maximum cached credentials; the least recently used are evicted. */
const MAX_VERIFIED = 10_000

/**
 * A check occupies a thread of Node's pool for a third of a second. Two of its four threads stay free for other work.
 */
const MAX_CONCURRENT_CHECKS = 2
const MAX_QUEUED_CHECKS = 50

/**
 * The hash is slow on purpose, so each credential is checked once and cached: as a keyed hash that is useless outside
 * this process, with the stored password hash it matched. A changed password no longer matches. Wrong guesses for a
 * username do not lock out clients whose credentials are cached.
 */
export class PasswordVerifier {
  readonly #secret = randomBytes(32)
  readonly #verified = new BoundedMap<string, string>(MAX_VERIFIED)
  readonly #checking = new Map<string, Promise<boolean>>()
  readonly #failures = new LoginFailures()
  readonly #nowMs: () => number
  readonly #checks = new Semaphore({
    permits: MAX_CONCURRENT_CHECKS,
    maxWaiting: MAX_QUEUED_CHECKS,
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

  /** Throws unless the password is correct. It takes as long for a user that does not exist. */
  async verify(credentials: Credentials, user: UserRow | undefined): Promise<void> {
    const { username } = credentials
    const waitSeconds = this.#failures.waitSeconds(username, this.#nowMs())
    if (waitSeconds > 0) {
      throw new ApiError(
        'rate_limited',
        `too many wrong passwords for this user; try again in ${waitSeconds} s`,
        {
          retryAfterSeconds: waitSeconds,
        },
      )
    }
    const fingerprint = this.#fingerprint(credentials)
    // Concurrent requests with the same credentials share one check.
    let check = this.#checking.get(fingerprint)
    if (check === undefined) {
      check = this.#check(credentials, user, fingerprint).finally(() => this.#checking.delete(fingerprint))
      this.#checking.set(fingerprint, check)
    }
    if (!(await check)) throw wrongCredentials()
  }

  #check(credentials: Credentials, user: UserRow | undefined, fingerprint: string): Promise<boolean> {
    return this.#checks.run(async () => {
      const isCorrect = await isPassword(credentials.secret, user?.password_hash)
      if (isCorrect && user !== undefined) this.#verified.set(fingerprint, user.password_hash)
      else this.#failures.add(credentials.username, this.#nowMs())
      return isCorrect
    })
  }

  #fingerprint({ username, secret }: Credentials): string {
    return createHmac('sha256', this.#secret).update(`${username}:${secret}`).digest('base64')
  }
}
