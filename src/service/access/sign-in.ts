import { createHmac, randomBytes } from 'node:crypto'
import { ApiError } from '../../contract/api-error.ts'
import { type Credentials, wrongCredentials } from '../../core/access/credentials.ts'
import { Failures } from '../../core/calls/failures.ts'
import { isPassword } from '../../core/access/password.ts'
import type { UserRow } from '../../store/access/users.ts'

/** Headers whose password was checked and found right; the least lately used are forgotten. */
const PROVEN_MOST = 10_000

/** A check keeps a thread of Node's small pool for a third of a second; two of the four stay free for other work. */
const CHECKS_AT_ONCE = 2
const CHECKS_WAITING = 50

/**
 * Password checks: slow on purpose, so each credential is checked once and then remembered, as a keyed hash that
 * means nothing outside this process, together with the stored hash it matched. A changed password no longer
 * matches, and guessing at a name does not lock out a client whose credentials are remembered.
 */
export class SignIn {
  readonly #secret = randomBytes(32)
  readonly #proven = new Map<string, string>()
  readonly #checking = new Map<string, Promise<boolean>>()
  readonly #failures = new Failures()
  readonly #nowMs: () => number
  #busy = 0
  readonly #waiting: (() => void)[] = []

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Whether these credentials were proven for this very password hash. */
  isProven(credentials: Credentials, user: UserRow): boolean {
    const tag = this.#tag(credentials)
    const hash = this.#proven.get(tag)
    if (hash === undefined || user.password_hash === '') return false
    this.#proven.delete(tag)
    if (hash !== user.password_hash) return false
    this.#proven.set(tag, hash)
    return true
  }

  /** Throws unless the password is right; takes as long for a user that does not exist. */
  async prove(credentials: Credentials, user: UserRow | undefined): Promise<void> {
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
    const tag = this.#tag(credentials)
    // Requests that arrive together with the same credentials share one check.
    let check = this.#checking.get(tag)
    if (check === undefined) {
      check = this.#check(credentials, user, tag).finally(() => this.#checking.delete(tag))
      this.#checking.set(tag, check)
    }
    if (!(await check)) throw wrongCredentials()
  }

  async #check(credentials: Credentials, user: UserRow | undefined, tag: string): Promise<boolean> {
    await this.#turn()
    try {
      const right = await isPassword(credentials.secret, user?.password_hash)
      if (right && user !== undefined) this.#remember(tag, user.password_hash)
      else this.#failures.add(credentials.username, this.#nowMs())
      return right
    } finally {
      this.#busy -= 1
      this.#waiting.shift()?.()
    }
  }

  async #turn(): Promise<void> {
    if (this.#busy >= CHECKS_AT_ONCE) {
      if (this.#waiting.length >= CHECKS_WAITING) {
        throw new ApiError('rate_limited', 'too many sign-ins at once; try again', { retryAfterSeconds: 2 })
      }
      await new Promise<void>((go) => this.#waiting.push(go))
    }
    this.#busy += 1
  }

  #remember(tag: string, password_hash: string): void {
    this.#proven.set(tag, password_hash)
    if (this.#proven.size <= PROVEN_MOST) return
    const oldest = this.#proven.keys().next()
    if (oldest.done !== true) this.#proven.delete(oldest.value)
  }

  #tag({ username, secret }: Credentials): string {
    return createHmac('sha256', this.#secret).update(`${username}:${secret}`).digest('base64')
  }
}
