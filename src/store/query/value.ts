import type { Literal } from '../../core/query/ast.ts'
import { type Sql, sql } from './sql.ts'
import type { ColumnField, ColumnType, JsonField, LeafField } from './field.ts'
import { jsonValue } from './json-value.ts'

/** An operand as SQL of a known type; NULL where it has no value. */
export interface Value {
  readonly type: ColumnType | 'null'
  readonly sql: Sql
  readonly literal?: Literal
  /** Better ways than the general ones to ask whether there is a value, and how long it is. */
  readonly exists?: Sql
  readonly size?: Sql
  /**
   * The bare column, where '' in it stands for null. In place of `sql` it lets the engine use its indexes, for
   * comparisons that '' fails and where false is as good as null.
   */
  readonly bare?: Sql
}

export function fieldValue(field: ColumnField | JsonField | LeafField): Value {
  if (field.kind === 'leaf') {
    const text = sql`substring(${field.sql}, 2)`
    return { type: 'text', sql: text, exists: sql`(${field.sql} != '')`, size: sql`lengthUTF8(${text})` }
  }
  if (field.kind === 'json') {
    const { text, ...more } = jsonValue(field.document, field.path)
    return { type: 'text', sql: text, ...more }
  }
  const { type, sql: column } = field
  if (type === 'array') {
    return { type, sql: column, exists: sql`notEmpty(${column})`, size: sql`length(${column})` }
  }
  if (field.unset !== 'empty') return { type, sql: column }
  return { type, sql: sql`nullIf(${column}, '')`, bare: column, exists: sql`(${column} != '')` }
}

export function existsOf(value: Value): Sql {
  return value.exists ?? sql`isNotNull(${value.sql})`
}

export function sizeOf(value: Value): Sql {
  return value.size ?? (value.type === 'text' ? sql`lengthUTF8(${value.sql})` : sql`NULL`)
}

/** What `$eq null` asks. A value of a JSON document is text and never null; `$convert` to exists is for those. */
export function isUnset(value: Value): Sql {
  if (value.bare !== undefined) return sql`(${value.bare} = '')`
  if (value.type === 'array') return sql`empty(${value.sql})`
  return sql`isNull(${value.sql})`
}
