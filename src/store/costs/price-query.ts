import type { SortBy } from '../../contract/fields.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { DEFAULT_LEVEL } from '../../core/costs/prices.ts'
import type { Operand } from '../../core/query/ast.ts'
import type { Database } from '../database/database.ts'
import { page, type Page } from '../query/page.ts'
import { EXTRA_PRICE_COLUMNS, PRICE_COLUMNS, priceFields } from './price-fields.ts'
import { compileCondition } from '../query/compile.ts'
import { compileSort } from '../query/sort.ts'
import { from } from '../query/scope.ts'
import { identifier, join, type Sql, sql } from '../query/sql.ts'

export interface PriceQuery extends Page {
  readonly project_id: string
  readonly fields: readonly string[] | undefined
  readonly query: Operand | undefined
  readonly sort_by: SortBy
  readonly include_defaults: boolean
}

export async function queryPrices(db: Database, request: PriceQuery): Promise<Record<string, unknown>[]> {
  const fields = [...new Set(request.fields ?? PRICE_COLUMNS)]
  request.fields?.forEach((field, i) => priceFields([field], field, ['fields', i]))
  const rows = await db.rows<Record<string, string>>(priceStatement(request, fields), {
    name: 'price query',
    kind: 'list',
  })
  return rows.map((row) =>
    Object.fromEntries(
      fields.map((field) => [field, isCost(field) ? RawJson.fromText(row[field] ?? '0') : row[field]]),
    ),
  )
}

export function priceStatement(request: PriceQuery, fields: readonly string[]): Sql {
  const own = source(request.project_id)
  const all = request.include_defaults ? sql`${own} UNION ALL ${source(DEFAULT_LEVEL)}` : own
  const condition = request.query === undefined ? sql`1` : compileCondition(request.query, priceFields)
  // A stable order, so that pages neither repeat nor skip rows.
  const order = [
    ...compileSort(request.sort_by, priceFields),
    sql`llm_id`,
    sql`effective_date`,
    sql`provider_id`,
    sql`id`,
  ]
  return sql`SELECT ${join(fields.map(identifier), ', ')} FROM (${all})
WHERE ${condition} ORDER BY ${join(order, ', ')} ${page(request)}`
}

function source(project_id: string): Sql {
  return sql`SELECT ${join([...PRICE_COLUMNS, ...EXTRA_PRICE_COLUMNS].map(identifier), ', ')} ${from(project_id, 'prices')}`
}

function isCost(field: string): boolean {
  return field.endsWith('_token_cost')
}
