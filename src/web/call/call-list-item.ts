import { TAG_FEEDBACK } from '../../client/browser/call-fields.ts'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { COUNT_TEXT } from '../../client/browser/count-text.ts'
import { isObject } from '../json/is-object.ts'
import { preciseMs } from '../time/format.ts'
import { callName } from './op-name.ts'
import { isStatus, type Status } from './status.ts'

/** The fields of a call that lists and trees show, parsed from an API response. */
export interface CallListItem {
  readonly id: string
  readonly trace_id: string
  readonly parent_id: string | null
  readonly thread_id: string | null
  readonly op_name: string
  readonly name: string
  readonly status: Status
  /** Running for so long without an update that its process has most likely died. */
  readonly isStale: boolean
  /** Retention has deleted inputs, output and most attributes. */
  readonly isPayloadExpired: boolean
  readonly started_at: string
  readonly ended_at: string | null
  readonly latencyMs: number | undefined
  readonly exception: string | null
  readonly inputText: string
  readonly outputText: string
  readonly tokens: TokenCounts | undefined
  /** In US dollars; `undefined` if no model of the call has a price. */
  readonly cost: number | undefined
  readonly unpriced: readonly string[]
  readonly models: readonly string[]
  readonly reactions: readonly string[]
  /** Given by people; the app sends others in its attributes. */
  readonly tags: readonly string[]
  readonly noteCount: number
  readonly scoreCount: number
  readonly user: string | null
  /** Of the trace; null without totals of traces. */
  readonly endUser: string | null
  readonly session: string | null
  readonly environment: string | null
  /** The sender, if it is another user; null in lists, which do not read it. */
  readonly sentBy: string | null
}

interface TokenCounts {
  readonly input: number
  readonly output: number
  readonly total: number
  readonly cacheRead: number
}

export type ApiCall = BrowserResponse<'project_calls'>['calls'][number]

interface Summary {
  readonly usage?: unknown
  readonly weave?: {
    readonly status?: unknown
    readonly stale?: unknown
    readonly payload_expired?: unknown
    readonly costs?: unknown
    readonly unpriced?: readonly string[]
    readonly feedback?: readonly Feedback[]
  }
}

interface Feedback {
  readonly feedback_type?: unknown
  readonly payload?: { readonly emoji?: unknown; readonly tag?: unknown }
}

export function toCallListItem(call: ApiCall): CallListItem {
  const summary = (call.summary === null ? {} : JSON.parse(call.summary.text)) as Summary
  const weave = summary.weave ?? {}
  const feedback = Array.isArray(weave.feedback) ? weave.feedback : []
  const totals = call.trace_totals
  const status = isStatus(weave.status) ? weave.status : deriveStatus(call)
  return {
    id: call.id,
    trace_id: call.trace_id,
    parent_id: call.parent_id,
    thread_id: call.thread_id,
    op_name: call.op_name,
    name: callName(call),
    status: status === 'success' && totals !== undefined && totals.errors > 0 ? 'descendant_error' : status,
    isStale: weave.stale === true,
    isPayloadExpired: weave.payload_expired === true,
    started_at: call.started_at,
    ended_at: call.ended_at,
    latencyMs: call.ended_at === null ? undefined : preciseMs(call.ended_at) - preciseMs(call.started_at),
    exception: call.exception === '' ? null : call.exception,
    inputText: call.preview?.inputs ?? '',
    outputText: call.preview?.output ?? '',
    tokens: totals === undefined ? countTokens(summary.usage) : traceTokens(totals),
    cost: totals === undefined ? totalCost(weave.costs) : toNumber(totals.cost),
    unpriced: totals?.unpriced ?? weave.unpriced ?? [],
    models: totals?.models ?? (isObject(summary.usage) ? Object.keys(summary.usage) : []),
    reactions: feedback.flatMap(({ payload }) => (typeof payload?.emoji === 'string' ? [payload.emoji] : [])),
    tags: [
      ...feedback.flatMap(({ feedback_type, payload }) =>
        feedback_type === TAG_FEEDBACK && typeof payload?.tag === 'string' ? [payload.tag] : [],
      ),
      ...(totals?.tags ?? []),
    ],
    noteCount: feedback.filter(({ feedback_type }) => feedback_type === 'wandb.note.1').length,
    scoreCount: feedback.filter(({ feedback_type }) => isScore(feedback_type)).length,
    user: call.wb_username ?? call.wb_user_id,
    endUser: totals?.end_user ?? null,
    session: totals?.session ?? null,
    environment: totals?.environment ?? null,
    sentBy: call.sent_by === call.wb_user_id ? null : (call.sent_by ?? null),
  }
}

export type TraceTotals = NonNullable<ApiCall['trace_totals']>

/** Undefined for a trace without model calls, or with too many to be counted. */
export function traceTokens(totals: TraceTotals): TokenCounts | undefined {
  const { prompt_tokens, completion_tokens, total_tokens, cache_read_input_tokens } = totals
  if (total_tokens === null || total_tokens === 0) return undefined
  return {
    input: prompt_tokens ?? 0,
    output: completion_tokens ?? 0,
    total: total_tokens,
    cacheRead: cache_read_input_tokens ?? 0,
  }
}

export function toNumber(value: number | { readonly text: string } | null): number | undefined {
  if (value === null) return undefined
  return typeof value === 'number' ? value : Number(value.text)
}

/** The status if the response has no summary. */
function deriveStatus(call: { exception: string | null; ended_at: string | null }): Status {
  if (call.exception !== null && call.exception !== '') return 'error'
  return call.ended_at === null ? 'running' : 'success'
}

function isScore(type: unknown): boolean {
  return typeof type === 'string' && /^wandb\.(?:annotation|runnable)\./.test(type)
}

/** Token counts of all models. Providers use different field names; see src/core/costs/usage.ts. */
function countTokens(usage: unknown): TokenCounts | undefined {
  if (!isObject(usage)) return undefined
  let counts: TokenCounts | undefined
  for (const model of Object.values(usage)) {
    if (!isObject(model)) continue
    const input = firstCount(model, 'prompt_tokens', 'input_tokens')
    const output = firstCount(model, 'completion_tokens', 'output_tokens')
    const total = firstCount(model, 'total_tokens') || input + output
    // A failed call of a model may report no tokens.
    if (total === 0) continue
    const cacheRead = firstCount(model, 'cache_read_input_tokens')
    counts = {
      input: (counts?.input ?? 0) + input,
      output: (counts?.output ?? 0) + output,
      total: (counts?.total ?? 0) + total,
      cacheRead: (counts?.cacheRead ?? 0) + cacheRead,
    }
  }
  return counts
}

function firstCount(model: Readonly<Record<string, unknown>>, ...names: readonly string[]): number {
  for (const name of names) {
    const value = model[name]
    const count = typeof value === 'string' && COUNT_TEXT.test(value) ? Number(value) : value
    if (typeof count === 'number' && count > 0) return count
  }
  return 0
}

const COST_TOTALS = [
  'prompt_tokens_total_cost',
  'completion_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
]

function totalCost(costs: unknown): number | undefined {
  if (!isObject(costs)) return undefined
  let sum: number | undefined
  for (const model of Object.values(costs)) {
    if (!isObject(model)) continue
    for (const name of COST_TOTALS) {
      const value = model[name]
      if (typeof value === 'number') sum = (sum ?? 0) + value
    }
  }
  return sum
}
