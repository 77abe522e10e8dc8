import type { Database } from '../database/database.ts'
import { from, fromDatabase, type TenantTable } from '../query/scope.ts'
import { identifier, inlineText, join, type Sql, sql } from '../query/sql.ts'
import { listColumns, listPartitions } from './restored-database.ts'

/**
 * Copies the rows of one project from a restored database of the same server, as readers see them: replaced and deleted
 * rows stay behind. A row is known by its key and version, so copying again adds only what is missing.
 */

/** In the order in which they are copied: what is referenced first, and the facts of calls before their rows. */
const ROW_KEYS: Readonly<Record<TenantTable, readonly string[] | undefined>> = {
  files: ['digest', 'chunk', 'created_at'],
  table_rows: ['digest', 'created_at'],
  data_tables: ['digest', 'created_at'],
  object_versions: ['object_id', 'digest', 'published_at', 'deleted_at'],
  object_labels: ['object_id', 'kind', 'label', 'tagged_digest', 'created_at'],
  prices: ['id', 'version'],
  call_parts: ['id', 'fact', 'version'],
  calls: ['id', 'started_at', 'start_hash', 'version'],
  feedback: ['id', 'version'],
  queues: ['id', 'version'],
  queue_items: ['queue_id', 'call_id', 'version'],
  dataset_sources: [
    'dataset_object_id',
    'row_digest',
    'source_kind',
    'source_id',
    'source_trace_id',
    'version',
  ],
  retention_policies: ['changed_at'],
  secrets: ['name', 'changed_at'],
  model_budgets: ['changed_at'],
  // What is spent today does not come back.
  model_spend: undefined,
  // Filled by materialized views.
  call_ids: undefined,
  live_log: undefined,
  // Claims last minutes, and the others are about deletions of the present database.
  queue_claims: undefined,
  selected_calls: undefined,
  call_deletions: undefined,
}

export const COPIED_TABLES: readonly TenantTable[] = (Object.keys(ROW_KEYS) as TenantTable[]).filter(
  (table) => ROW_KEYS[table] !== undefined,
)

/** The caches of aggregates, the sweeper and retention know by it which rows are new, so a copy gets its own. */
const TIME_OF_INSERT = 'inserted_at'

function rowHash(table: TenantTable): Sql {
  return sql`sipHash128(${join((ROW_KEYS[table] ?? []).map(identifier), ', ')})`
}

export async function countRestoredRows(
  db: Database,
  restored: string,
  project_id: string,
  table: TenantTable,
): Promise<number> {
  return count(db, selectRestoredRowCount(restored, project_id, table))
}

export function selectRestoredRowCount(restored: string, project_id: string, table: TenantTable): Sql {
  return sql`SELECT count() AS count ${fromDatabase(restored, project_id, table)}`
}

/** Rows of the project that the restored database does not have. */
export async function countOtherRows(
  db: Database,
  restored: string,
  project_id: string,
  table: TenantTable,
): Promise<number> {
  return count(db, selectOtherRowCount(restored, project_id, table))
}

export function selectOtherRowCount(restored: string, project_id: string, table: TenantTable): Sql {
  return sql`SELECT count() AS count ${otherRows(restored, project_id, table)}`
}

function otherRows(restored: string, project_id: string, table: TenantTable): Sql {
  const hash = rowHash(table)
  return sql`${from(project_id, table)} AND ${hash} NOT IN (SELECT ${hash} ${fromDatabase(restored, project_id, table)})`
}

async function count(db: Database, statement: Sql): Promise<number> {
  const row = await db.first<{ count: string }>(statement, { name: 'project rows compared', kind: 'export' })
  return Number(row?.count ?? 0)
}

/** Calls of the restored database of which the project has other records, too. */
export async function listChangedCalls(
  db: Database,
  restored: string,
  project_id: string,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(selectChangedCalls(restored, project_id), {
    name: 'calls changed since backup',
    kind: 'export',
  })
  return rows.map(({ id }) => id)
}

export function selectChangedCalls(restored: string, project_id: string): Sql {
  return sql`SELECT DISTINCT id FROM (
  SELECT id ${otherRows(restored, project_id, 'calls')}
  UNION ALL SELECT id ${otherRows(restored, project_id, 'call_parts')})
WHERE id IN (SELECT id ${fromDatabase(restored, project_id, 'call_ids')}) ORDER BY id`
}

/** A payload may have 20 MB, and FINAL collects a block of rows before it inserts them. */
const COPY_SETTINGS = {
  max_block_size: '512',
  max_threads: 2,
  max_insert_threads: '1',
  min_insert_block_size_rows: '100000',
  min_insert_block_size_bytes: '67108864',
  // A repetition may insert the block of an earlier attempt, whose rows were deleted since.
  insert_deduplicate: 0,
} as const

/** Adds the rows that are missing in the table of `db`, one partition after the other. */
export async function copyRows(
  db: Database,
  restored: string,
  project_id: string,
  table: TenantTable,
): Promise<void> {
  const columns = (await listColumns(db, table)).filter((name) => name !== TIME_OF_INSERT)
  for (const { table: name, partition_id } of await listPartitions(db, restored))
    if (name === table)
      await db.longDdl(copyText(restored, project_id, table, columns, partition_id), COPY_SETTINGS)
}

export function copyText(
  restored: string,
  project_id: string,
  table: TenantTable,
  columns: readonly string[],
  partition_id: string,
): string {
  const names = join(columns.map(identifier), ', ')
  const hash = rowHash(table)
  const inPartition = sql`AND _partition_id = ${partition_id}`
  return inlineText(
    sql`INSERT INTO ${identifier(table)} (${names}) SELECT ${names} ${fromDatabase(restored, project_id, table)} ${inPartition}
AND ${hash} NOT IN (SELECT ${hash} ${from(project_id, table)} ${inPartition})`,
  )
}
