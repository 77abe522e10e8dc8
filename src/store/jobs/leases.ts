import { currentHolder } from '../../core/queues/queue-lock.ts'
import { parseTime } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/**
 * Leases on background jobs of which only one may run at a time on all nodes, such as retention. They are claims in a
 * log, like those on items of review queues (core/queues/queue-lock.ts).
 */

/** A lease that is not renewed expires: its process was killed. */
const LEASE_SECONDS = 120

/** Older claims cannot decide anything. */
const LOOKBACK_SECONDS = 3600

/** Extends the lease; throws if another process has taken it over. Call it at least once a minute. */
export type RenewLease = () => Promise<void>

/** Runs the work if no other process holds the lease; otherwise returns undefined. */
export async function withLease<T>(
  db: Database,
  job: string,
  owner: string,
  work: (renew: RenewLease) => Promise<T>,
): Promise<T | undefined> {
  if (!(await claim(db, job, owner, LEASE_SECONDS))) return undefined
  let renewedAt = performance.now()
  const renew = async (): Promise<void> => {
    if (performance.now() - renewedAt < (LEASE_SECONDS * 1000) / 4) return
    if (!(await claim(db, job, owner, LEASE_SECONDS)))
      throw new Error(`another process has taken over the job "${job}"`)
    renewedAt = performance.now()
  }
  try {
    return await work(renew)
  } finally {
    await claim(db, job, owner, 0)
  }
}

/** Claims the job and returns whether the owner holds it. 0 seconds release it. */
async function claim(db: Database, job: string, owner: string, seconds: number): Promise<boolean> {
  const holder = await findHolder(db, job)
  if (holder !== undefined && holder !== owner) return false
  await db.insert('job_claims', [{ job, owner, seconds }])
  return (await findHolder(db, job)) === owner
}

async function findHolder(db: Database, job: string): Promise<string | undefined> {
  const rows = await db.rows<{ owner: string; at: string; until: string; now: string }>(selectClaims(job), {
    name: 'job claims',
    kind: 'point',
  })
  const claims = rows.map(({ owner, at, until }) => ({
    user_id: owner,
    at: micros(at),
    until: micros(until),
  }))
  return currentHolder(claims, micros(rows[0]?.now ?? ''))?.user_id
}

function micros(time: string): bigint {
  return parseTime(time) ?? 0n
}

export function selectClaims(job: string): Sql {
  return sql`SELECT owner, claimed_at AS at, claimed_at + toIntervalSecond(seconds) AS until, now64(6, 'UTC') AS now
FROM job_claims WHERE job = ${job} AND claimed_at >= now64(6, 'UTC') - toIntervalSecond(${LOOKBACK_SECONDS})
ORDER BY _block_number, _block_offset`
}
