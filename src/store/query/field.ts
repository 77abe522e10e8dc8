import { unprocessable } from '../../contract/api-error.ts'
import type { Sql } from './sql.ts'

/**
 * Resolves the field names of a query for one resource. Each resource has its own resolver:
 *
 *     const feedbackFields: Fields = (path, raw, loc) => {
 *       const [name, ...rest] = path
 *       if (name === 'payload') return { kind: 'json', document: sql`payload`, path: rest }
 *       const column = rest.length === 0 ? COLUMNS.get(name) : undefined   // a Map, never an object lookup
 *       if (column === undefined) throw unknownField(raw, [...COLUMNS.keys(), 'payload.*'], loc)
 *       return column
 *     }
 *
 * and passes it to `compileCondition` and `compileSort`. `path` has its escapes resolved and at least one part, none of
 * them empty. `raw` is the name as the client sent it, `loc` its place in the request. The parts are text of the client: they may be compared with names
 * or passed on in `path`, but never become SQL.
 */
export type Fields = (path: readonly string[], raw: string, loc?: FieldLocation) => Field

/** Where the request names a field, for error messages; by default in its `query`. */
export type FieldLocation = readonly (string | number)[]

export type ColumnType = 'text' | 'int' | 'float' | 'bool' | 'time' | 'array'

/** A column, or any expression over columns, of a known type. `array` is Array(String), `time` is DateTime64. */
export interface ColumnField {
  readonly kind: 'column'
  readonly type: ColumnType
  readonly sql: Sql
  /**
   * How the expression represents "not set", which queries see as null:
   * `never`: every row has a value; `null`: it is Nullable; `empty`: '' (or []) means it.
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
  /** The stored text of the document, which substring tests search before they parse anything; by default `document`. */
  readonly stored?: StoredText | undefined
  /**
   * If set, the value is compared and sorted by its JSON type: `"3"` is not 3. Otherwise it is text that a literal casts
   * to its own type. `isNormalized` is a condition on the document.
   */
  readonly byType?: { readonly isNormalized: Sql | undefined } | undefined
}

export interface StoredText {
  readonly text: Sql
  /** Holds if the document is read from another column, so that its text is unknown. */
  readonly isNormalized?: Sql
}

/** A value extracted from a document at insert: `=` and its text, or '' if there is none (core/json/json-fields.ts). */
export interface ExtractedField {
  readonly kind: 'extracted'
  readonly sql: Sql
}

/**
 * Several values per row, such as the feedback of a call. A comparison holds if it holds for any of them. `each` is read
 * inside the sub-select that `matches` wraps around the comparison.
 */
export interface ManyField {
  readonly kind: 'many'
  readonly each: ColumnField | JsonField
  readonly matches: (condition: Sql) => Sql
  /** The single value per row that is used for sorting. */
  readonly one: ColumnField | JsonField
  /** All values of a row as an array, if they are in its columns. */
  readonly all?: Sql | undefined
}

export type Field = ColumnField | JsonField | ExtractedField | ManyField

export function unknownField(raw: string, allowed: readonly string[], loc: FieldLocation = ['query']) {
  return unprocessable(loc, `unknown field "${raw}"; allowed: ${allowed.join(', ')}`)
}
