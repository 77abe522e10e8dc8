import { from } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { exportColumn, type ExportSource, optionalColumn } from './source.ts'

/** A table is its rows, one each; an empty one is a single row without a digest. */
const COLUMNS = [
  exportColumn('digest', 'text'),
  exportColumn('row_count', 'number'),
  exportColumn('original_index', 'number'),
  optionalColumn('row_digest'),
  optionalColumn('val', 'json'),
  exportColumn('created_at', 'time'),
]

export function exportedTables(project_id: string, digests: readonly string[]): ExportSource {
  const keys = (within: Sql): Sql => sql`FROM (${placesOf(project_id, digests, within)}) WHERE 1`
  // The places of rows are narrow: they are what the engine may keep in memory for the join.
  const rows = (within: Sql): Sql => {
    const places = placesOf(project_id, digests, within)
    return sql`FROM (SELECT digest AS stored_digest, val ${from(project_id, 'table_rows')}
  AND digest IN (SELECT row_digest FROM (${places}))) AS stored
RIGHT JOIN (${places}) AS place ON stored.stored_digest = place.row_digest
WHERE 1`
  }
  return { what: 'tables', columns: COLUMNS, rows, keys }
}

function placesOf(project_id: string, digests: readonly string[], within: Sql): Sql {
  const wanted = digests.length === 0 ? sql`1` : sql`digest IN ${digests}`
  return sql`SELECT digest, created_at, row_count, row_digest, original_index
  FROM (SELECT digest, created_at, toUInt32(length(listed)) AS row_count, row_digest,
      toUInt32(greatest(place_number, 1) - 1) AS original_index
    FROM (SELECT digest, created_at, row_digests AS listed ${from(project_id, 'data_tables')} AND ${wanted})
    LEFT ARRAY JOIN listed AS row_digest, arrayEnumerate(listed) AS place_number)
  WHERE ${within}`
}
