import { RawJson } from '../../contract/raw-json.ts'
import { type Decimal, formatDecimal, parseDecimal, times, ZERO } from './decimal.ts'
import { objectOf } from '../json/object.ts'
import { pickPrice, type PriceBook, type PriceRow } from './prices.ts'
import { formatTime, type Micros } from '../time/time.ts'
import { type PricedTokens, type Tokens, tokensByModel } from './usage.ts'

/** What calls cost: their `summary.usage` times the prices, as `summary.weave.costs` shows it. */

export interface CallCosts {
  /** `{<model>: costs}` of every model that has a price; undefined if none has. */
  readonly costs: RawJson | undefined
  /** Models that were used and have no price: they cost something, and nobody knows how much. */
  readonly unpriced: readonly string[]
}

export function costsOf(usage: RawJson | undefined, prices: PriceBook, started_at: Micros): CallCosts {
  const costs: [string, object][] = []
  const unpriced: string[] = []
  for (const [model, tokens] of tokensByModel(usage)) {
    const price = pickPrice(prices.get(model) ?? [], started_at)
    if (price === undefined) unpriced.push(model)
    else costs.push([model, costOf(tokens, price)])
  }
  return { costs: costs.length === 0 ? undefined : objectOf(costs), unpriced }
}

/** What each kind of token cost in all. */
export interface Totals {
  readonly prompt: Decimal
  readonly completion: Decimal
  readonly cacheRead: Decimal
  readonly cacheCreation: Decimal
}

/** Cached tokens have rates of their own and are in no other count. */
export function totalsOf(tokens: PricedTokens, price: PriceRow): Totals {
  return {
    prompt: total(tokens.plainPrompt, price.prompt_token_cost),
    completion: total(tokens.completion, price.completion_token_cost),
    cacheRead: total(tokens.cacheRead, price.cache_read_input_token_cost),
    cacheCreation: total(tokens.cacheCreation, price.cache_creation_input_token_cost),
  }
}

function costOf(tokens: Tokens, price: PriceRow): object {
  const totals = totalsOf(tokens, price)
  return {
    prompt_tokens: number(tokens.prompt),
    completion_tokens: number(tokens.completion),
    requests: number(tokens.requests),
    total_tokens: number(tokens.total),
    cache_read_input_tokens: number(tokens.cacheRead),
    cache_creation_input_tokens: number(tokens.cacheCreation),
    prompt_token_cost: RawJson.fromText(price.prompt_token_cost),
    completion_token_cost: RawJson.fromText(price.completion_token_cost),
    cache_read_input_token_cost: RawJson.fromText(price.cache_read_input_token_cost),
    cache_creation_input_token_cost: RawJson.fromText(price.cache_creation_input_token_cost),
    prompt_tokens_total_cost: decimal(totals.prompt),
    completion_tokens_total_cost: decimal(totals.completion),
    cache_read_input_tokens_total_cost: decimal(totals.cacheRead),
    cache_creation_input_tokens_total_cost: decimal(totals.cacheCreation),
    prompt_token_cost_unit: price.prompt_token_cost_unit,
    completion_token_cost_unit: price.completion_token_cost_unit,
    effective_date: formatTime(price.effective_date),
    provider_id: price.provider_id,
    pricing_level: price.pricing_level,
    pricing_level_id: price.pricing_level_id,
    created_by: price.created_by,
    created_at: formatTime(price.created_at),
    price_id: price.id,
  }
}

function total(tokens: bigint, cost: string): Decimal {
  return times(parseDecimal(cost) ?? ZERO, tokens)
}

function decimal(value: Decimal): RawJson {
  return RawJson.fromText(formatDecimal(value))
}

function number(value: bigint): RawJson {
  return RawJson.fromText(value.toString())
}
