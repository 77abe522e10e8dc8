import type { Call, TraceTotals } from '../../contract/calls/calls.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { JsonLine } from '../json/json-line.ts'
import { entries, find } from '../json/navigate.ts'
import { buildObject, withMembers } from '../json/object.ts'
import { parseRef } from '../objects/ref.ts'
import { type Micros, parseTime } from '../time/time.ts'

/** Converts a stored call to the form that read operations return. */

/** A row of the store. Columns that were not selected are absent; '' means "not set" in text columns. */
export interface StoredCallRow {
  readonly id: string
  readonly project_id: string
  readonly op_name: string
  readonly trace_id: string
  readonly started_at: string
  readonly display_name?: string
  readonly parent_id?: string
  readonly thread_id?: string
  readonly turn_id?: string
  readonly attributes?: string
  readonly inputs?: string
  readonly ended_at?: string | null
  readonly exception?: string | null
  readonly output?: string
  readonly summary?: string
  readonly wb_user_id?: string
  readonly sent_by?: string
  readonly wb_run_id?: string
  readonly wb_run_step?: string | null
  readonly wb_run_step_end?: string | null
  readonly otel_dump?: string
  readonly storage_size_bytes?: string
  readonly field_values?: Readonly<Record<string, string | null>>
  readonly preview_inputs?: string
  readonly preview_output?: string
  /** The row was too large to be parsed, and has only its first columns. */
  readonly is_large_row?: true
  /** The view of the row, if it was copied (call-copy.ts). Then it has no columns. */
  readonly line?: JsonLine
}

/** Values looked up separately, mostly shown in `summary.weave`. */
export interface CallExtras {
  readonly costs?: RawJson | undefined
  /** Models of the call without a price. */
  readonly unpriced?: readonly string[] | undefined
  readonly feedback?: readonly RawJson[] | undefined
  readonly total_storage_size_bytes?: number | undefined
  /** An unfinished call that started before this time is marked as stale. */
  readonly staleBefore?: Micros | undefined
  readonly trace_totals?: TraceTotals | undefined
  /** null: no user has the id; undefined: not requested. */
  readonly wb_username?: string | null | undefined
}

const EMPTY_OBJECT = RawJson.fromText('{}')

export function viewCall(row: StoredCallRow, extras: CallExtras = {}): Call {
  return {
    id: row.id,
    project_id: row.project_id,
    op_name: row.op_name,
    display_name: orNull(row.display_name),
    trace_id: row.trace_id,
    parent_id: orNull(row.parent_id),
    thread_id: orNull(row.thread_id),
    turn_id: orNull(row.turn_id),
    started_at: row.started_at,
    attributes: viewAttributes(row),
    inputs: rawOr(row.inputs, EMPTY_OBJECT),
    ended_at: row.ended_at ?? null,
    exception: row.exception ?? null,
    output: rawOr(row.output, null),
    summary: row.summary === undefined ? null : viewSummary(row, row.summary, extras),
    wb_user_id: orNull(row.wb_user_id),
    sent_by: orNull(row.sent_by),
    wb_run_id: orNull(row.wb_run_id),
    wb_run_step: integer(row.wb_run_step),
    wb_run_step_end: integer(row.wb_run_step_end),
    deleted_at: null,
    expire_at: null,
    storage_size_bytes: integer(row.storage_size_bytes),
    total_storage_size_bytes: extras.total_storage_size_bytes ?? null,
    ...(extras.wb_username === undefined ? {} : { wb_username: extras.wb_username }),
    ...(extras.trace_totals === undefined ? {} : { trace_totals: extras.trace_totals }),
    ...(row.field_values === undefined ? {} : { fields: row.field_values }),
    ...viewPreview(row),
  }
}

function viewPreview({ preview_inputs, preview_output }: StoredCallRow): Pick<Call, 'preview'> {
  if (preview_inputs === undefined || preview_output === undefined) return {}
  return { preview: { inputs: preview_inputs, output: preview_output } }
}

function orNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}

function rawOr<Otherwise>(text: string | undefined, otherwise: Otherwise): RawJson | Otherwise {
  return text === undefined || text === '' ? otherwise : RawJson.fromText(text)
}

function integer(text: string | null | undefined): number | null {
  return text === undefined || text === null ? null : Number(text)
}

/** Adds the span to the attributes of a call that was received as an OpenTelemetry span. */
function viewAttributes(row: StoredCallRow): RawJson {
  const attributes = rawOr(row.attributes, EMPTY_OBJECT)
  if (row.otel_dump === undefined || row.otel_dump === '') return attributes
  return withMembers(attributes, [['otel_span', RawJson.fromText(row.otel_dump)]])
}

/** Keys of `summary.weave` that are computed at each read and override stored values. */
export const COMPUTED_SUMMARY_KEYS = new Set([
  'status',
  'stale',
  'latency_ms',
  'trace_name',
  'display_name',
  'costs',
  'unpriced',
  'feedback',
])

function viewSummary(row: StoredCallRow, stored: string, extras: CallExtras): RawJson {
  const summary = stored === '' ? EMPTY_OBJECT : RawJson.fromText(stored)
  const weave = find(summary, 'weave')
  const clientMembers =
    weave === undefined ? [] : entries(weave).filter(([key]) => !COMPUTED_SUMMARY_KEYS.has(key))
  const status = callStatus(row, summary)
  const computed: [string, unknown][] = [['status', status]]
  if (status === 'running' && isStale(row, extras.staleBefore)) computed.push(['stale', true])
  const latency = latencyMs(row)
  if (latency !== undefined) computed.push(['latency_ms', latency])
  if (row.display_name !== undefined && row.display_name !== '')
    computed.push(['display_name', row.display_name])
  else computed.push(['trace_name', traceName(row.op_name)])
  if (extras.costs !== undefined) computed.push(['costs', extras.costs])
  if (extras.unpriced !== undefined && extras.unpriced.length > 0)
    computed.push(['unpriced', extras.unpriced])
  if (extras.feedback !== undefined) computed.push(['feedback', extras.feedback])
  return withMembers(summary, [['weave', buildObject([...clientMembers, ...computed])]])
}

/** An empty text is not an exception: SDKs send it for calls that succeeded. Reads return it as sent. */
export function hasException(exception: string | null | undefined): boolean {
  return exception !== undefined && exception !== null && exception !== ''
}

type Status = 'success' | 'error' | 'running' | 'descendant_error'

function callStatus(row: StoredCallRow, summary: RawJson): Status {
  if (hasException(row.exception)) return 'error'
  if (row.ended_at === undefined || row.ended_at === null) return 'running'
  const counts = find(summary, 'status_counts')
  const errors = counts === undefined ? undefined : find(counts, 'error')
  return errors !== undefined && Number(errors.text) > 0 ? 'descendant_error' : 'success'
}

/** The process of a stale call has most likely died. The call still counts as running: no end was received. */
function isStale(row: StoredCallRow, before: Micros | undefined): boolean {
  return before !== undefined && (parseTime(row.started_at) ?? before) < before
}

/** Undefined for a running call. */
export function latencyMs(row: StoredCallRow): number | undefined {
  if (row.ended_at === undefined || row.ended_at === null) return undefined
  const started = parseTime(row.started_at)
  const ended = parseTime(row.ended_at)
  return started === undefined || ended === undefined ? undefined : Number((ended - started) / 1000n)
}

/** The op name without project and digest if it is a ref, else the name unchanged. */
function traceName(op_name: string): string {
  const ref = parseRef(op_name)
  return ref?.kind === 'op' ? ref.name : op_name
}
