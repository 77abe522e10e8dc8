import {
  calcPrice,
  type ModelPrice,
  type Provider,
  type TieredPrices,
  waitForUpdate,
} from '@pydantic/genai-prices'
import { contentId } from '../objects/content-id.ts'
import { dividedByPowerOfTen, formatDecimal, parseDecimal } from './decimal.ts'
import { DEFAULT_LEVEL, type PriceRow } from './prices.ts'
import { type Micros, parseTime } from '../time/time.ts'

/** The built-in prices: the data of @pydantic/genai-prices as rows of ours. The package is never asked to update itself. */

/** Prices without a date hold since ever. */
const ALWAYS: Micros = 0n

/** Model names are matched by regular expressions; longer ones are no model's. */
const MAX_MODEL_LENGTH = 256

export async function readDefaultPrices(created_at: Micros): Promise<PriceRow[]> {
  const providers = (await waitForUpdate()) ?? []
  return providers.flatMap((provider) => pricesOf(provider, created_at))
}

function pricesOf(provider: Provider, created_at: Micros): PriceRow[] {
  return provider.models.flatMap((model) => {
    const dated = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }]
    return dated.flatMap(({ constraint, prices }) => {
      // A rate for some hours of the day has no place in a list of dates.
      if (constraint?.type === 'time_of_date' || !isPerToken(prices)) return []
      const effective_date = constraint === undefined ? ALWAYS : parseTime(constraint.start_date)
      if (effective_date === undefined) return []
      return [priceRow(provider.id, model.id, effective_date, prices, created_at)]
    })
  })
}

function isPerToken(prices: ModelPrice): boolean {
  return prices['input_mtok'] !== undefined || prices['output_mtok'] !== undefined
}

function priceRow(
  provider_id: string,
  llm_id: string,
  effective_date: Micros,
  prices: ModelPrice,
  created_at: Micros,
): PriceRow {
  return {
    // Not the numbers: a corrected price takes the place of the wrong one.
    id: contentId([DEFAULT_LEVEL, provider_id, llm_id, effective_date.toString()]),
    llm_id,
    provider_id,
    prompt_token_cost: perToken(prices['input_mtok']),
    completion_token_cost: perToken(prices['output_mtok']),
    // Without a rate of its own a cached token costs what any token of the prompt does.
    cache_read_input_token_cost: perToken(prices['cache_read_mtok'] ?? prices['input_mtok']),
    cache_creation_input_token_cost: perToken(prices['cache_write_mtok'] ?? prices['input_mtok']),
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    effective_date,
    pricing_level: 'default',
    pricing_level_id: DEFAULT_LEVEL,
    created_by: 'system',
    created_at,
  }
}

/** From the price of a million. Of prices that rise with the size of a request we know the first step only. */
function perToken(perMillion: number | TieredPrices | undefined): string {
  const price = typeof perMillion === 'object' ? perMillion.base : (perMillion ?? 0)
  const decimal = parseDecimal(String(price))
  return decimal === undefined ? '0' : formatDecimal(dividedByPowerOfTen(decimal, 6))
}

export interface DefaultModel {
  readonly provider_id: string
  readonly llm_id: string
}

/**
 * The built-in entry that a model's name in a call means: `gpt-4o-2024-08-06` is priced as `gpt-4o`, and
 * `openai/gpt-4o` as OpenAI's. Undefined if no entry matches.
 */
export function findDefaultModel(model: string): DefaultModel | undefined {
  if (model.length > MAX_MODEL_LENGTH) return undefined
  const found = calcPrice({}, model) ?? calcPrice({}, model, { providerId: 'litellm' })
  return found === null ? undefined : { provider_id: found.provider.id, llm_id: found.model.id }
}
