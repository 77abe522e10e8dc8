import type { SortBy } from '../../contract/fields.ts'
import { splitPath } from '../../core/query/path.ts'
import { type Sql, sql } from './sql.ts'
import type { Field, Fields } from './field.ts'
import { numberByType } from './by-type.ts'
import { toFloat } from './casts.ts'
import { existsCondition, fieldValue } from './value.ts'

/** Compiles `sort_by` into ORDER BY terms; empty if there is none. Rows without a value come last in both directions. */
export function compileSort(sortBy: SortBy, fields: Fields): Sql[] {
  return (sortBy ?? []).flatMap(({ field, direction }, i) => {
    const loc = ['sort_by', i, 'field']
    return terms(fields(splitPath(field, loc), field, loc), direction === 'desc' ? sql`DESC` : sql`ASC`)
  })
}

function terms(field: Field, direction: Sql): Sql[] {
  if (field.kind === 'many') return terms(field.one, direction)
  if (field.kind === 'json') {
    const value = fieldValue(field)
    return [
      sql`${existsCondition(value)} DESC`,
      sql`${value.raw === undefined ? toFloat.text(value.sql) : numberByType(value)} ${direction} NULLS LAST`,
      sql`${value.sql} ${direction}`,
    ]
  }
  if (field.kind === 'extracted') throw new Error('sort keys are read from documents')
  const { sql: value } = fieldValue(field)
  // Without NULLS LAST where there are no nulls, so that ClickHouse can read in key order.
  return field.unset === 'never' ? [sql`${value} ${direction}`] : [sql`${value} ${direction} NULLS LAST`]
}
