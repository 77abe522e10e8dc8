import { randomUUID } from 'node:crypto'
import { ApiError } from '../../contract/api-error.ts'
import { hashApiKey, newSignInCode } from '../../core/access/credentials.ts'
import { CODE_SECONDS } from '../../core/access/session.ts'
import { networkOf } from '../../core/access/network.ts'
import { KeyedRate } from '../../core/concurrency/keyed-rate.ts'
import { formatTime } from '../../core/time/time.ts'
import { claimOnce } from '../../store/access/key-uses.ts'
import { findKey, writeKeys } from '../../store/access/keys.ts'
import type { Caller, Deps } from '../deps.ts'
import { revokedRow, isExpired, newKeyRow } from './key-rows.ts'

/** One-time codes in sign-in links. */

/** Creates a one-time code for a sign-in link. Its hash is stored with the API keys, where every worker sees it. */
export async function createSignInCode(deps: Deps, user_id: string): Promise<string> {
  const code = newSignInCode()
  await writeKeys(deps.db, [newKeyRow(deps, code, { user_id, kind: 'code' }, CODE_SECONDS * 1000)])
  return code
}

/** Limits the redemptions of one address, and of this process: each one queries ClickHouse without credentials. */
const REDEMPTIONS = { perMinute: 60, burst: 20 } as const
const ALL_REDEMPTIONS = { perMinute: 1_200, burst: 200, maxKeys: 1 } as const

/** Redeems one-time sign-in codes. */
export class SignInCodes {
  readonly #deps: Deps
  readonly #redemptions = new KeyedRate(REDEMPTIONS)
  readonly #allRedemptions = new KeyedRate(ALL_REDEMPTIONS)

  /** Of concurrent redemptions in one process the first one gets it; otherwise none might (`claimOnce`). */
  readonly #used = new Set<string>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Returns the user the code was created for and revokes the code. */
  async redeem(code: string, address: string): Promise<Caller> {
    const nowMs = this.#nowMs()
    const retryAfterSeconds =
      this.#redemptions.take(networkOf(address), 1, nowMs) || this.#allRedemptions.take('', 1, nowMs)
    if (retryAfterSeconds > 0)
      throw new ApiError('rate_limited', `too many sign-ins; try again in ${retryAfterSeconds} s`, {
        retryAfterSeconds,
      })
    const { db } = this.#deps
    const key_hash = hashApiKey(code)
    const row = await findKey(db, key_hash)
    if (row?.kind !== 'code' || isExpired(row, this.#nowMs()) || this.#used.has(key_hash)) throw invalidCode()
    this.#used.add(key_hash)
    const isClaimed = await claimOnce(db, row.key_id, randomUUID(), formatTime(this.#deps.now()))
    if (!isClaimed) throw invalidCode()
    await writeKeys(db, [revokedRow(this.#deps, row)])
    return { user_id: row.user_id, username: row.user_id }
  }

  #nowMs(): number {
    return Number(this.#deps.now() / 1000n)
  }
}

function invalidCode(): ApiError {
  return new ApiError(
    'unauthenticated',
    'this sign-in link was used already or is more than a day old; sign in with a password or an API key, or have the operator print a new link with `heddle users link`',
  )
}
