import { ApiError } from '../../contract/api-error.ts'
import { hashApiKey, newSignInCode } from '../../core/access/credentials.ts'
import { CODE_SECONDS } from '../../core/access/session.ts'
import { TokenBucket } from '../../core/concurrency/token-bucket.ts'
import { findKey, writeKeys } from '../../store/access/keys.ts'
import type { Caller, Deps } from '../deps.ts'
import { ended, hasEnded, keyRow } from './key-rows.ts'

/** For a link that signs this user in once. The code is kept as a hash beside the keys, where every worker sees it. */
export async function createSignInCode(deps: Deps, user_id: string): Promise<string> {
  const code = newSignInCode()
  await writeKeys(deps.db, [keyRow(deps, code, { user_id, kind: 'code' }, CODE_SECONDS * 1000)])
  return code
}

/** Codes that a process looks up: each asks the engine, and nobody has to sign in for it. */
const LOOK_UPS = { perSecond: 5, burstSeconds: 10 } as const

export class SignInCodes {
  readonly #deps: Deps
  readonly #lookUps: TokenBucket
  /** The engine cannot compare and set: here at least two who come at once do not both get in. */
  readonly #used = new Set<string>()

  constructor(deps: Deps) {
    this.#deps = deps
    this.#lookUps = new TokenBucket(LOOK_UPS.perSecond, LOOK_UPS.burstSeconds, this.#nowMs())
  }

  /** Who the code was made for. It counts no more from now on. */
  async redeem(code: string): Promise<Caller> {
    if (this.#lookUps.waitMs(1, this.#nowMs()) > 0)
      throw new ApiError('rate_limited', 'too many sign-ins at once; try again', { retryAfterSeconds: 2 })
    this.#lookUps.take(1, this.#nowMs())
    const { db } = this.#deps
    const key_hash = hashApiKey(code)
    const row = await findKey(db, key_hash)
    if (row?.kind !== 'code' || hasEnded(row, this.#nowMs()) || this.#used.has(key_hash)) throw used()
    this.#used.add(key_hash)
    await writeKeys(db, [ended(this.#deps, row)]).catch((error: unknown) => {
      this.#used.delete(key_hash)
      throw error
    })
    return { user_id: row.user_id, username: row.user_id }
  }

  #nowMs(): number {
    return Number(this.#deps.now() / 1000n)
  }
}

function used(): ApiError {
  return new ApiError(
    'unauthenticated',
    'this link has been used already, or is more than a day old; sign in with a password (`heddle users password` makes one) or an API key, or, with the built-in engine, start the server again for a new link',
  )
}
