import { RawJson } from '../contract/raw-json.ts'
import { writeJson } from '../core/json/write.ts'
import { clampTime, type Micros } from '../core/time/time.ts'
import { callId, parentCallId } from './call-id.ts'
import { dumpSpan } from './dump.ts'
import { statusError } from './exception.ts'
import { spanFeedback } from './feedback.ts'
import type { JsonObject } from './json.ts'
import { INFERENCE_KINDS } from './kinds.ts'
import type { FieldSource, MappedCall, MappedSpan } from './mapped.ts'
import type { Span } from './model.ts'
import { opName } from './op-name.ts'
import { assembleInputs, assembleOutput } from './payloads.ts'
import { pendingSpan } from './pending-span.ts'
import { Resolution, sourceOf } from './resolve.ts'
import type { Field } from './rules.ts'
import { spanAttributes } from './span-attributes.ts'
import { cutText } from './text.ts'
import { readReportedCost, readUsage } from './usage.ts'
import { linkedCall } from './weave-link.ts'

/** Maps a span to a call. */
export function mapSpan(sent: Span): MappedSpan {
  const pending = pendingSpan(sent)
  const span = pending ?? sent
  const resolution = new Resolution(span)
  const call = mapCall(span, sent, resolution)
  return { call, feedback: pending === undefined ? spanFeedback(resolution, call.id) : [] }
}

const MAX_ID_CHARACTERS = 256
const MAX_NAME_CHARACTERS = 1000

function mapCall(span: Span, sent: Span, resolution: Resolution): MappedCall {
  const id = callId(span.traceId, span.spanId)
  const link = linkedCall(span)
  const parent_id = parentCallId(span.traceId, span.parentSpanId, span.spanId) || (link?.id ?? '')
  const kind = resolution.text('kind') ?? 'other'
  const thread_id = cutText(resolution.text('thread_id') ?? '', MAX_ID_CHARACTERS)
  const isTurn = thread_id !== '' && (resolution.value('is_turn') ?? parent_id === '') === true
  const started_at = startTime(span, resolution)
  const op_name = opName(resolution, kind, span)
  const display_name = cutText(resolution.text('display_name') ?? span.name, MAX_NAME_CHARACTERS)
  const isEnded = span.endNanos !== 0n
  // Before the attributes: they contain what these have not used.
  const inputs = assembleInputs(resolution, kind)
  const output = isEnded ? assembleOutput(resolution, kind) : undefined
  const exception = isEnded ? (resolution.text('exception') ?? statusError(span) ?? null) : null
  const usage = readUsage(resolution)
  const countsUsage =
    INFERENCE_KINDS.has(kind) && resolution.value('counts_usage') !== false && link === undefined
  const summary = isEnded ? summaryOf(resolution, countsUsage, usage?.counts) : undefined
  const attributes = spanAttributes({
    span,
    resolution,
    kind,
    thread_id,
    usageReported: countsUsage ? undefined : usage?.counts,
    usageContradiction: usage?.contradiction,
  })
  return {
    id,
    trace_id: link?.trace_id ?? span.traceId,
    parent_id,
    thread_id,
    turn_id: isTurn ? id : '',
    op_name,
    display_name: display_name === op_name ? '' : display_name,
    wb_run_id: cutText(resolution.text('wb_run_id') ?? '', MAX_ID_CHARACTERS),
    started_at,
    attributes,
    inputs,
    otel_dump: dumpSpan(sent),
    end:
      output === undefined || summary === undefined
        ? undefined
        : { ended_at: endTime(span, resolution, started_at), exception, output, summary },
  }
}

function summaryOf(resolution: Resolution, countsUsage: boolean, usage: JsonObject | undefined): RawJson {
  const cost_reported = readReportedCost(resolution)
  const model = modelOf(resolution)
  let text = ''
  if (countsUsage && (usage !== undefined || model !== undefined)) {
    const entry = { requests: 1, ...usage, total_cost: cost_reported?.['total'] }
    text = `"usage":{${writeJson(model ?? 'unknown')}:${writeJson(entry)}}`
  }
  if (cost_reported !== undefined)
    text += `${text === '' ? '' : ','}"cost_reported":${writeJson(cost_reported)}`
  const ttft = resolution.value('summary.ttft_ms')
  if (ttft !== undefined) text += `${text === '' ? '' : ','}"ttft_ms":${writeJson(ttft)}`
  return RawJson.fromText(`{${text}}`)
}

function modelOf(resolution: Resolution): string | undefined {
  return resolution.text('attributes.model') ?? resolution.text('attributes.model_requested')
}

function startTime({ startNanos, endNanos }: Span, resolution: Resolution): Micros {
  const given = resolution.value('started_at')
  return typeof given === 'bigint' ? given : clampTime((startNanos === 0n ? endNanos : startNanos) / 1000n)
}

/** Not before the start, which clocks that are set back report. */
function endTime({ endNanos }: Span, resolution: Resolution, started_at: Micros): Micros {
  const given = resolution.value('ended_at')
  const ended_at = typeof given === 'bigint' ? given : clampTime(endNanos / 1000n)
  return ended_at < started_at ? started_at : ended_at
}

/** Which rule each field of the call comes from. */
export function explainSpan(sent: Span): FieldSource[] {
  const span = pendingSpan(sent) ?? sent
  const resolution = new Resolution(span)
  const sources: FieldSource[] = []
  for (const field of resolution.fields) {
    const found = resolution.find(field)
    if (found !== undefined) sources.push({ field: shownField(field), ...sourceOf(found) })
  }
  return sources.sort((a, b) => (a.field < b.field ? -1 : 1))
}

/** The place in the call that a field of the rules ends up in. */
export function shownField(field: Field): string {
  return SHOWN.get(field) ?? field
}

const SHOWN: ReadonlyMap<string, string> = new Map([
  ['kind', 'attributes.kind'],
  ['metadata', 'attributes.metadata'],
  ['is_turn', 'turn_id'],
  ['counts_usage', 'summary.usage'],
  ['excludes_cache', 'summary.usage'],
])
