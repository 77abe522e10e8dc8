import type { ExportKind } from '../../contract/export/export.ts'
import { EXPORT_KEYS, type ExportCursor, type KeyValue } from '../../core/export/export-cursor.ts'
import { and, bound, identifier, join, type Sql, sql } from '../query/sql.ts'
import type { StoredCallRow } from '../../core/calls/call-view.ts'
import type { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import type { Database } from '../database/database.ts'

/** What is exported of a resource, and from where. */
export interface ExportSource {
  readonly what: ExportKind
  readonly columns: readonly ExportColumn[]
  /** `FROM … WHERE …` for the rows whose key is in the range. */
  readonly rows: (within: Sql) => Sql
  /** The same for the keys alone, which may be cheaper. */
  readonly keys: (within: Sql) => Sql
  /** Calls as lists return them; undefined for everything else. */
  readonly streamCalls?: (
    db: Database,
    paths: readonly string[] | null | undefined,
    range: ExportRange,
  ) => BatchedStream<StoredCallRow>
}

/** `json` is text that holds JSON, null or '' if there is none; `texts` is a list of texts. */
export interface ExportColumn {
  readonly name: string
  readonly kind: 'text' | 'time' | 'number' | 'json' | 'texts'
  readonly expression: Sql
}

/** Keys above `after`, up to and including `until`. */
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

/** A text column in which '' means null. */
export function optionalColumn(name: string, kind: ExportColumn['kind'] = 'text'): ExportColumn {
  return exportColumn(name, kind, sql`nullIf(${identifier(name)}, '')`)
}

/** The range as a condition on the key columns. */
export function withinRange(what: ExportKind, { after, until }: ExportRange): Sql {
  const parts = EXPORT_KEYS[what].map(({ name }) => identifier(name))
  const [first] = parts
  const key = join(parts, ', ')
  const compare = (cursor: ExportCursor, firstOperator: Sql, keyOperator: Sql): Sql => {
    const values = cursor.map(boundKeyValue)
    // The condition on the first column alone is for the primary index, which does not use tuples.
    return sql`${first!} ${firstOperator} ${values[0]!} AND (${key}) ${keyOperator} (${join(values, ', ')})`
  }
  return and([
    ...(after === undefined ? [] : [compare(after, sql`>=`, sql`>`)]),
    ...(until === undefined ? [] : [compare(until, sql`<=`, sql`<=`)]),
  ])
}

function boundKeyValue(value: KeyValue): Sql {
  if (typeof value === 'bigint')
    return sql`fromUnixTimestamp64Micro(${bound('Int64', value.toString())}, 'UTC')`
  return typeof value === 'number' ? bound('UInt64', value) : sql`${value}`
}
