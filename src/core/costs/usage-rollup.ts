import { RawJson } from '../../contract/raw-json.ts'
import type { ModelUsage } from '../../contract/calls/usage.ts'
import { type TokenCosts, tokenCosts } from './cost.ts'
import { formatDecimal, plus, type Decimal } from './decimal.ts'
import { pickPrice, type PriceBook } from './prices.ts'
import type { Micros } from '../time/time.ts'
import { type Tokens, totalTokens } from './usage.ts'

/** Sums token usage and costs of calls along their call trees. */

export interface UsageCall {
  readonly id: string
  readonly parent_id: string
  readonly usage: ReadonlyMap<string, Usage>
}

export interface Usage {
  readonly tokens: Tokens
  /** undefined: not requested, or no price. */
  readonly costs: TokenCosts | undefined
}

/** The usage of one call, with costs if `prices` are given. */
export function callUsage(
  tokens: ReadonlyMap<string, Tokens>,
  prices: PriceBook | undefined,
  started_at: Micros,
): ReadonlyMap<string, Usage> {
  const usage = new Map<string, Usage>()
  for (const [model, counts] of tokens) {
    const price = prices === undefined ? undefined : pickPrice(prices.get(model) ?? [], started_at)
    if (Object.values(counts).every((count) => count === 0n)) continue
    usage.set(model, { tokens: counts, costs: price === undefined ? undefined : tokenCosts(counts, price) })
  }
  return usage
}

/** For each call the usage of itself and of its descendants among these calls. */
export function rollUp(calls: readonly UsageCall[]): Map<string, Map<string, Usage>> {
  const sums = new Map(calls.map((call) => [call.id, new Map(call.usage)]))
  const parents = new Map(calls.map((call) => [call.id, call.parent_id]))
  const waiting = new Map<string, number>()
  for (const { parent_id } of calls)
    if (sums.has(parent_id)) waiting.set(parent_id, (waiting.get(parent_id) ?? 0) + 1)
  // Bottom-up: a call is processed once all its children are. A cycle has no leaves and is left unchanged.
  const ready = calls.filter((call) => !waiting.has(call.id)).map((call) => call.id)
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    const parent_id = parents.get(id) ?? ''
    const parent = sums.get(parent_id)
    if (parent === undefined) continue
    for (const [model, usage] of sums.get(id)!) parent.set(model, addUsage(parent.get(model), usage))
    const left = waiting.get(parent_id)! - 1
    waiting.set(parent_id, left)
    if (left === 0) ready.push(parent_id)
  }
  return sums
}

export function addUsage(a: Usage | undefined, b: Usage): Usage {
  if (a === undefined) return b
  const tokens = addTokens(a.tokens, b.tokens)
  if (a.costs === undefined || b.costs === undefined) return { tokens, costs: a.costs ?? b.costs }
  return {
    tokens,
    costs: {
      prompt: plus(a.costs.prompt, b.costs.prompt),
      completion: plus(a.costs.completion, b.costs.completion),
      cacheRead: plus(a.costs.cacheRead, b.costs.cacheRead),
      cacheCreation: plus(a.costs.cacheCreation, b.costs.cacheCreation),
    },
  }
}

function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    prompt: a.prompt + b.prompt,
    plainPrompt: a.plainPrompt + b.plainPrompt,
    completion: a.completion + b.completion,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheCreation: a.cacheCreation + b.cacheCreation,
    requests: a.requests + b.requests,
    total: totalTokens(a) + totalTokens(b),
  }
}

export function viewUsage({ tokens, costs }: Usage): ModelUsage {
  return {
    requests: Number(tokens.requests),
    prompt_tokens: Number(tokens.prompt),
    completion_tokens: Number(tokens.completion),
    total_tokens: Number(totalTokens(tokens)),
    cache_read_input_tokens: Number(tokens.cacheRead),
    cache_creation_input_tokens: Number(tokens.cacheCreation),
    prompt_tokens_total_cost: rawDecimal(costs?.prompt),
    completion_tokens_total_cost: rawDecimal(costs?.completion),
    cache_read_input_tokens_total_cost: rawDecimal(costs?.cacheRead),
    cache_creation_input_tokens_total_cost: rawDecimal(costs?.cacheCreation),
  }
}

function rawDecimal(value: Decimal | undefined): RawJson | null {
  return value === undefined ? null : RawJson.fromText(formatDecimal(value))
}
