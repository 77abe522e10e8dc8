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
  readonly created_by: string
  readonly created_at: string
}

const QUEUE = sql`SELECT project_id, id, name, description, scores, created_by, created_at`

export async function listQueues(db: Database, project_id: string): Promise<QueueRow[]> {
  return db.rows<QueueRow>(selectQueues(project_id), { name: 'queues list', kind: 'list' })
}

export function selectQueues(project_id: string): Sql {
  return sql`${QUEUE} ${from(project_id, 'queues')} ORDER BY created_at DESC, id`
}

export async function findQueue(db: Database, project_id: string, id: string): Promise<QueueRow | undefined> {
  return db.first<QueueRow>(selectQueue(project_id, id), { name: 'queues find', kind: 'point' })
}

export function selectQueue(project_id: string, id: string): Sql {
  return sql`${QUEUE} ${from(project_id, 'queues')} AND id = ${id}`
}

export async function writeQueue(db: Database, row: QueueRow, now: Micros): Promise<void> {
  const versions = await findVersions(db, row.project_id, 'queues', [row.id])
  const version = nextVersion(now, versions.get(row.id)?.version)
  await db.insert('queues', [{ ...row, version, is_deleted: 0 }])
}

/** Its items stay in the table, but can no longer be reached. */
export async function deleteQueue(db: Database, project_id: string, id: string, now: Micros): Promise<void> {
  await softDeleteRecords(db, project_id, 'queues', [id], now)
}
