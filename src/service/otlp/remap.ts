import { ApiError } from '../../contract/api-error.ts'
import type { CallFacts } from '../../core/calls/call-facts.ts'
import { hasSameContent } from '../../core/calls/fact-versions.ts'
import { TimeSlice } from '../../core/concurrency/time-slice.ts'
import { readTimeCursor, writeTimeCursor } from '../../core/time/time-cursor.ts'
import { readDump } from '../../otlp/dump.ts'
import { explainSpan, mapSpan } from '../../otlp/map-span.ts'
import { findCall } from '../../store/calls/read/select-calls.ts'
import { listSpans, MAX_PAGE_BYTES, type StoredSpan } from '../../store/calls/read/spans.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { newEncoder } from '../calls/new-encoder.ts'
import { encodeCall } from './spans.ts'

const DEFAULT_LIMIT = 200

/** Handlers that use the stored spans of calls: explain the mapping, or repeat it. */
export function spanHandlers(deps: Deps): Pick<Handlers, 'call_explain' | 'calls_remap'> {
  return {
    call_explain: async ({ project_id, call_id }) => {
      const row = await findCall(deps.db, project_id, call_id)
      if (row === undefined)
        throw new ApiError(
          'not_found',
          `there is no call ${call_id} in ${project_id}; it may have been deleted`,
        )
      const span = readDump(row.otel_dump ?? '')
      return { is_span: span !== undefined, fields: span === undefined ? [] : explainSpan(span) }
    },
    calls_remap: async ({ project_id, cursor, limit }) => {
      const after = typeof cursor === 'string' ? readTimeCursor(cursor) : undefined
      const pageSize = limit ?? DEFAULT_LIMIT
      const rows = await listSpans(deps.db, project_id, after, pageSize)
      const changed = await changedCalls(deps, project_id, rows)
      await deps.callWriter.write(changed)
      const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
      const isLastPage = rows.length < pageSize && bytes < MAX_PAGE_BYTES
      const last = isLastPage ? undefined : rows.at(-1)
      return {
        checked: rows.length,
        changed: changed.length,
        cursor: last === undefined ? null : writeTimeCursor({ at: BigInt(last.started), id: last.id }),
      }
    },
  }
}

/** The calls that the spans are mapped to now, without those that would be the same. */
async function changedCalls(
  deps: Deps,
  project_id: string,
  rows: readonly StoredSpan[],
): Promise<CallFacts[]> {
  const changed: CallFacts[] = []
  const slice = new TimeSlice()
  for (const row of rows) {
    if (slice.isOver) await slice.next()
    const facts = remappedCall(deps, project_id, row)
    if (facts !== undefined && !isUnchanged(facts, row)) changed.push(facts)
  }
  return changed
}

/** Undefined for a span of another server, and for one that belongs to another call. */
function remappedCall(deps: Deps, project_id: string, row: StoredSpan): CallFacts | undefined {
  const span = readDump(row.otel_dump)
  if (span === undefined) return undefined
  const { call } = mapSpan(span)
  if (call.id !== row.id || call.end === undefined) return undefined
  return encodeCall(newEncoder(deps, row.sent_by), project_id, call)
}

function isUnchanged({ start, end }: CallFacts, row: StoredSpan): boolean {
  if (start === undefined || end === undefined) return false
  return (
    hasSameContent(start.version, BigInt(row.start_version)) &&
    hasSameContent(end.version, BigInt(row.end_version))
  )
}
