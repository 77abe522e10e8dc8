import type { RawJson } from '../../contract/raw-json.ts'
import { COUNT_TEXT } from './count-text.ts'
import type { Decimal } from './decimal.ts'
import { isObject } from '../json/is-object.ts'
import { entries } from '../json/navigate.ts'
import { reportedInUsage } from './reported-cost.ts'

/** Token usage from `summary.usage`, by model, in the field names of the various providers. */

/** Tokens by price: each token is in exactly one of the counts. */
export interface PricedTokens {
  /** Prompt tokens that were neither read from nor written to a cache. */
  readonly plainPrompt: bigint
  readonly completion: bigint
  readonly cacheRead: bigint
  readonly cacheCreation: bigint
}

export interface Tokens extends PricedTokens {
  /** As reported; usually includes cached tokens. */
  readonly prompt: bigint
  readonly requests: bigint
  readonly total: bigint
}

/** The reported total, or the sum if none was reported. */
export function totalTokens({ total, prompt, completion }: Tokens): bigint {
  return total === 0n ? prompt + completion : total
}

type Counts = Readonly<Record<string, unknown>>

/** Empty for usage in an unknown format. */
export function tokensByModel(usage: RawJson | undefined): ReadonlyMap<string, Tokens> {
  return new Map(usageEntries(usage).map(({ model, tokens }) => [model, tokens]))
}

/** The usage of one model in a summary. */
export interface UsageEntry {
  readonly model: string
  readonly tokens: Tokens
  /** Whether a total was reported; it may be 0. */
  readonly hasTotal: boolean
  /** False if only requests were reported: the cost is unknown then. */
  readonly hasTokens: boolean
  /** Cost reported by the provider, if any. */
  readonly reported: Decimal | undefined
}

export function usageEntries(usage: RawJson | undefined): UsageEntry[] {
  // Token counts are small integers, so parsing loses nothing.
  const value: unknown = usage === undefined ? undefined : JSON.parse(usage.text)
  if (usage === undefined || !isObject(value)) return []
  return Object.entries(value).flatMap(([model, counts]): UsageEntry[] => {
    if (!isObject(counts)) return []
    const isReported = typeof counts['total_cost'] === 'number' || typeof counts['cost'] === 'number'
    return [
      {
        model,
        tokens: readTokens(counts),
        hasTotal: isCount(counts['total_tokens']),
        hasTokens: TOKEN_COUNTS.some((name) => isCount(counts[name])),
        // A cost may have more digits than a double, so it is read from the bytes.
        reported: isReported ? reportedInUsage(new Map(entries(usage)).get(model)!) : undefined,
      },
    ]
  })
}

const TOKEN_COUNTS = ['prompt_tokens', 'input_tokens', 'completion_tokens', 'output_tokens', 'total_tokens']

/**
 * OpenAI-compatible providers report prompt and completion tokens, others input and output; a record has one pair.
 */
function readTokens(counts: Counts): Tokens {
  const prompt = count(counts['prompt_tokens']) + count(counts['input_tokens'])
  const completion = count(counts['completion_tokens']) + count(counts['output_tokens'])
  const total = count(counts['total_tokens'])
  const cacheRead = cachedTokens(counts, 'cache_read_input_tokens', 'cached_tokens')
  const cacheCreation = cachedTokens(counts, 'cache_creation_input_tokens', 'cache_write_tokens')
  return {
    prompt,
    completion,
    total,
    cacheRead,
    cacheCreation,
    requests: count(counts['requests']),
    plainPrompt: uncachedPrompt(prompt, completion, cacheRead + cacheCreation, total),
  }
}

/** Reported next to the prompt tokens, in their details, or both; these are the same tokens. */
function cachedTokens(counts: Counts, name: string, detail: string): bigint {
  if (isCount(counts[name])) return count(counts[name])
  const details = counts['prompt_tokens_details'] ?? counts['input_tokens_details']
  return isObject(details) ? count(details[detail]) : 0n
}

/**
 * Prompt tokens without cached ones. Cached tokens are normally part of the prompt tokens: OpenAI and Gemini report
 * them so, and the SDKs convert what Anthropic and Bedrock report. Older SDKs did not. If the counts show it (more
 * cached than prompt tokens, or a total that includes the cached tokens separately), the prompt tokens are used
 * unchanged.
 */
function uncachedPrompt(prompt: bigint, completion: bigint, fromCache: bigint, total: bigint): bigint {
  const isCountedSeparately =
    fromCache > prompt || (fromCache > 0n && total === prompt + completion + fromCache)
  return isCountedSeparately ? prompt : prompt - fromCache
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && COUNT_TEXT.test(value))
}

function count(value: unknown): bigint {
  if (typeof value === 'string') return COUNT_TEXT.test(value) ? BigInt(value) : 0n
  return typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n
}
