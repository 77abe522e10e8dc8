import { REPORTED_IN_ATTRIBUTES, REPORTED_IN_USAGE } from '../../core/costs/reported-cost.ts'
import { join, type Sql, sql } from '../query/sql.ts'
import { documents } from './documents.ts'

/** core/usage.ts in the words of the engine: what one model's entry of `summary.usage` counts. */

/** Models and their counts, as pairs. */
export const USAGE = sql`JSONExtractKeysAndValuesRaw(${documents.get('summary')!}, 'usage')`

/** `tokensOfUsage` must stand below: a column may not be named like one that it is worked out from. */
export const TOKEN_COLUMNS = sql`prompt, completion, total, cache_read, cache_creation,
  if(cache_read + cache_creation > prompt OR (cache_read + cache_creation > 0 AND total = prompt + completion + cache_read + cache_creation),
    prompt, prompt - cache_read - cache_creation) AS plain_prompt`

export function tokensOfUsage(usage: Sql): Sql {
  const columns = [
    sql`${count(usage, 'prompt_tokens')} + ${count(usage, 'input_tokens')} AS prompt`,
    sql`${count(usage, 'completion_tokens')} + ${count(usage, 'output_tokens')} AS completion`,
    sql`trunc(toFloat64OrNull(JSONExtractRaw(${usage}, 'total_tokens'))) AS total`,
    sql`${cached(usage, 'cache_read_input_tokens', 'cached_tokens')} AS cache_read`,
    sql`${cached(usage, 'cache_creation_input_tokens', 'cache_write_tokens')} AS cache_creation`,
  ]
  return join(columns, ',\n    ')
}

/** Counts are numbers; what is anything else is nothing. */
function count(usage: Sql, ...path: readonly (string | Sql)[]): Sql {
  const place = join([usage, ...path.map((key) => (typeof key === 'string' ? sql`${key}` : key))], ', ')
  return sql`trunc(ifNull(toFloat64OrNull(JSONExtractRaw(${place})), 0))`
}

function cached(usage: Sql, name: string, detail: string): Sql {
  const isTold = sql`JSONType(${usage}, ${name}) IN ('Int64', 'UInt64', 'Double')`
  const isPrompt = sql`JSONType(${usage}, 'prompt_tokens_details') NOT IN ('', 'Null')`
  const details = sql`if(JSONHas(${usage}, 'prompt_tokens_details') AND ${isPrompt}, 'prompt_tokens_details', 'input_tokens_details')`
  return sql`if(${isTold}, ${count(usage, name)}, ${count(usage, details, detail)})`
}

/** core/reported-cost.ts likewise, with its scale: what an entry says that it cost. */
export function reportedInUsage(usage: Sql): Sql {
  return firstCost(
    usage,
    REPORTED_IN_USAGE.map((name) => [name]),
  )
}

/** And what the attributes say, which is of the one model there is. */
export const REPORTED_BESIDE = firstCost(
  documents.get('attributes')!,
  REPORTED_IN_ATTRIBUTES.flatMap((name) => [[name], name.split('.')]),
)

function firstCost(document: Sql, places: readonly (readonly string[])[]): Sql {
  const costs = places.map((place) => {
    const raw = sql`JSONExtractRaw(${join([document, ...place.map((key) => sql`${key}`)], ', ')})`
    return sql`toDecimal256OrNull(${raw}, 36)`
  })
  return sql`coalesce(${join(costs, ', ')})`
}
