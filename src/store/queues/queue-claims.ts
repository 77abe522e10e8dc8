import { type Claim, type Holder, holderOf } from '../../core/queues/queue-lock.ts'
import { type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { fromEveryVersion } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** The log of claims on items of review queues; core/queue-lock.ts says what they come to. */

/**
 * Claims older than this decide nothing. A claim lasts for minutes, and one that was refused stands in the log only if
 * two were made within the same moment (`claimItem` asks first): what is cut off here cannot matter any more.
 */
const LOOKED_BACK_SECONDS = 3600

/** Who has which item open, by call. */
export type Holders = ReadonlyMap<string, Holder & { readonly secondsLeft: number }>

export async function findHolders(db: Database, project_id: string, queue_id: string): Promise<Holders> {
  const rows = await db.rows<{ call_id: string; user_id: string; at: string; until: string; now: string }>(
    selectClaims(project_id, queue_id),
    { name: 'queue claims', kind: 'point' },
  )
  const now = rows[0] === undefined ? 0n : micros(rows[0].now)
  const byItem = new Map<string, Claim[]>()
  for (const row of rows) {
    const claims = byItem.get(row.call_id) ?? []
    claims.push({ user_id: row.user_id, at: micros(row.at), until: micros(row.until) })
    byItem.set(row.call_id, claims)
  }
  const holders = new Map<string, Holder & { secondsLeft: number }>()
  for (const [id, claims] of byItem) {
    const holder = holderOf(claims, now)
    if (holder === undefined) continue
    holders.set(id, { ...holder, secondsLeft: Number(holder.until - now) / 1e6 })
  }
  return holders
}

export function selectClaims(project_id: string, queue_id: string): Sql {
  return sql`SELECT call_id, user_id, claimed_at AS at, claimed_at + toIntervalSecond(seconds) AS until, now64(6, 'UTC') AS now
${fromEveryVersion(project_id, 'queue_claims')} AND queue_id = ${queue_id}
  AND claimed_at >= now64(6, 'UTC') - toIntervalSecond(${LOOKED_BACK_SECONDS})
ORDER BY _block_number, _block_offset`
}

export interface ClaimRequest {
  readonly project_id: string
  readonly queue_id: string
  readonly call_id: string
  readonly user_id: string
  /** 0 lets go of the item. */
  readonly seconds: number
}

/**
 * Who holds each item of the queue after the claim was made, whether by it or by somebody before. Nothing is appended
 * where somebody else is seen to hold the item; of several who see it free, the log decides.
 */
export async function claimItem(db: Database, claim: ClaimRequest): Promise<Holders> {
  const { project_id, queue_id, call_id, user_id, seconds } = claim
  const before = await findHolders(db, project_id, queue_id)
  const holder = before.get(call_id)
  if (holder === undefined ? seconds === 0 : holder.user_id !== user_id) return before
  // It was made a moment ago: there is nothing to renew yet.
  if (holder !== undefined && seconds > 0 && holder.secondsLeft > seconds * 0.7) return before
  await db.insert('queue_claims', [claim])
  return findHolders(db, project_id, queue_id)
}

function micros(time: string): Micros {
  return parseTime(time) ?? 0n
}
