import type { Readable } from 'node:stream'
import type { ExportKind } from '../../contract/export/export.ts'
import { EXPORT_KEYS } from '../../core/export/export-cursor.ts'
import type { Database } from '../database/database.ts'
import type { ExportColumn } from './source.ts'
import { identifier, join, type Sql, sql } from '../query/sql.ts'

/** Reads Parquet files of an export: ClickHouse imports the file into a temporary table, which is then read as rows. */
const TABLE = 'parquet_file'

const TYPES: Readonly<Record<ExportColumn['kind'], string>> = {
  text: 'Nullable(String)',
  json: 'Nullable(String)',
  time: "Nullable(DateTime64(6, 'UTC'))",
  number: 'Nullable(Int64)',
  texts: 'Array(String)',
}

/** The rows of an export file, in key order. Only one file at a time. */
export async function* readParquetFile(
  db: Database,
  what: ExportKind,
  columns: readonly ExportColumn[],
  open: () => Readable,
): AsyncGenerator<Record<string, unknown>> {
  const keys = EXPORT_KEYS[what].map(({ name }) => name)
  const structure = columns.map(({ name, kind }) => {
    const type = TYPES[kind]
    return `${name} ${keys.includes(name) ? type.replace(/^Nullable\((.*)\)$/, '$1') : type}`
  })
  await db.ddl(`DROP TABLE IF EXISTS ${TABLE} SYNC`)
  await db.ddl(
    `CREATE TABLE ${TABLE} (${structure.join(', ')}) ENGINE = MergeTree ORDER BY (${keys.join(', ')})`,
  )
  try {
    await db.insertParquet(TABLE, open)
    yield* db.stream<Record<string, unknown>>(selectParquetFile(keys), {
      name: 'parquet file',
      kind: 'export',
    })
  } finally {
    await db.ddl(`DROP TABLE IF EXISTS ${TABLE} SYNC`)
  }
}

export function selectParquetFile(keys: readonly string[]): Sql {
  return sql`SELECT * FROM ${identifier(TABLE)} ORDER BY ${join(keys.map(identifier), ', ')}`
}
