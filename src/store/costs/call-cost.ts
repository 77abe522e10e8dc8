import { pickPrice, type PriceBook } from '../../core/costs/prices.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { fromAllVersions } from '../query/scope.ts'
import { bound, type Sql, sql } from '../query/sql.ts'

/** The cost of a call as a SQL expression, to filter and sort by. */

/** All models that calls of the project used. */
export async function listUsedModels(db: Database, project_id: string): Promise<string[]> {
  const row = await db.first<{ models: string[] }>(selectUsedModels(project_id), {
    name: 'models of a project',
    kind: 'scan',
  })
  return row?.models ?? []
}

export function selectUsedModels(project_id: string): Sql {
  return sql`SELECT groupUniqArrayArray(usage.model) AS models ${fromAllVersions(project_id, 'calls')}`
}

type Rate =
  | 'prompt_token_cost'
  | 'completion_token_cost'
  | 'cache_read_input_token_cost'
  | 'cache_creation_input_token_cost'

/** Below the cost of a single token; removes the rounding errors of products of doubles. */
const DECIMALS = 12

/**
 * NULL if no model of the call has a price. The prices are those of `callCosts` (core/costs/cost.ts): of each model the
 * one in effect when the call started. They are bound as arrays with one entry per period and model.
 */
export function costExpression(book: PriceBook): Sql {
  const priced = [...book].filter(([, candidates]) => candidates.length > 0)
  if (priced.length === 0) return sql`CAST(NULL AS Nullable(Float64))`
  const changes = priceChanges(priced.flatMap(([, candidates]) => candidates))
  // The first period has no beginning.
  const periods = [undefined, ...changes]
  const rates = (rate: Rate): Sql => {
    const prices = periods.flatMap((start) =>
      priced.map(([, candidates]) =>
        Number(pickPrice(candidates, start ?? (changes[0] ?? 0n) - 1n)?.[rate] ?? 0),
      ),
    )
    return bound('Array(Float64)', prices)
  }
  const models = priced.map(([model]) => model)
  const numbers = bound(
    'Array(Int64)',
    models.map((_, i) => i + 1),
  )
  const indexes = sql`arrayMap(model -> transform(model, ${models}, ${numbers}, 0), usage.model)`
  const offset =
    changes.length === 0
      ? sql``
      : sql` + ${models.length} * arrayCount(change -> change <= toUnixTimestamp64Micro(started_at), ${bound('Array(Int64)', changes)})`
  const at = (rate: Rate): Sql => sql`${rates(rate)}[i${offset}]`
  const total = sql`arraySum((i, prompt, completion, cache_read, cache_creation) -> if(i = 0, 0,
    prompt * ${at('prompt_token_cost')} + completion * ${at('completion_token_cost')}
    + cache_read * ${at('cache_read_input_token_cost')} + cache_creation * ${at('cache_creation_input_token_cost')}),
    ${indexes}, usage.plain_prompt, usage.completion, usage.cache_read, usage.cache_creation)`
  return sql`if(hasAny(usage.model, ${models}), round(${total}, ${DECIMALS}), NULL)`
}

/** The times at which any of these prices becomes effective, in order. */
function priceChanges(prices: readonly { readonly effective_date: Micros }[]): Micros[] {
  return [...new Set(prices.map(({ effective_date }) => effective_date))].sort((a, b) => (a < b ? -1 : 1))
}
