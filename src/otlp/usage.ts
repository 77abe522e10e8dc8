import type { Json, JsonObject } from './json.ts'
import type { Resolution } from './resolve.ts'
import { USAGE_DETAILS, USAGE_FIELDS, type UsageField } from './rules.ts'

/** Token counts of a span, in the names that costs are computed from. */

const FIELDS = Object.fromEntries(USAGE_FIELDS.map((name) => [name, `summary.usage.${name}`])) as {
  readonly [Name in UsageField]: `summary.usage.${Name}`
}

interface SpanUsage {
  readonly counts: JsonObject
  /** Says how the counts differ from the total that the sender states. */
  readonly contradiction: string | undefined
}

/**
 * `prompt_tokens` includes cached tokens and `completion_tokens` reasoning. Some senders count them apart. Which ones do
 * is told by the total they state, by the sender, or by more of a part than of the whole.
 */
export function readUsage(resolution: Resolution): SpanUsage | undefined {
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
  const sums = wholeCounts({
    prompt: hinted(resolution, side(prompt, cached, count('audio_input_tokens') ?? 0)),
    completion: side(completion, reasoning ?? 0, count('audio_output_tokens') ?? 0),
    total,
  })
  const counts = {
    prompt_tokens: sums.prompt,
    completion_tokens: sums.completion,
    total_tokens: sums.total,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheCreation,
    reasoning_tokens: reasoning,
    ...details(count),
  }
  return { counts, contradiction: sums.contradiction }
}

/** A count as sent, and tokens that it may or may not contain. */
interface Side {
  readonly sent: number | undefined
  readonly part: number
  /** The values that the whole count may have, the likeliest first. */
  readonly wholes: readonly number[]
}

/** A part that is larger than the count is apart for certain. Audio is apart only where the other part is too. */
function side(sent: number | undefined, part: number, audio: number): Side {
  const count = sent ?? 0
  const apart = part === 0 && audio === 0 ? [] : [count + part, count + part + audio]
  return { sent, part, wholes: part > count ? apart : [count, ...apart] }
}

/** What the rules say about cached tokens: of a sender it is certain, of a name it is likely. */
function hinted(resolution: Resolution, prompt: Side): Side {
  if (prompt.part === 0) return prompt
  const apart = (prompt.sent ?? 0) + prompt.part
  if (resolution.value('excludes_cache') === true) return { ...prompt, wholes: [apart] }
  if (!resolution.excludesCache('summary.usage.prompt_tokens')) return prompt
  return { ...prompt, wholes: [apart, ...prompt.wholes] }
}

interface Sent {
  readonly prompt: Side
  readonly completion: Side
  readonly total: number | undefined
}

interface Sums {
  readonly prompt: number | undefined
  readonly completion: number | undefined
  readonly total: number | undefined
  readonly contradiction: string | undefined
}

/** The likeliest counts that add up to the stated total. */
function wholeCounts({ prompt, completion, total }: Sent): Sums {
  const pairs = completion.wholes.flatMap((and) => prompt.wholes.map((of) => [of, and] as const))
  const match = pairs.find(([of, and]) => of + and === total)
  const [of, and] = match ?? pairs[0]!
  const whole = {
    prompt: prompt.sent === undefined && of === 0 ? undefined : of,
    completion: completion.sent === undefined && and === 0 ? undefined : and,
  }
  const sum = sumOf(whole.prompt, whole.completion)
  // Some totals leave out what is counted apart.
  const isOfParts = total === (prompt.sent ?? 0) + (completion.sent ?? 0)
  if (total === undefined || match !== undefined || isOfParts)
    return { ...whole, total: sum, contradiction: undefined }
  const contradiction =
    prompt.sent === undefined || completion.sent === undefined
      ? undefined
      : `total_tokens is ${total}, but prompt_tokens and completion_tokens are ${of} and ${and}`
  return { ...whole, total, contradiction }
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
