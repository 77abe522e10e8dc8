import type { SortBy } from '../../contract/fields.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import type { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import { normalizedJson } from '../../core/json/normalized-json.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { type Page, page } from '../query/page.ts'
import type { Fields } from '../query/field.ts'
import { compileSort } from '../query/sort.ts'
import { RowWriter } from '../database/row-binary.ts'
import { from } from '../query/scope.ts'
import { join, type Sql, sql } from '../query/sql.ts'

/** Tables are lists of row digests; each distinct row is stored once per project. */
export interface NewRow {
  readonly digest: string
  readonly val: RawJson
}

/** Rows are encoded in chunks of this size, so that a large table is not copied as a whole. */
const CHUNK_BYTES = 4 * 1024 * 1024
const NO_BYTES = Buffer.alloc(0)

export async function insertRows(
  db: Database,
  project_id: string,
  rows: readonly NewRow[],
  now: Micros,
): Promise<void> {
  if (rows.length === 0) return
  const chunks: Buffer[] = []
  let writer = new RowWriter()
  let size = 0
  for (const { digest, val } of rows) {
    const bytes = val.bytes
    const form = normalizedJson(bytes) ?? NO_BYTES
    writer.string(project_id).string(digest).bytes(bytes).bytes(form).i64(now)
    size += bytes.length + form.length
    if (size < CHUNK_BYTES) continue
    chunks.push(writer.take())
    writer = new RowWriter()
    size = 0
  }
  chunks.push(writer.take())
  await db.insertBinary('table_rows', ['project_id', 'digest', 'val', 'val_normalized', 'created_at'], chunks)
}

export async function insertTable(
  db: Database,
  project_id: string,
  digest: string,
  row_digests: readonly string[],
  now: Micros,
): Promise<void> {
  const row = new RowWriter().string(project_id).string(digest).strings(row_digests).i64(now).take()
  await db.insertBinary('data_tables', ['project_id', 'digest', 'row_digests', 'created_at'], [row])
}

/** The row digests of a table, in order; undefined if the table does not exist. */
export async function findRowDigests(
  db: Database,
  project_id: string,
  digest: string,
): Promise<string[] | undefined> {
  const row = await db.first<{ row_digests: string[] }>(selectRowDigests(project_id, digest), {
    name: 'table row digests',
    kind: 'point',
  })
  return row?.row_digests
}

export function selectRowDigests(project_id: string, digest: string): Sql {
  return sql`SELECT row_digests ${from(project_id, 'data_tables')} AND digest = ${digest}`
}

/** 0 if the table does not exist. */
export async function countRows(db: Database, project_id: string, digest: string): Promise<number> {
  const row = await db.first<{ count: number }>(selectRowCount(project_id, digest), {
    name: 'table count',
    kind: 'point',
  })
  return row?.count ?? 0
}

export function selectRowCount(project_id: string, digest: string): Sql {
  return sql`SELECT toUInt32(length(row_digests)) AS count ${from(project_id, 'data_tables')} AND digest = ${digest}`
}

export interface TableStats {
  readonly digest: string
  readonly count: number
  /** The size of all rows; repeated rows count each time. */
  readonly size_bytes: number
}

/** The statistics of existing tables; others are left out. */
export async function listTableStats(
  db: Database,
  project_id: string,
  digests: readonly string[],
): Promise<TableStats[]> {
  if (digests.length === 0) return []
  const rows = await db.rows<{ digest: string; count: number; size_bytes: string }>(
    selectTableStats(project_id, digests),
    { name: 'table stats', kind: 'scan' },
  )
  return rows.map((row) => ({ ...row, size_bytes: Number(row.size_bytes) }))
}

export function selectTableStats(project_id: string, digests: readonly string[]): Sql {
  const listed = sql`SELECT digest, row_digests ${from(project_id, 'data_tables')} AND digest IN ${digests}`
  return sql`SELECT listed_row.digest AS digest, toUInt32(any(rows)) AS count, sum(size) AS size_bytes
FROM (SELECT digest, length(row_digests) AS rows, row_digest FROM (${listed}) LEFT ARRAY JOIN row_digests AS row_digest) AS listed_row
LEFT JOIN (SELECT digest, val.size AS size ${from(project_id, 'table_rows')}
  AND digest IN (SELECT arrayJoin(row_digests) FROM (${listed}))) AS stored
ON listed_row.row_digest = stored.digest
GROUP BY listed_row.digest`
}

export interface RowsQuery extends Page {
  readonly digest: string
  /** Only rows with these digests; all rows if empty. */
  readonly row_digests: readonly string[]
  readonly sort_by: SortBy
}

export interface StoredRow {
  readonly digest: string
  readonly val: string
  readonly original_index: number
}

/** ClickHouse expands the list of digests, sorts and pages it; statements contain no lists of rows. */
export async function queryRows(db: Database, project_id: string, query: RowsQuery): Promise<StoredRow[]> {
  return db.rows<StoredRow>(rowsStatement(project_id, query), { name: 'table query', kind: 'scan' })
}

/** Like `queryRows`, row by row: leaving the loop cancels the query. */
export function streamRows(db: Database, project_id: string, query: RowsQuery): BatchedStream<StoredRow> {
  return db.stream<StoredRow>(rowsStatement(project_id, query), { name: 'table query', kind: 'scan' })
}

export function rowsStatement(project_id: string, query: RowsQuery): Sql {
  const terms = compileSort(query.sort_by, rowFields)
  const isSorted = terms.length > 0
  // In insertion order the page is selected before any value is read.
  const positions = isSorted
    ? rowPositions(project_id, query)
    : sql`${rowPositions(project_id, query)} ORDER BY original_index ${page(query)}`
  return sql`SELECT listed_row.digest AS digest, val, original_index
    FROM (${positions}) AS listed_row
    INNER JOIN (SELECT digest, val, if(val_normalized = '', val, val_normalized) AS document
      ${from(project_id, 'table_rows')} AND digest IN (SELECT digest FROM (${positions}))) AS stored
    ON listed_row.digest = stored.digest
    ORDER BY ${join([...terms, sql`original_index`], ', ')} ${isSorted ? page(query) : sql``}`
}

/** The positions of the table with the digest of each row; a repeated row has several positions. */
function rowPositions(project_id: string, { digest, row_digests }: RowsQuery): Sql {
  const wanted = row_digests.length === 0 ? sql`1` : sql`row_digest IN ${row_digests}`
  return sql`SELECT row_digest AS digest, toUInt32(row_position - 1) AS original_index
    FROM (SELECT row_digests AS listed ${from(project_id, 'data_tables')} AND digest = ${digest})
    ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS row_position
    WHERE ${wanted}`
}

/** Field names in `sort_by` are paths into the row. */
const rowFields: Fields = (path) => ({ kind: 'json', document: sql`document`, path })
