import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { from, fromAllVersions } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { nextVersion } from '../query/versions.ts'

export interface QueueItemRow {
  readonly project_id: string
  readonly queue_id: string
  readonly call_id: string
  /** The order of review: microseconds, as text. */
  readonly position: string
  readonly added_by: string
  readonly added_at: string
  /** Empty until the item is completed. */
  readonly done_by: string
  readonly done_at: string | null
  readonly skipped_by: readonly string[]
  /** Paths of the call to show, as sent with Weave's API. */
  readonly display_fields: readonly string[]
}

export interface StoredQueueItem extends QueueItemRow {
  /** Microseconds of the last change, as text. */
  readonly version: string
}

const ITEM = sql`SELECT project_id, queue_id, call_id, position, added_by, added_at, done_by, done_at, skipped_by, display_fields, version`

export async function listQueueItems(
  db: Database,
  project_id: string,
  queue_id: string,
): Promise<StoredQueueItem[]> {
  const statement = selectQueueItems(project_id, queue_id)
  return db.rows<StoredQueueItem>(statement, { name: 'queue items', kind: 'list' })
}

export function selectQueueItems(project_id: string, queue_id: string): Sql {
  return sql`${ITEM} ${from(project_id, 'queue_items')} AND queue_id = ${queue_id} ORDER BY position, call_id`
}

export async function findQueueItem(
  db: Database,
  project_id: string,
  queue_id: string,
  call_id: string,
): Promise<StoredQueueItem | undefined> {
  const statement = selectQueueItem(project_id, queue_id, call_id)
  return db.first<StoredQueueItem>(statement, { name: 'queue item', kind: 'point' })
}

export function selectQueueItem(project_id: string, queue_id: string, call_id: string): Sql {
  return sql`${ITEM} ${from(project_id, 'queue_items')} AND queue_id = ${queue_id} AND call_id = ${call_id}`
}

export interface QueueProgress {
  readonly total: number
  readonly done: number
  readonly skipped: number
  /** Done, or skipped by anyone. */
  readonly reviewed: number
}

/** The progress of each queue of a project for one user. Queues without items are left out. */
export async function countQueueItems(
  db: Database,
  project_id: string,
  user_id: string,
): Promise<ReadonlyMap<string, QueueProgress>> {
  const rows = await db.rows<{
    queue_id: string
    total: string
    done: string
    skipped: string
    reviewed: string
  }>(selectQueueCounts(project_id, user_id), { name: 'queue counts', kind: 'list' })
  return new Map(
    rows.map((row) => [
      row.queue_id,
      {
        total: Number(row.total),
        done: Number(row.done),
        skipped: Number(row.skipped),
        reviewed: Number(row.reviewed),
      },
    ]),
  )
}

export function selectQueueCounts(project_id: string, user_id: string): Sql {
  return sql`SELECT queue_id, count() AS total, countIf(done_by != '') AS done, countIf(done_by = '' AND has(skipped_by, ${user_id})) AS skipped, countIf(done_by != '' OR notEmpty(skipped_by)) AS reviewed
${from(project_id, 'queue_items')} GROUP BY queue_id`
}

/** Inserts or replaces items, also removed ones. */
export async function writeQueueItems(
  db: Database,
  rows: readonly QueueItemRow[],
  now: Micros,
  isDeleted = false,
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const ids = rows.map(({ call_id }) => call_id)
  const statement = selectItemVersions(first.project_id, first.queue_id, ids)
  const known = await db.rows<{ call_id: string; newest: string }>(statement, {
    name: 'queue item versions',
    kind: 'point',
  })
  const versions = new Map(known.map(({ call_id, newest }) => [call_id, BigInt(newest)]))
  await db.insert(
    'queue_items',
    rows.map((row) => ({
      ...row,
      version: nextVersion(now, versions.get(row.call_id)),
      is_deleted: isDeleted ? 1 : 0,
    })),
  )
}

export function selectItemVersions(project_id: string, queue_id: string, call_ids: readonly string[]): Sql {
  return sql`SELECT call_id, max(version) AS newest
${fromAllVersions(project_id, 'queue_items')} AND queue_id = ${queue_id} AND call_id IN ${call_ids} GROUP BY call_id`
}
