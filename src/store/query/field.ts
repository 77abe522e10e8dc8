import { unprocessable } from '../../contract/api-error.ts'
import type { Sql } from './sql.ts'

/**
 * What the names in a query mean for one noun. Each noun writes its own resolver:
 *
 *     const feedbackFields: Fields = (path, raw) => {
 *       const [name, ...rest] = path
 *       if (name === 'payload') return { kind: 'json', document: sql`payload`, path: rest }
 *       const column = rest.length === 0 ? COLUMNS.get(name) : undefined   // a Map, never an object lookup
 *       if (column === undefined) throw unknownField(raw, [...COLUMNS.keys(), 'payload.*'])
 *       return column
 *     }
 *
 * and hands it to `compileCondition` and `compileSort`. `path` has the escapes resolved and at least one part,
 * none of them empty; `raw` is the name as the client sent it. The parts are the client's text: they may be
 * compared with names or passed on in `path`, but never become SQL.
 */
export type Fields = (path: readonly string[], raw: string) => Field

export type ColumnType = 'text' | 'int' | 'float' | 'bool' | 'time' | 'array'

/** A column, or any expression over columns, of a known type. `array` is Array(String), `time` is DateTime64. */
export interface ColumnField {
  readonly kind: 'column'
  readonly type: ColumnType
  readonly sql: Sql
  /**
   * How the expression says "not set", which queries see as null:
   * `never`: every row has a value; `null`: it is Nullable; `empty`: '' (or []) stands for it.
   */
  readonly unset: 'never' | 'null' | 'empty'
}

/**
 * A value inside a JSON document. `document` is a String expression that holds JSON text ('' reads as missing),
 * `path` where to look in it ([] is the whole document).
 */
export interface JsonField {
  readonly kind: 'json'
  readonly document: Sql
  readonly path: readonly string[]
}

/** A value that was pulled out of a document at insert: `=` and its text, or '' if there is none (core/json/leaves.ts). */
export interface LeafField {
  readonly kind: 'leaf'
  readonly sql: Sql
}

/**
 * Several values per row, such as the feedback of a call: a comparison holds when it holds for any of them.
 * `each` is read inside the sub-select that `matches` writes around the comparison.
 */
export interface ManyField {
  readonly kind: 'many'
  readonly each: ColumnField | JsonField
  readonly matches: (condition: Sql) => Sql
  /** The one value per row that sorting goes by. */
  readonly one: ColumnField | JsonField
}

export type Field = ColumnField | JsonField | LeafField | ManyField

export function unknownField(
  raw: string,
  allowed: readonly string[],
  loc: readonly (string | number)[] = ['query'],
) {
  return unprocessable(loc, `unknown field "${raw}"; allowed are ${allowed.join(', ')}`)
}
