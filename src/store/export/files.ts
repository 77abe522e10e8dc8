import { from } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { exportColumn, type ExportSource } from './source.ts'

/** A file is exported as its stored chunks of up to 512 KiB, in base64: no format has binary values in all its readers. */
const COLUMNS = [
  exportColumn('digest', 'text'),
  exportColumn('chunk', 'number'),
  exportColumn('chunks', 'number'),
  exportColumn('base64', 'text', sql`base64Encode(data)`),
  exportColumn('created_at', 'time'),
]

export function exportedFiles(project_id: string, digests: readonly string[]): ExportSource {
  const wanted = digests.length === 0 ? sql`1` : sql`digest IN ${digests}`
  const rows = (within: Sql): Sql => sql`${from(project_id, 'files')} AND ${wanted} AND ${within}`
  return { what: 'files', columns: COLUMNS, rows, keys: rows }
}
