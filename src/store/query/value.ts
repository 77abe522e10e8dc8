import type { Literal } from '../../core/query/ast.ts'
import { type Sql, sql } from './sql.ts'
import type { ColumnField, ColumnType, JsonField, ExtractedField, StoredText } from './field.ts'
import { jsonRaw, jsonValue, normalizedJsonRaw } from './json-value.ts'

/** An operand compiled to SQL of a known type; NULL where it has no value. */
export interface Value {
  readonly type: ColumnType | 'null'
  readonly sql: Sql
  readonly literal?: Literal
  /** Cheaper expressions than the general ones for "has a value" and for the length. */
  readonly exists?: Sql
  readonly size?: Sql
  /**
   * The bare column, if '' means null in it. In place of `sql` it lets ClickHouse use its indexes, in comparisons that
   * are false for '' and where false may replace null.
   */
  readonly bare?: Sql
  /** Set for a value that is compared by its JSON type: the value as JSON. */
  readonly raw?: Sql
  /** Set for a value of a JSON document: the document's text. */
  readonly stored?: StoredText
}

export function fieldValue(field: ColumnField | JsonField | ExtractedField): Value {
  if (field.kind === 'extracted') {
    const text = sql`substring(${field.sql}, 2)`
    return { type: 'text', sql: text, exists: sql`(${field.sql} != '')`, size: sql`lengthUTF8(${text})` }
  }
  if (field.kind === 'json') {
    const { document, path, stored = { text: document }, byType } = field
    const { text, ...more } = jsonValue(document, path)
    if (byType === undefined) return { type: 'text', sql: text, ...more, stored }
    const { isNormalized } = byType
    const raw =
      isNormalized === undefined ? jsonRaw(document, path) : normalizedJsonRaw(document, path, isNormalized)
    return { type: 'text', sql: text, ...more, raw, stored }
  }
  const { type, sql: column } = field
  if (type === 'array') {
    return { type, sql: column, exists: sql`notEmpty(${column})`, size: sql`length(${column})` }
  }
  if (field.unset !== 'empty') return { type, sql: column }
  return { type, sql: sql`nullIf(${column}, '')`, bare: column, exists: sql`(${column} != '')` }
}

export function existsCondition(value: Value): Sql {
  return value.exists ?? sql`isNotNull(${value.sql})`
}

export function valueSize(value: Value): Sql {
  return value.size ?? (value.type === 'text' ? sql`lengthUTF8(${value.sql})` : sql`NULL`)
}

/**
 * The condition of `$eq null`. A value of a JSON document is text and never null, unless it is compared by its JSON type;
 * use `$convert` to `exists` there.
 */
export function isUnset(value: Value): Sql {
  if (value.raw !== undefined) return sql`(NOT ${existsCondition(value)})`
  if (value.bare !== undefined) return sql`(${value.bare} = '')`
  if (value.type === 'array') return sql`empty(${value.sql})`
  return sql`isNull(${value.sql})`
}
