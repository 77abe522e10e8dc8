import { type ColumnField, type Field, type Fields, unknownField } from '../query/field.ts'
import { identifier, sql } from '../query/sql.ts'

/** What the names of a price's fields mean in queries, in `sort_by` and in `fields`. */

function text(name: string): [string, ColumnField] {
  return [name, { kind: 'column', type: 'text', sql: identifier(name), unset: 'never' }]
}

/** Kept as text for exactness, compared as numbers. */
function cost(name: string): [string, ColumnField] {
  return [name, { kind: 'column', type: 'float', sql: sql`toFloat64(${identifier(name)})`, unset: 'never' }]
}

const COLUMNS: ReadonlyMap<string, Field> = new Map<string, Field>([
  text('id'),
  text('llm_id'),
  cost('prompt_token_cost'),
  cost('completion_token_cost'),
  cost('cache_read_input_token_cost'),
  cost('cache_creation_input_token_cost'),
  text('prompt_token_cost_unit'),
  text('completion_token_cost_unit'),
  ['effective_date', { kind: 'column', type: 'time', sql: identifier('effective_date'), unset: 'never' }],
  text('provider_id'),
])

/** Fields by which a query may also ask; they are answered only when named. */
const FURTHER: ReadonlyMap<string, Field> = new Map<string, Field>([
  text('pricing_level'),
  text('created_by'),
  ['created_at', { kind: 'column', type: 'time', sql: identifier('created_at'), unset: 'never' }],
])

export const PRICE_COLUMNS: readonly string[] = [...COLUMNS.keys()]

export const FURTHER_PRICE_COLUMNS: readonly string[] = [...FURTHER.keys()]

export const priceFields: Fields = (path, raw) => {
  const name = path.length === 1 ? (path[0] ?? '') : ''
  const field = COLUMNS.get(name) ?? FURTHER.get(name)
  if (field === undefined) throw unknownField(raw, [...PRICE_COLUMNS, ...FURTHER.keys()])
  return field
}
