import type { Micros } from '../time/time.ts'
import { type Tokens, totalTokens } from './usage.ts'

/**
 * Which calls of a trace count, so that each request to a model counts once. Three things repeat usage: SDKs add the tokens of
 * a call to its parent, some instrumentations report a sum at the span around their model calls, and two instrumentations may
 * trace one request, as two spans of which one is the parent of the other, or beside each other.
 */

/** A call with usage. */
export interface UsedCall {
  readonly id: string
  readonly trace_id: string
  readonly parent_id: string
  readonly op_name: string
  readonly started: Micros
  /** Undefined while it runs. */
  readonly ended: Micros | undefined
  readonly isSpan: boolean
  readonly usage: ReadonlyMap<string, Tokens>
}

/**
 * The calls that count, in any order of the calls. A call that reports at least as many tokens as its children together
 * includes them; one that reports fewer is left out, because its children are counted. Of two spans of one request the one
 * with more tokens counts.
 */
export function callsThatCount<Call extends UsedCall>(calls: readonly Call[]): Call[] {
  const tokens = new Map(calls.map((call) => [key(call.trace_id, call.id), tokensOf(call)]))
  const ofChildren = new Map<string, bigint>()
  const repeated = repeatedSpans(calls)
  for (const call of calls) {
    if (repeated.has(call)) continue
    const parent = key(call.trace_id, call.parent_id)
    ofChildren.set(parent, (ofChildren.get(parent) ?? 0n) + tokensOf(call))
  }
  const includesChildren = (call: string): boolean =>
    (tokens.get(call) ?? -1n) >= (ofChildren.get(call) ?? 0n)
  return calls.filter(
    (call) =>
      !repeated.has(call) &&
      includesChildren(key(call.trace_id, call.id)) &&
      !includesChildren(key(call.trace_id, call.parent_id)),
  )
}

/** Clocks of two instrumentations in one process, which start and end one after the other. */
const CLOCK_MICROS = 5_000n

/** The most open spans that a span is compared with. Their number depends on the sender. */
const MAX_COMPARED = 16

/** Spans of requests that another span beside them has too: of another name, within the same time, with the same output. */
function repeatedSpans<Call extends UsedCall>(calls: readonly Call[]): ReadonlySet<Call> {
  const repeated = new Set<Call>()
  const open = new Map<string, Call[]>()
  for (const call of calls.toSorted(byTime)) {
    const output = outputOf(call)
    if (!call.isSpan || call.ended === undefined || output === 0n) continue
    const group = `${key(call.trace_id, call.parent_id)} ${output}`
    const others = (open.get(group) ?? []).filter(({ ended = 0n }) => ended + CLOCK_MICROS >= call.started)
    const { ended } = call
    const twin = others
      .slice(-MAX_COMPARED)
      .find((other) => other.op_name !== call.op_name && isWithin(ended, other))
    if (twin === undefined) others.push(call)
    else {
      repeated.add(tokensOf(call) > tokensOf(twin) ? twin : call)
      others.splice(others.indexOf(twin), 1)
    }
    open.set(group, others)
  }
  return repeated
}

/** The other started first, so the time of one is within that of the other unless they only overlap. */
function isWithin(ended: Micros, other: UsedCall): boolean {
  return ended <= (other.ended ?? ended) + CLOCK_MICROS
}

function byTime(a: UsedCall, b: UsedCall): number {
  if (a.started !== b.started) return a.started < b.started ? -1 : 1
  if (a.ended !== b.ended) return (a.ended ?? 0n) > (b.ended ?? 0n) ? -1 : 1
  return a.id < b.id ? -1 : 1
}

function tokensOf({ usage }: UsedCall): bigint {
  return [...usage.values()].reduce((sum, tokens) => sum + totalTokens(tokens), 0n)
}

function outputOf({ usage }: UsedCall): bigint {
  return [...usage.values()].reduce((sum, tokens) => sum + tokens.completion, 0n)
}

function key(trace_id: string, id: string): string {
  return `${trace_id}/${id}`
}
