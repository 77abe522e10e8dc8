import { type ColumnField, type Field, type Fields, unknownField } from '../query/field.ts'
import { identifier, sql } from '../query/sql.ts'

/** Resolves field names of prices in queries, in `sort_by` and in `fields`. */

function text(name: string): [string, ColumnField] {
  return [name, { kind: 'column', type: 'text', sql: identifier(name), unset: 'never' }]
}

/** Stored as text to be exact, compared as numbers. */
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

/** Fields that are only returned if requested by name. */
const EXTRA: ReadonlyMap<string, Field> = new Map<string, Field>([
  text('pricing_level'),
  text('created_by'),
  ['created_at', { kind: 'column', type: 'time', sql: identifier('created_at'), unset: 'never' }],
])

export const PRICE_COLUMNS: readonly string[] = [...COLUMNS.keys()]

export const EXTRA_PRICE_COLUMNS: readonly string[] = [...EXTRA.keys()]

export const priceFields: Fields = (path, raw, loc) => {
  const name = path.length === 1 ? (path[0] ?? '') : ''
  const field = COLUMNS.get(name) ?? EXTRA.get(name)
  if (field === undefined) throw unknownField(raw, [...PRICE_COLUMNS, ...EXTRA.keys()], loc)
  return field
}
