import type { Json, JsonObject } from './json.ts'
import type { Resolution } from './resolve.ts'
import { USAGE_DETAILS, USAGE_FIELDS, type UsageField } from './rules.ts'

/** Token counts of a span, in the names that costs are computed from. */

const FIELDS = Object.fromEntries(USAGE_FIELDS.map((name) => [name, `summary.usage.${name}`])) as {
  readonly [Name in UsageField]: `summary.usage.${Name}`
}

/**
 * `prompt_tokens` includes cached tokens. Sources that count them apart are recognized by their rule or by the counts:
 * more cached than prompt tokens, or a total that is the sum of all.
 */
export function readUsage(resolution: Resolution): JsonObject | undefined {
  const count = (field: UsageField): number | undefined => {
    const value = resolution.value(FIELDS[field])
    return typeof value === 'number' ? value : undefined
  }
  const prompt = count('prompt_tokens')
  const completion = count('completion_tokens')
  const total = count('total_tokens')
  const reasoning = count('reasoning_tokens')
  if (prompt === undefined && completion === undefined && total === undefined) return undefined
  const cacheRead = count('cache_read_input_tokens')
  const cacheCreation =
    count('cache_creation_input_tokens') ??
    sumOf(count('cache_creation_5m_input_tokens'), count('cache_creation_1h_input_tokens'))
  const cached = (cacheRead ?? 0) + (cacheCreation ?? 0)
  const isApart =
    cached > 0 &&
    (resolution.excludesCache('summary.usage.prompt_tokens') ||
      cached > (prompt ?? 0) ||
      total === (prompt ?? 0) + (completion ?? 0) + cached)
  const inclusive = isApart ? (prompt ?? 0) + cached : prompt
  const sum = sumOf(inclusive, completion)
  return {
    prompt_tokens: inclusive,
    completion_tokens: completion,
    total_tokens: total === undefined || isApart ? sum : total,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheCreation,
    reasoning_tokens: reasoning,
    ...details(count),
  }
}

function details(count: (field: UsageField) => number | undefined): JsonObject {
  const found: Record<string, Json> = {}
  for (const name of USAGE_DETAILS) {
    const value = count(name)
    if (value !== undefined) found[name] = value
  }
  return found
}

function sumOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)
}

/** The cost that the instrumentation computed, apart from ours. */
export function readReportedCost(resolution: Resolution): JsonObject | undefined {
  const prompt = resolution.value('summary.cost_reported.prompt')
  const completion = resolution.value('summary.cost_reported.completion')
  const total = resolution.value('summary.cost_reported.total') ?? addCosts(prompt, completion)
  return total === undefined ? undefined : { total, prompt, completion }
}

function addCosts(a: Json | undefined, b: Json | undefined): Json | undefined {
  if (a === undefined || b === undefined) return a ?? b
  // A sum of two prices in dollars; beyond twelve places there is only the error of the doubles.
  return Number((Number(jsonNumber(a)) + Number(jsonNumber(b))).toFixed(12))
}

function jsonNumber(value: Json): unknown {
  return typeof value === 'object' && value !== null && 'text' in value ? value.text : value
}
