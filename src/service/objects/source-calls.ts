import { ApiError } from '../../contract/api-error.ts'
import type { SourceRef } from '../../contract/objects/dataset-sources.ts'
import type { StoredCallRow } from '../../core/calls/call-view.ts'
import { formatTime } from '../../core/time/time.ts'
import { callId } from '../../otlp/call-id.ts'
import type { Deps } from '../deps.ts'
import { namedCalls } from '../queues/named-calls.ts'

/** Finds the calls that the sources of dataset rows name. */

export interface FoundSource extends SourceRef {
  /** Empty for a conversation. */
  readonly call_id: string
  readonly source_started_at: string
  readonly source_display_name: string
}

const COLUMNS = ['id', 'trace_id', 'op_name', 'started_at'] as const

/** In the order of the sources. Calls and spans must exist; conversations are not looked up. */
export async function findSources(
  deps: Deps,
  project_id: string,
  sources: readonly SourceRef[],
): Promise<FoundSource[]> {
  for (const source of sources) checkTraceId(source)
  const ids = new Set(sources.flatMap(possibleCallIds))
  const calls = new Map<string, StoredCallRow>()
  for await (const row of namedCalls(deps, project_id, [...ids], COLUMNS)) calls.set(row.id, row)
  const now = formatTime(deps.now())
  const missing: string[] = []
  const found = sources.flatMap((source): FoundSource[] => {
    if (source.source_kind === 'conversation')
      return [{ ...source, call_id: '', source_started_at: now, source_display_name: '' }]
    const call = possibleCallIds(source)
      .map((id) => calls.get(id))
      .find((each) => each !== undefined && isSource(each, source))
    if (call === undefined) {
      missing.push(`${source.source_kind} ${source.source_id}`)
      return []
    }
    return [
      {
        ...source,
        source_trace_id: call.trace_id,
        call_id: call.id,
        source_started_at: call.started_at,
        source_display_name: call.op_name,
      },
    ]
  })
  if (missing.length > 0)
    throw new ApiError('invalid_request', `the project does not have these sources: ${firstNames(missing)}`)
  return found
}

/** A span is the call that OpenTelemetry stored, or a call named by its own id. */
function possibleCallIds({ source_kind, source_id, source_trace_id }: SourceRef): string[] {
  if (source_kind === 'conversation') return []
  return source_kind === 'call' ? [source_id] : [callId(source_trace_id, source_id), source_id]
}

function isSource(call: StoredCallRow, { source_kind, source_trace_id }: SourceRef): boolean {
  return source_kind === 'call' || call.trace_id === source_trace_id
}

function checkTraceId({ source_kind, source_id, source_trace_id }: SourceRef): void {
  if (source_kind === 'span' && source_trace_id === '')
    throw new ApiError('invalid_request', `the span ${source_id} needs the source_trace_id of its trace`)
  if (source_kind === 'conversation' && source_trace_id !== '')
    throw new ApiError(
      'invalid_request',
      `the conversation ${source_id} spans traces: its source_trace_id must be empty`,
    )
}

/** Enough of a list for a message. */
export function firstNames(all: readonly string[]): string {
  const names = [...new Set(all)].map((name) => name.slice(0, 300))
  return `${names.slice(0, 10).join(', ')}${names.length > 10 ? `, and ${names.length - 10} more` : ''}`
}
