import { isObject } from '../json/is-object.ts'

type Json = Readonly<Record<string, unknown>>

interface MergedChoice {
  message: Record<string, unknown>
  finish_reason: unknown
}

/** Joins the chunks of a streamed chat completion into the completion that the API returns without streaming. */
export class ChunkMerge {
  #head: Json | undefined
  #usage: unknown
  readonly #choices = new Map<number, MergedChoice>()

  add(chunk: Json): void {
    const { choices, usage, ...head } = chunk
    this.#head ??= head
    if (isObject(usage)) this.#usage = usage
    for (const choice of Array.isArray(choices) ? choices : []) if (isObject(choice)) this.#addChoice(choice)
  }

  /** Whether a model said that it is done. */
  get isFinished(): boolean {
    return [...this.#choices.values()].some(({ finish_reason }) => typeof finish_reason === 'string')
  }

  /** Undefined before the first chunk. */
  completion(): Json | undefined {
    if (this.#head === undefined) return undefined
    const choices = [...this.#choices]
      .sort(([a], [b]) => a - b)
      .map(([index, { message, finish_reason }]) => ({ index, message, finish_reason }))
    return { ...this.#head, object: 'chat.completion', choices, usage: this.#usage ?? null }
  }

  #addChoice({ index, delta, finish_reason }: Json): void {
    const position = typeof index === 'number' ? index : 0
    const choice = this.#choices.get(position) ?? {
      message: { role: 'assistant', content: null },
      finish_reason: null,
    }
    this.#choices.set(position, choice)
    if (isObject(delta)) mergeDelta(choice.message, delta)
    if (finish_reason !== undefined && finish_reason !== null) choice.finish_reason = finish_reason
  }
}

/** Texts that arrive in pieces; other members replace what was there. */
const GROWING: ReadonlySet<string> = new Set([
  'content',
  'refusal',
  'reasoning_content',
  'reasoning',
  'arguments',
])

function mergeDelta(message: Record<string, unknown>, delta: Json): void {
  for (const [key, value] of Object.entries(delta)) {
    if (value === null || value === undefined) continue
    if (key === 'tool_calls' && Array.isArray(value)) message[key] = mergeToolCalls(message[key], value)
    else if (key === '__proto__') continue
    else if (GROWING.has(key) && typeof value === 'string') {
      const before = message[key]
      message[key] = (typeof before === 'string' ? before : '') + value
    } else if (isObject(value)) {
      const part = isObject(message[key]) ? { ...message[key] } : {}
      mergeDelta(part, value)
      message[key] = part
    } else message[key] = value
  }
}

const MAX_TOOL_CALLS = 1_000

function mergeToolCalls(existing: unknown, pieces: readonly unknown[]): unknown[] {
  const calls = Array.isArray(existing) ? (existing as Record<string, unknown>[]) : []
  for (const piece of pieces) {
    if (!isObject(piece)) continue
    const { index, ...rest } = piece
    const position = typeof index === 'number' && index >= 0 ? Math.trunc(index) : calls.length
    if (position >= MAX_TOOL_CALLS) continue
    while (calls.length <= position) calls.push({})
    mergeDelta(calls[position]!, rest)
  }
  return calls
}
