import { randomUUID } from 'node:crypto'
import type { RetentionPolicy } from '../../core/retention/retention-policy.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import type { RenewLease } from '../jobs/leases.ts'
import { fromAllVersions } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { deleteCallsBefore } from './delete-calls.ts'
import { expirePayloadsBefore } from './expire-payloads.ts'
import {
  countDeletions,
  findCutoffs,
  latest,
  type RetentionCounts,
  type RetentionCutoffs,
} from './retention-plan.ts'
import { selectCalls, selectedIds, selectKeptIds } from './selected-calls.ts'

type DeletionReason = 'retention' | 'disk' | 'erasure'

/** Applies the policy to the project, and returns what it deleted. */
export async function runPolicy(
  db: Database,
  project_id: string,
  policy: RetentionPolicy,
  now: Micros,
  renew: RenewLease,
): Promise<RetentionCounts> {
  const cutoffs = await findCutoffs(db, project_id, policy, now)
  return applyCutoffs(db, { project_id, cutoffs, keep_tags: policy.keep_tags, reason: 'retention' }, renew)
}

export interface CutoffRequest {
  readonly project_id: string
  readonly cutoffs: RetentionCutoffs
  readonly keep_tags: readonly string[]
  readonly reason: DeletionReason
}

export async function applyCutoffs(
  db: Database,
  { project_id, cutoffs, keep_tags, reason }: CutoffRequest,
  renew: RenewLease,
): Promise<RetentionCounts> {
  const { callsBefore, payloadsBefore } = cutoffs
  const run = { project_id, run_id: randomUUID(), renew }
  const before = latest(callsBefore, payloadsBefore)
  if (before !== undefined)
    await selectCalls(db, project_id, run.run_id, selectKeptIds(project_id, before, keep_tags))
  const counts = await countDeletions(db, project_id, cutoffs, selectedIds(project_id, run.run_id))
  for (const shard of db.shards) {
    if (callsBefore !== undefined) await deleteCallsBefore(shard, run, callsBefore)
    if (payloadsBefore !== undefined) await expirePayloadsBefore(shard, run, payloadsBefore)
  }
  const { calls, payloads } = counts
  if (calls.count + payloads.count > 0)
    await recordDeletion(db, {
      project_id,
      run_id: run.run_id,
      reason,
      calls: calls.count,
      payloads: payloads.count,
    })
  return counts
}

interface CallDeletion {
  readonly project_id: string
  readonly run_id: string
  readonly reason: DeletionReason
  readonly calls: number
  readonly payloads: number
}

/** Call it after the deletion: caches forget what they have read before (calls/cached-aggregates.ts). */
export async function recordDeletion(db: Database, deletion: CallDeletion): Promise<void> {
  await db.insert('call_deletions', [deletion])
}

export interface LastDeletion {
  readonly deleted_at: string
  readonly reason: DeletionReason
  readonly calls: number
  readonly payloads: number
}

export async function findLastDeletion(db: Database, project_id: string): Promise<LastDeletion | undefined> {
  const row = await db.first<Record<keyof LastDeletion, string>>(selectLastDeletion(project_id), {
    name: 'last deletion',
    kind: 'point',
  })
  return (
    row && {
      deleted_at: row.deleted_at,
      reason: row.reason as DeletionReason,
      calls: Number(row.calls),
      payloads: Number(row.payloads),
    }
  )
}

export function selectLastDeletion(project_id: string): Sql {
  return sql`SELECT deleted_at, reason, calls, payloads ${fromAllVersions(project_id, 'call_deletions')} ORDER BY deleted_at DESC LIMIT 1`
}
