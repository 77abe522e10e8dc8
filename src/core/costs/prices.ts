import type { Micros } from '../time/time.ts'

/** The price of a model from a date on. Amounts are kept as the text that was sent, so that they stay exact. */
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

/** The level of built-in prices. No project can have this name, because project ids contain a slash. */
export const DEFAULT_LEVEL = 'default'

/** Candidate prices by model name as used in calls. */
export type PriceBook = ReadonlyMap<string, readonly PriceRow[]>

/**
 * Selects the price for a call that started at `started_at`: a price in effect beats one that is not, a project
 * price beats a built-in one, a newer price beats an older one. If every price took effect later, the best later
 * one is used, because an approximate cost is more useful than none.
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
  // Same effective date: the one created last; the id makes the choice deterministic.
  if (a.created_at !== b.created_at) return a.created_at > b.created_at
  return a.id > b.id
}
