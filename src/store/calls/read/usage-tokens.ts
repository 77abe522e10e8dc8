import { REPORTED_IN_ATTRIBUTES, REPORTED_IN_USAGE } from '../../../core/costs/reported-cost.ts'
import { join, type Sql, sql } from '../../query/sql.ts'
import { documents } from '../columns/documents.ts'

/** The SQL counterpart of core/costs/usage.ts: token counts of one model's entry in `summary.usage`. */

/** Pairs of model and usage entry. */
export const USAGE = sql`JSONExtractKeysAndValuesRaw(${documents.get('summary')!}, 'usage')`

/** Needs `usageTokens` in a subquery: a column cannot have the name of one that it is computed from. */
export const TOKEN_COLUMNS = sql`prompt, completion, total, cache_read, cache_creation,
  if(cache_read + cache_creation > prompt OR (cache_read + cache_creation > 0 AND total = prompt + completion + cache_read + cache_creation),
    prompt, prompt - cache_read - cache_creation) AS plain_prompt`

/** The reported total, or the sum if none was reported: core/costs/usage.ts in SQL. */
export const TOTAL_TOKENS: Sql = sql`if(ifNull(total, 0) = 0, prompt + completion, assumeNotNull(total))`

export function usageTokens(usage: Sql): Sql {
  const columns = [
    sql`${count(usage, 'prompt_tokens')} + ${count(usage, 'input_tokens')} AS prompt`,
    sql`${count(usage, 'completion_tokens')} + ${count(usage, 'output_tokens')} AS completion`,
    sql`trunc(toFloat64OrNull(${countText(sql`${usage}, 'total_tokens'`)})) AS total`,
    sql`${cached(usage, 'cache_read_input_tokens', 'cached_tokens')} AS cache_read`,
    sql`${cached(usage, 'cache_creation_input_tokens', 'cache_write_tokens')} AS cache_creation`,
  ]
  return join(columns, ',\n    ')
}

/** Counts are numbers, or texts of up to 15 digits; any other value is 0. */
function count(usage: Sql, ...path: readonly (string | Sql)[]): Sql {
  const location = join([usage, ...path.map((key) => (typeof key === 'string' ? sql`${key}` : key))], ', ')
  return sql`trunc(ifNull(toFloat64OrNull(${countText(location)}), 0))`
}

function countText(location: Sql): Sql {
  const raw = sql`JSONExtractRaw(${location})`
  return sql`if(startsWith(${raw}, '"'), extract(${raw}, '^"([0-9]{1,15})"$'), ${raw})`
}

function cached(usage: Sql, name: string, detail: string): Sql {
  const isNumber = sql`JSONType(${usage}, ${name}) IN ('Int64', 'UInt64', 'Double')`
  const isPresent = sql`(${isNumber} OR match(JSONExtractRaw(${usage}, ${name}), '^"[0-9]{1,15}"$'))`
  const isPrompt = sql`JSONType(${usage}, 'prompt_tokens_details') NOT IN ('', 'Null')`
  const details = sql`if(JSONHas(${usage}, 'prompt_tokens_details') AND ${isPrompt}, 'prompt_tokens_details', 'input_tokens_details')`
  return sql`if(${isPresent}, ${count(usage, name)}, ${count(usage, details, detail)})`
}

/** The SQL counterpart of core/costs/reported-cost.ts, with the same scale: the cost reported in a usage entry. */
export function reportedInUsage(usage: Sql): Sql {
  return firstCost(
    usage,
    REPORTED_IN_USAGE.map((name) => [name]),
  )
}

/** The cost reported in the attributes, for calls that used exactly one model. */
export const REPORTED_IN_CALL = firstCost(
  documents.get('attributes')!,
  REPORTED_IN_ATTRIBUTES.flatMap((name) => [[name], name.split('.')]),
)

function firstCost(document: Sql, paths: readonly (readonly string[])[]): Sql {
  const costs = paths.map((path) => {
    const raw = sql`JSONExtractRaw(${join([document, ...path.map((key) => sql`${key}`)], ', ')})`
    return sql`toDecimal256OrNull(${raw}, 36)`
  })
  return sql`coalesce(${join(costs, ', ')})`
}
