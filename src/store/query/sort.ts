import type { SortBy } from '../../contract/fields.ts'
import { splitPath } from '../../core/query/path.ts'
import { type Sql, sql } from './sql.ts'
import type { Field, Fields } from './field.ts'
import { jsonValue } from './json-value.ts'
import { fieldValue } from './value.ts'

/** Compiles `sort_by` into ORDER BY terms; empty if there is none. Rows without a value come last in both directions. */
export function compileSort(sortBy: SortBy, fields: Fields): Sql[] {
  return (sortBy ?? []).flatMap(({ field, direction }) => {
    const path = splitPath(field, ['sort_by'])
    return terms(fields(path, field), direction === 'desc' ? sql`DESC` : sql`ASC`)
  })
}

function terms(field: Field, direction: Sql): Sql[] {
  if (field.kind === 'many') return terms(field.one, direction)
  if (field.kind === 'json') {
    const { exists, text } = jsonValue(field.document, field.path)
    return [
      sql`${exists} DESC`,
      sql`toFloat64OrNull(${text}) ${direction} NULLS LAST`,
      sql`${text} ${direction}`,
    ]
  }
  if (field.kind === 'extracted') throw new Error('sort keys are read from documents')
  const { sql: value } = fieldValue(field)
  // Without NULLS LAST where there are no nulls, so that ClickHouse can read in key order.
  return field.unset === 'never' ? [sql`${value} ${direction}`] : [sql`${value} ${direction} NULLS LAST`]
}
