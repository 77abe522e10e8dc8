import { from } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { exportColumn, type ExportSource, optionalColumn } from './source.ts'

/** A table is exported as one record per row; an empty table as a single record without a row digest. */
const COLUMNS = [
  exportColumn('digest', 'text'),
  exportColumn('row_count', 'number'),
  exportColumn('original_index', 'number'),
  optionalColumn('row_digest'),
  optionalColumn('val', 'json'),
  exportColumn('created_at', 'time'),
]

export function exportedTables(project_id: string, digests: readonly string[]): ExportSource {
  const keys = (within: Sql): Sql => sql`FROM (${rowPositions(project_id, digests, within)}) WHERE 1`
  // Row positions are narrow, so they are on the side of the join that ClickHouse keeps in memory.
  const rows = (within: Sql): Sql => {
    const positions = rowPositions(project_id, digests, within)
    return sql`FROM (SELECT digest AS stored_digest, val ${from(project_id, 'table_rows')}
  AND digest IN (SELECT row_digest FROM (${positions}))) AS stored
RIGHT JOIN (${positions}) AS listed_row ON stored.stored_digest = listed_row.row_digest
WHERE 1`
  }
  return { what: 'tables', columns: COLUMNS, rows, keys }
}

function rowPositions(project_id: string, digests: readonly string[], within: Sql): Sql {
  const wanted = digests.length === 0 ? sql`1` : sql`digest IN ${digests}`
  return sql`SELECT digest, created_at, row_count, row_digest, original_index
  FROM (SELECT digest, created_at, toUInt32(length(listed)) AS row_count, row_digest,
      toUInt32(greatest(row_position, 1) - 1) AS original_index
    FROM (SELECT digest, created_at, row_digests AS listed ${from(project_id, 'data_tables')} AND ${wanted})
    LEFT ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS row_position)
  WHERE ${within}`
}
