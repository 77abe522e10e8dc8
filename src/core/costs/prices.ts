import type { Micros } from '../time/time.ts'

/** What a model costs from a date on. Costs are the number's text as it was sent, so that they stay exact. */
export interface PriceRow {
  readonly id: string
  readonly llm_id: string
  readonly provider_id: string
  readonly prompt_token_cost: string
  readonly completion_token_cost: string
  readonly cache_read_input_token_cost: string
  readonly cache_creation_input_token_cost: string
  readonly prompt_token_cost_unit: string
  readonly completion_token_cost_unit: string
  readonly effective_date: Micros
  readonly pricing_level: PricingLevel
  /** The project, or `default`. */
  readonly pricing_level_id: string
  readonly created_by: string
  readonly created_at: Micros
}

type PricingLevel = 'project' | 'default'

/** Where built-in prices live: beside the projects, under a name that none can have (it lacks a slash). */
export const DEFAULT_LEVEL = 'default'

/** The prices that may apply to each model, by the name the calls use for it. */
export type PriceBook = ReadonlyMap<string, readonly PriceRow[]>

/**
 * The price of a call that started at `started_at`: one that was in force by then comes before one that was not,
 * the project's own before a built-in one, the newest before older ones. If all came later, the best later one
 * still serves: a cost from a slightly wrong price says more than none.
 */
export function pickPrice(candidates: readonly PriceRow[], started_at: Micros): PriceRow | undefined {
  return candidates.reduce<PriceRow | undefined>(
    (best, price) => (best === undefined || isBetter(price, best, started_at) ? price : best),
    undefined,
  )
}

function isBetter(a: PriceRow, b: PriceRow, started_at: Micros): boolean {
  const aInForce = a.effective_date <= started_at
  const bInForce = b.effective_date <= started_at
  if (aInForce !== bInForce) return aInForce
  if (a.pricing_level !== b.pricing_level) return a.pricing_level === 'project'
  if (a.effective_date !== b.effective_date) return a.effective_date > b.effective_date
  // Two prices from the same moment: the one written last; the id only makes the choice the same everywhere.
  if (a.created_at !== b.created_at) return a.created_at > b.created_at
  return a.id > b.id
}
