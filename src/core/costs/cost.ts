import { RawJson } from '../../contract/raw-json.ts'
import { type Decimal, formatDecimal, parseDecimal, times, ZERO } from './decimal.ts'
import { buildObject } from '../json/object.ts'
import { pickPrice, type PriceBook, type PriceRow } from './prices.ts'
import { formatTime, type Micros } from '../time/time.ts'
import { type PricedTokens, type Tokens, totalTokens, usageEntries } from './usage.ts'

/** Costs of calls: `summary.usage` times the prices, shown as `summary.weave.costs`. */

export interface CallCosts {
  /** `{<model>: costs}` for every model with a price and a count of tokens; undefined if no model has one. */
  readonly costs: RawJson | undefined
  /** Models without a price: their cost is unknown, not zero. */
  readonly unpriced: readonly string[]
}

export function callCosts(usage: RawJson | undefined, prices: PriceBook, started_at: Micros): CallCosts {
  const costs: [string, object][] = []
  const unpriced: string[] = []
  for (const { model, tokens, hasTokens } of usageEntries(usage)) {
    const price = pickPrice(prices.get(model) ?? [], started_at)
    if (price === undefined) unpriced.push(model)
    else if (hasTokens) costs.push([model, modelCost(tokens, price)])
  }
  return { costs: costs.length === 0 ? undefined : buildObject(costs), unpriced }
}

/** Total cost per kind of token. */
export interface TokenCosts {
  readonly prompt: Decimal
  readonly completion: Decimal
  readonly cacheRead: Decimal
  readonly cacheCreation: Decimal
}

/** Cached tokens have their own prices and are not part of any other count. */
export function tokenCosts(tokens: PricedTokens, price: PriceRow): TokenCosts {
  return {
    prompt: total(tokens.plainPrompt, price.prompt_token_cost),
    completion: total(tokens.completion, price.completion_token_cost),
    cacheRead: total(tokens.cacheRead, price.cache_read_input_token_cost),
    cacheCreation: total(tokens.cacheCreation, price.cache_creation_input_token_cost),
  }
}

function modelCost(tokens: Tokens, price: PriceRow): object {
  const totals = tokenCosts(tokens, price)
  return {
    prompt_tokens: rawInteger(tokens.prompt),
    completion_tokens: rawInteger(tokens.completion),
    requests: rawInteger(tokens.requests),
    total_tokens: rawInteger(totalTokens(tokens)),
    cache_read_input_tokens: rawInteger(tokens.cacheRead),
    cache_creation_input_tokens: rawInteger(tokens.cacheCreation),
    prompt_token_cost: RawJson.fromText(price.prompt_token_cost),
    completion_token_cost: RawJson.fromText(price.completion_token_cost),
    cache_read_input_token_cost: RawJson.fromText(price.cache_read_input_token_cost),
    cache_creation_input_token_cost: RawJson.fromText(price.cache_creation_input_token_cost),
    prompt_tokens_total_cost: rawDecimal(totals.prompt),
    completion_tokens_total_cost: rawDecimal(totals.completion),
    cache_read_input_tokens_total_cost: rawDecimal(totals.cacheRead),
    cache_creation_input_tokens_total_cost: rawDecimal(totals.cacheCreation),
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

function rawDecimal(value: Decimal): RawJson {
  return RawJson.fromText(formatDecimal(value))
}

function rawInteger(value: bigint): RawJson {
  return RawJson.fromText(value.toString())
}
