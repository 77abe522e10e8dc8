import { RawJson } from '../contract/raw-json.ts'
import { type Decimal, formatDecimal, parseDecimal, times, ZERO } from './decimal.ts'
import { objectOf } from './json/object.ts'
import { pickPrice, type PriceBook, type PriceRow } from './prices.ts'
import { formatTime, type Micros } from './time.ts'

/** What calls cost: their `summary.usage` times the prices, as `summary.weave.costs` shows it. */

interface Tokens {
  readonly prompt: bigint
  readonly completion: bigint
  readonly cacheRead: bigint
  readonly cacheCreation: bigint
  readonly requests: bigint
  readonly total: bigint
}

type Usage = Readonly<Record<string, unknown>>

/** The models that `summary.usage` names, to look their prices up; empty for a usage of any other form. */
export function modelsOf(usage: RawJson | undefined): string[] {
  return Object.keys(usageOf(usage))
}

/** `{<model>: costs}` of every model that has a price; undefined if none has. */
export function costsOf(
  usage: RawJson | undefined,
  prices: PriceBook,
  started_at: Micros,
): RawJson | undefined {
  const costs: [string, object][] = []
  for (const [model, counts] of Object.entries(usageOf(usage))) {
    const price = pickPrice(prices.get(model) ?? [], started_at)
    if (price !== undefined && isObject(counts)) costs.push([model, costOf(tokensOf(counts), price)])
  }
  if (costs.length === 0) return undefined
  return objectOf(costs)
}

/** Counts of tokens are small integers: nothing is lost by parsing them. */
function usageOf(usage: RawJson | undefined): Usage {
  const value: unknown = usage === undefined ? undefined : JSON.parse(usage.text)
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is Usage {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** SDKs of OpenAI's line say prompt and completion, others input and output; a record has one pair of them. */
function tokensOf(counts: Usage): Tokens {
  return {
    prompt: count(counts['prompt_tokens']) + count(counts['input_tokens']),
    completion: count(counts['completion_tokens']) + count(counts['output_tokens']),
    cacheRead: count(counts['cache_read_input_tokens']),
    cacheCreation: count(counts['cache_creation_input_tokens']),
    requests: count(counts['requests']),
    total: count(counts['total_tokens']),
  }
}

function count(value: unknown): bigint {
  return typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n
}

function costOf(tokens: Tokens, price: PriceRow): object {
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
    prompt_tokens_total_cost: total(plainPromptTokens(tokens), price.prompt_token_cost),
    completion_tokens_total_cost: total(tokens.completion, price.completion_token_cost),
    cache_read_input_tokens_total_cost: total(tokens.cacheRead, price.cache_read_input_token_cost),
    cache_creation_input_tokens_total_cost: total(
      tokens.cacheCreation,
      price.cache_creation_input_token_cost,
    ),
    prompt_token_cost_unit: price.prompt_token_cost_unit,
    completion_token_cost_unit: price.completion_token_cost_unit,
    effective_date: formatTime(price.effective_date),
    provider_id: price.provider_id,
    pricing_level: price.pricing_level,
    pricing_level_id: price.pricing_level_id,
    created_by: price.created_by,
    created_at: formatTime(price.created_at),
  }
}

/**
 * Cached tokens are counted within the prompt's and have rates of their own. Some providers report the prompt
 * without them; then they can exceed it, and the prompt is charged as it stands rather than below zero.
 */
function plainPromptTokens(tokens: Tokens): bigint {
  const plain = tokens.prompt - tokens.cacheRead - tokens.cacheCreation
  return plain < 0n ? tokens.prompt : plain
}

function total(tokens: bigint, cost: string): RawJson {
  const rate: Decimal = parseDecimal(cost) ?? ZERO
  return RawJson.fromText(formatDecimal(times(rate, tokens)))
}

function number(value: bigint): RawJson {
  return RawJson.fromText(value.toString())
}
