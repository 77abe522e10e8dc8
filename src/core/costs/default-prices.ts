import {
  calcPrice,
  type ModelPrice,
  type Provider,
  type TieredPrices,
  waitForUpdate,
} from '@pydantic/genai-prices'
import { contentId } from '../objects/content-id.ts'
import { divideByPowerOfTen, formatDecimal, parseDecimal } from './decimal.ts'
import { DEFAULT_LEVEL, type PriceRow } from './prices.ts'
import { type Micros, parseTime } from '../time/time.ts'

/** Built-in prices from @pydantic/genai-prices. The package's own update mechanism is not used. */

/** Effective date of prices without a date. */
const NO_START_DATE: Micros = 0n

/** Model names are matched with regular expressions, so their length is limited. */
const MAX_MODEL_LENGTH = 256

export async function readDefaultPrices(created_at: Micros): Promise<PriceRow[]> {
  const providers = (await waitForUpdate()) ?? []
  return providers.flatMap((provider) => providerPrices(provider, created_at))
}

function providerPrices(provider: Provider, created_at: Micros): PriceRow[] {
  return provider.models.flatMap((model) => {
    const dated = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }]
    return dated.flatMap(({ constraint, prices }) => {
      // Prices by time of day cannot be expressed as dated prices.
      if (constraint?.type === 'time_of_date' || !isPerToken(prices)) return []
      const effective_date = constraint === undefined ? NO_START_DATE : parseTime(constraint.start_date)
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
    // The id excludes the amounts, so that a corrected price replaces the wrong one.
    id: contentId([DEFAULT_LEVEL, provider_id, llm_id, effective_date.toString()]),
    llm_id,
    provider_id,
    prompt_token_cost: perToken(prices['input_mtok']),
    completion_token_cost: perToken(prices['output_mtok']),
    // Without a separate price a cached token costs as much as any prompt token.
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

/** Converts a price per million tokens. Of tiered prices only the base tier is used. */
function perToken(perMillion: number | TieredPrices | undefined): string {
  const price = typeof perMillion === 'object' ? perMillion.base : (perMillion ?? 0)
  const decimal = parseDecimal(String(price))
  return decimal === undefined ? '0' : formatDecimal(divideByPowerOfTen(decimal, 6))
}

/** A model of Amazon Bedrock: its vendor, after the region of an inference profile. */
const BEDROCK_ID = /^(?:[a-z]{2,6}(?:-gov)?\.)?[a-z\d]{2,20}\.[a-z][^/]*$/

export interface DefaultModel {
  readonly provider_id: string
  readonly llm_id: string
}

/**
 * The built-in entry that matches a model name: `gpt-4o-2024-08-06` is priced as `gpt-4o`, and `openai/gpt-4o` as
 * OpenAI's; ids of Bedrock are priced as Amazon's. Undefined if no entry matches.
 */
export function findDefaultModel(model: string): DefaultModel | undefined {
  if (model.length > MAX_MODEL_LENGTH) return undefined
  const found =
    calcPrice({}, model) ?? calcPrice({}, model, { providerId: BEDROCK_ID.test(model) ? 'aws' : 'litellm' })
  return found === null ? undefined : { provider_id: found.provider.id, llm_id: found.model.id }
}
