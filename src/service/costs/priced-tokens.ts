import type { PricedTokens } from '../../core/costs/usage.ts'
import type { PricedRow } from '../../store/calls/read/stats.ts'

/** Token sums of a row, as the cost calculation takes them. */
export function pricedTokens(row: PricedRow): PricedTokens {
  return {
    plainPrompt: BigInt(row.plain_prompt_sum),
    completion: BigInt(row.completion_sum),
    cacheRead: BigInt(row.cache_read_sum),
    cacheCreation: BigInt(row.cache_creation_sum),
  }
}
