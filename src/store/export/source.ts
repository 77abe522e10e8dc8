import type { Exported } from '../../contract/export/export.ts'
import { EXPORT_KEYS, type ExportCursor, type KeyValue } from '../../core/export/export-cursor.ts'
import { and, bound, identifier, join, type Sql, sql } from '../query/sql.ts'

/** What of a noun is exported, and from where. */
export interface ExportSource {
  readonly what: Exported
  readonly columns: readonly ExportColumn[]
  /** `FROM … WHERE …` with the rows whose key is within. */
  readonly rows: (within: Sql) => Sql
  /** The same for the keys alone, where that is less work. */
  readonly keys: (within: Sql) => Sql
}

/** `json` is text that holds JSON, null or '' for none; `texts` a list of texts. */
export interface ExportColumn {
  readonly name: string
  readonly kind: 'text' | 'time' | 'number' | 'json' | 'texts'
  readonly expression: Sql
}

/** From after one key to another, that one included. */
export interface ExportRange {
  readonly after?: ExportCursor | undefined
  readonly until?: ExportCursor | undefined
}

export function exportColumn(
  name: string,
  kind: ExportColumn['kind'],
  expression: Sql = identifier(name),
): ExportColumn {
  return { name, kind, expression }
}

/** A text that is '' where there is none. */
export function optionalColumn(name: string, kind: ExportColumn['kind'] = 'text'): ExportColumn {
  return exportColumn(name, kind, sql`nullIf(${identifier(name)}, '')`)
}

/** As a condition on the columns of the key. */
export function withinRange(what: Exported, { after, until }: ExportRange): Sql {
  const parts = EXPORT_KEYS[what].map(({ name }) => identifier(name))
  const [first] = parts
  const key = join(parts, ', ')
  const compare = (cursor: ExportCursor, bare: Sql, whole: Sql): Sql => {
    const values = cursor.map(valueOf)
    // The first alone lets the engine find its place by the index; of tuples it does not think so.
    return sql`${first!} ${bare} ${values[0]!} AND (${key}) ${whole} (${join(values, ', ')})`
  }
  return and([
    ...(after === undefined ? [] : [compare(after, sql`>=`, sql`>`)]),
    ...(until === undefined ? [] : [compare(until, sql`<=`, sql`<=`)]),
  ])
}

function valueOf(value: KeyValue): Sql {
  if (typeof value === 'bigint')
    return sql`fromUnixTimestamp64Micro(${bound('Int64', value.toString())}, 'UTC')`
  return typeof value === 'number' ? bound('UInt64', value) : sql`${value}`
}
