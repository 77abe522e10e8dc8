import type { RawJson } from '../../contract/raw-json.ts'
import type { Decimal } from './decimal.ts'
import { entries } from '../json/navigate.ts'
import { reportedOf } from './reported-cost.ts'

/** `summary.usage` of calls: tokens by model, in the words of whichever provider was asked. */

/** Tokens as they are priced: each is in one of the counts only. */
export interface PricedTokens {
  /** Of the prompt, without what was read from or written to a cache. */
  readonly plainPrompt: bigint
  readonly completion: bigint
  readonly cacheRead: bigint
  readonly cacheCreation: bigint
}

export interface Tokens extends PricedTokens {
  /** As reported: usually with the cached ones. */
  readonly prompt: bigint
  readonly requests: bigint
  readonly total: bigint
}

type Counts = Readonly<Record<string, unknown>>

/** Empty for a usage of any other form. */
export function tokensByModel(usage: RawJson | undefined): ReadonlyMap<string, Tokens> {
  return new Map(usageEntries(usage).map(({ model, tokens }) => [model, tokens]))
}

/** What a summary says of one model. */
export interface UsageEntry {
  readonly model: string
  readonly tokens: Tokens
  /** Whether there is a total at all, which may be 0. */
  readonly isTotalTold: boolean
  /** What it cost, where whoever was asked has said so. */
  readonly reported: Decimal | undefined
}

export function usageEntries(usage: RawJson | undefined): UsageEntry[] {
  // Counts of tokens are small integers: nothing is lost by parsing them.
  const value: unknown = usage === undefined ? undefined : JSON.parse(usage.text)
  if (usage === undefined || !isObject(value)) return []
  return Object.entries(value).flatMap(([model, counts]): UsageEntry[] => {
    if (!isObject(counts)) return []
    const isReported = typeof counts['total_cost'] === 'number' || typeof counts['cost'] === 'number'
    return [
      {
        model,
        tokens: tokensOf(counts),
        isTotalTold: typeof counts['total_tokens'] === 'number',
        // A cost, unlike a count, has more digits than parsing keeps.
        reported: isReported ? reportedOf(new Map(entries(usage)).get(model)!) : undefined,
      },
    ]
  })
}

function isObject(value: unknown): value is Counts {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** OpenAI's line says prompt and completion, others input and output; a record has one pair of them. */
function tokensOf(counts: Counts): Tokens {
  const prompt = count(counts['prompt_tokens']) + count(counts['input_tokens'])
  const completion = count(counts['completion_tokens']) + count(counts['output_tokens'])
  const total = count(counts['total_tokens'])
  const cacheRead = cached(counts, 'cache_read_input_tokens', 'cached_tokens')
  const cacheCreation = cached(counts, 'cache_creation_input_tokens', 'cache_write_tokens')
  return {
    prompt,
    completion,
    total,
    cacheRead,
    cacheCreation,
    requests: count(counts['requests']),
    plainPrompt: plainPrompt(prompt, completion, cacheRead + cacheCreation, total),
  }
}

/** Told once beside the prompt, or within its details, or both; it is the same tokens either way. */
function cached(counts: Counts, name: string, detail: string): bigint {
  if (typeof counts[name] === 'number') return count(counts[name])
  const details = counts['prompt_tokens_details'] ?? counts['input_tokens_details']
  return isObject(details) ? count(details[detail]) : 0n
}

/**
 * Cached tokens are counted within the prompt's: OpenAI and Gemini report so, and the SDKs rewrite what Anthropic
 * and Bedrock report. Older ones did not; where the numbers show it (more cached than there is prompt, or a total
 * that only adds up with the cached beside the prompt) the prompt is charged as it stands.
 */
function plainPrompt(prompt: bigint, completion: bigint, fromCache: bigint, total: bigint): bigint {
  const isBeside = fromCache > prompt || (fromCache > 0n && total === prompt + completion + fromCache)
  return isBeside ? prompt : prompt - fromCache
}

function count(value: unknown): bigint {
  return typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n
}
