import type { Database } from '../database/database.ts'
import { fromAllVersions } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import type { DeletionReason } from './deletion-runs.ts'

/** The log of deletions that remove rows without writing others. */
interface CallDeletion {
  readonly project_id: string
  readonly run_id: string
  readonly reason: DeletionReason
  /** 0 calls and 0 payloads: a run that failed may have deleted some. */
  readonly calls: number
  readonly payloads: number
}

/** Call it after the deletions: caches forget what they have read before (calls/read/cached-aggregates.ts). */
export async function recordDeletions(db: Database, deletions: readonly CallDeletion[]): Promise<void> {
  await db.insert('call_deletions', deletions)
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
  return sql`SELECT deleted_at, reason, calls, payloads ${fromAllVersions(project_id, 'call_deletions')} AND calls + payloads > 0 ORDER BY deleted_at DESC LIMIT 1`
}
