import type { SortBy } from '../../contract/fields.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { queryForm } from '../../core/json/query-form.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { type Page, page } from '../query/page.ts'
import type { Fields } from '../query/field.ts'
import { compileSort } from '../query/sort.ts'
import { RowWriter } from '../database/row-binary.ts'
import { from } from '../query/scope.ts'
import { join, type Sql, sql } from '../query/sql.ts'

/** Tables are lists of row digests; rows are kept once for each project, whichever tables hold them. */
export interface NewRow {
  readonly digest: string
  readonly val: RawJson
}

/** Bytes after which a piece is handed to the engine, so that a big table is not copied whole. */
const PIECE_BYTES = 4 * 1024 * 1024
const NOTHING = Buffer.alloc(0)

export async function insertRows(
  db: Database,
  project_id: string,
  rows: readonly NewRow[],
  now: Micros,
): Promise<void> {
  if (rows.length === 0) return
  const pieces: Buffer[] = []
  let writer = new RowWriter()
  let size = 0
  for (const { digest, val } of rows) {
    const bytes = val.bytes
    const form = queryForm(bytes) ?? NOTHING
    writer.string(project_id).string(digest).bytes(bytes).bytes(form).i64(now)
    size += bytes.length + form.length
    if (size < PIECE_BYTES) continue
    pieces.push(writer.take())
    writer = new RowWriter()
    size = 0
  }
  pieces.push(writer.take())
  await db.insertBinary('table_rows', ['project_id', 'digest', 'val', 'query_form', 'created_at'], pieces)
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

/** The rows of a table in order; undefined for a table that is not there. */
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

/** 0 for a table that is not there. */
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
  /** Of its rows, each as often as it stands in the table. */
  readonly size_bytes: number
}

/** Of those that are there. */
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
  return sql`SELECT place.digest AS digest, toUInt32(any(rows)) AS count, sum(size) AS size_bytes
FROM (SELECT digest, length(row_digests) AS rows, row_digest FROM (${listed}) LEFT ARRAY JOIN row_digests AS row_digest) AS place
LEFT JOIN (SELECT digest, length(val) AS size ${from(project_id, 'table_rows')}
  AND digest IN (SELECT arrayJoin(row_digests) FROM (${listed}))) AS stored
ON place.row_digest = stored.digest
GROUP BY place.digest`
}

export interface RowsQuery extends Page {
  readonly digest: string
  /** Only rows with these digests; undefined or empty: all. */
  readonly row_digests: readonly string[]
  readonly sort_by: SortBy
}

export interface StoredRow {
  readonly digest: string
  readonly val: string
  readonly original_index: number
}

/** The engine unfolds the list, sorts and cuts the page; no list of rows travels in a statement. */
export async function queryRows(db: Database, project_id: string, query: RowsQuery): Promise<StoredRow[]> {
  return db.rows<StoredRow>(rowsStatement(project_id, query), { name: 'table query', kind: 'scan' })
}

export function rowsStatement(project_id: string, query: RowsQuery): Sql {
  const terms = compileSort(query.sort_by, rowFields)
  const isSorted = terms.length > 0
  // In insertion order the page is cut before any value is read.
  const places = isSorted
    ? placesOf(project_id, query)
    : sql`${placesOf(project_id, query)} ORDER BY original_index ${page(query)}`
  return sql`SELECT place.digest AS digest, val, original_index
    FROM (${places}) AS place
    INNER JOIN (SELECT digest, val, if(query_form = '', val, query_form) AS document
      ${from(project_id, 'table_rows')} AND digest IN (SELECT digest FROM (${places}))) AS stored
    ON place.digest = stored.digest
    ORDER BY ${join([...terms, sql`original_index`], ', ')} ${isSorted ? page(query) : sql``}`
}

/** Every place of the table with the digest of its row: a row that stands twice has two. */
function placesOf(project_id: string, { digest, row_digests }: RowsQuery): Sql {
  const wanted = row_digests.length === 0 ? sql`1` : sql`row_digest IN ${row_digests}`
  return sql`SELECT row_digest AS digest, toUInt32(place_number - 1) AS original_index
    FROM (SELECT row_digests AS listed ${from(project_id, 'data_tables')} AND digest = ${digest})
    ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS place_number
    WHERE ${wanted}`
}

/** A name in `sort_by` is a path into the row. */
const rowFields: Fields = (path) => ({ kind: 'json', document: sql`document`, path })
