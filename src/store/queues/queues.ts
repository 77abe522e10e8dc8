import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { from } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { findVersions, softDeleteRecords, nextVersion } from '../query/versions.ts'

export interface QueueRow {
  readonly project_id: string
  readonly id: string
  readonly name: string
  readonly description: string
  readonly scores: readonly string[]
  /** As sent with Weave's API; core/queues/scorer-refs.ts derives `scores` from them. */
  readonly scorer_refs: readonly string[]
  readonly created_by: string
  readonly created_at: string
}

export interface StoredQueue extends QueueRow {
  /** Microseconds of the last change, as text. */
  readonly version: string
}

const QUEUE = sql`SELECT project_id, id, name, description, scores, scorer_refs, created_by, created_at, version`

export async function listQueues(db: Database, project_id: string): Promise<StoredQueue[]> {
  return db.rows<StoredQueue>(selectQueues(project_id), { name: 'queues list', kind: 'list' })
}

export function selectQueues(project_id: string): Sql {
  return sql`${QUEUE} ${from(project_id, 'queues')} ORDER BY created_at DESC, id`
}

export async function findQueue(
  db: Database,
  project_id: string,
  id: string,
): Promise<StoredQueue | undefined> {
  return db.first<StoredQueue>(selectQueue(project_id, id), { name: 'queues find', kind: 'point' })
}

export function selectQueue(project_id: string, id: string): Sql {
  return sql`${QUEUE} ${from(project_id, 'queues')} AND id = ${id}`
}

/** Returns the version that was written. */
export async function writeQueue(db: Database, row: QueueRow, now: Micros): Promise<string> {
  const versions = await findVersions(db, row.project_id, 'queues', [row.id])
  const version = nextVersion(now, versions.get(row.id)?.version)
  await db.insert('queues', [{ ...row, version, is_deleted: 0 }])
  return version
}

/** Its items stay in the table, but can no longer be reached. */
export async function deleteQueue(db: Database, project_id: string, id: string, now: Micros): Promise<void> {
  await softDeleteRecords(db, project_id, 'queues', [id], now)
}
