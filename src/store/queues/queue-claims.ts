import { type Claim, type Holder, currentHolder } from '../../core/queues/queue-lock.ts'
import { type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { fromAllVersions } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** The log of claims on items of review queues; core/queues/queue-lock.ts derives the holders from it. */

/**
 * Older claims are ignored. A claim lasts for minutes, and a rejected claim is in the log only if two were made at the
 * same moment (`claimItem` reads the holder first), so older claims cannot decide anything.
 */
const CLAIM_LOOKBACK_SECONDS = 3600

/** The holder of each claimed item, by call id. */
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
    const holder = currentHolder(claims, now)
    if (holder === undefined) continue
    holders.set(id, { ...holder, secondsLeft: Number(holder.until - now) / 1e6 })
  }
  return holders
}

export function selectClaims(project_id: string, queue_id: string): Sql {
  return sql`SELECT call_id, user_id, claimed_at AS at, claimed_at + toIntervalSecond(seconds) AS until, now64(6, 'UTC') AS now
${fromAllVersions(project_id, 'queue_claims')} AND queue_id = ${queue_id}
  AND claimed_at >= now64(6, 'UTC') - toIntervalSecond(${CLAIM_LOOKBACK_SECONDS})
ORDER BY _block_number, _block_offset`
}

export interface ClaimRequest {
  readonly project_id: string
  readonly queue_id: string
  readonly call_id: string
  readonly user_id: string
  /** 0 releases the item. */
  readonly seconds: number
}

/**
 * Claims an item and returns the holders of all items afterwards. Nothing is written if another user holds the item. If
 * several users see it free, the order of the log decides.
 */
export async function claimItem(db: Database, claim: ClaimRequest): Promise<Holders> {
  const { project_id, queue_id, call_id, user_id, seconds } = claim
  const before = await findHolders(db, project_id, queue_id)
  const holder = before.get(call_id)
  if (holder === undefined ? seconds === 0 : holder.user_id !== user_id) return before
  // The claim is recent and need not be renewed yet.
  if (holder !== undefined && seconds > 0 && holder.secondsLeft > seconds * 0.7) return before
  await db.insert('queue_claims', [claim])
  return findHolders(db, project_id, queue_id)
}

function micros(time: string): Micros {
  return parseTime(time) ?? 0n
}
