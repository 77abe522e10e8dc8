import { EXPORT_KEYS, type ExportCursor } from '../../core/export/export-cursor.ts'
import type { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import { parseTime } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { type ExportColumn, type ExportRange, type ExportSource, withinRange } from './source.ts'
import { identifier, join, type Sql, sql } from '../query/sql.ts'

/** The rows of an export, in key order. */
export function selectExport(
  source: ExportSource,
  columns: readonly ExportColumn[],
  range: ExportRange,
): Sql {
  const keys = EXPORT_KEYS[source.what]
  const inner = [
    ...columns.map(({ expression }, i) => sql`${expression} AS ${identifier(`c${i}`)}`),
    ...keys.map(({ name }, i) => sql`${identifier(name)} AS ${identifier(`k${i}`)}`),
  ]
  // A subquery, because an alias with the name of a column would replace that column in the conditions too. ClickHouse
  // still reads in key order, so nothing is sorted.
  const outer = columns.map(({ name }, i) => sql`${identifier(`c${i}`)} AS ${identifier(name)}`)
  return sql`SELECT ${join(outer, ', ')}
FROM (SELECT ${join(inner, ', ')}
${source.rows(withinRange(source.what, range))})
ORDER BY ${join(
    keys.map((_, i) => identifier(`k${i}`)),
    ', ',
  )}`
}

export function streamExport(
  db: Database,
  source: ExportSource,
  columns: readonly ExportColumn[],
  range: ExportRange,
): BatchedStream<Record<string, unknown>> {
  const statement = selectExport(source, columns, range)
  return db.stream(statement, { name: `export ${source.what}`, kind: 'export' })
}

/** A Parquet file, written by ClickHouse and passed through. */
export function streamParquet(
  db: Database,
  source: ExportSource,
  columns: readonly ExportColumn[],
  range: ExportRange,
): AsyncGenerator<Buffer> {
  const statement = selectExport(source, columns, range)
  return db.parquet(statement, { name: `export ${source.what}`, kind: 'export' })
}

/** A part of an export: its number of rows, and the key of its last row. */
export interface ExportPiece {
  readonly rows: number
  readonly until: ExportCursor
}

export async function findPiece(
  db: Database,
  source: ExportSource,
  after: ExportCursor | undefined,
  limit: number,
): Promise<ExportPiece> {
  const options = { name: `export ${source.what} piece`, kind: 'export' } as const
  const row = await db.first<Record<string, string>>(selectPiece(source, after, limit), options)
  const until = EXPORT_KEYS[source.what].map(({ kind }, i) => {
    const value = row?.[`k${i}`] ?? ''
    return kind === 'time' ? (parseTime(value) ?? 0n) : kind === 'number' ? Number(value) : value
  })
  return { rows: Number(row?.['rows'] ?? 0), until }
}

const PARTS = [sql`last.1`, sql`last.2`, sql`last.3`]

export function selectPiece(source: ExportSource, after: ExportCursor | undefined, limit: number): Sql {
  const names = EXPORT_KEYS[source.what].map(({ name }) => identifier(name))
  const key = join(names, ', ')
  const last = names.map((_, i) => sql`${PARTS[i]!} AS ${identifier(`k${i}`)}`)
  return sql`SELECT rows, ${join(last, ', ')}
FROM (SELECT count() AS rows, max((${key})) AS last
FROM (SELECT ${key} ${source.keys(withinRange(source.what, { after }))}
ORDER BY ${key} LIMIT ${limit}))`
}

export async function countExport(
  db: Database,
  source: ExportSource,
  after: ExportCursor | undefined,
): Promise<number> {
  const row = await db.first<{ count: string }>(selectExportCount(source, after), {
    name: `export ${source.what} counted`,
    kind: 'scan',
  })
  return Number(row?.count ?? 0)
}

export function selectExportCount(source: ExportSource, after: ExportCursor | undefined): Sql {
  return sql`SELECT count() AS count ${source.keys(withinRange(source.what, { after }))}`
}
