import type { Call } from '../../contract/calls/calls.ts'
import type { ProjectCallsRequest } from '../../contract/calls/project-calls.ts'
import type { SortBy } from '../../contract/fields.ts'
import type { ResponseOf } from '../../contract/operations.ts'
import { viewCall } from '../../core/calls/call-view.ts'
import { parseOptionalTime, parseTimeField } from '../../core/metrics/time-buckets.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { type TimeCursor, readTimeCursor, writeTimeCursor } from '../../core/time/time-cursor.ts'
import { requestedPage } from '../../store/query/page.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { loadCallExtras } from './call-extras.ts'
import { readCalls, streamCallDocuments } from './call-stream.ts'
import { type CallRange, countMatchingCalls } from '../../store/calls/read/list-calls.ts'
import { type CallPosition, findCall } from '../../store/calls/read/select-calls.ts'

type ReadOperation =
  | 'call_read'
  | 'calls_query'
  | 'calls_query_stream'
  | 'calls_query_stats'
  | 'project_calls'

/** Handlers that read calls: one call, streams, pages and counts. */
export function callReadHandlers(deps: Deps): Pick<Handlers, ReadOperation> {
  const { db } = deps
  return {
    call_read: async (request) => {
      const { project_id } = request
      const row = await findCall(db, project_id, request.id, request.include_storage_size === true)
      if (row === undefined) return { call: null }
      const extrasOf = await loadCallExtras(deps, project_id, request, [row])
      return { call: viewCall(row, extrasOf(row)) }
    },
    calls_query_stream: async (request) => streamCallDocuments(deps, request),
    calls_query: async (request) => {
      const calls: Call[] = []
      for await (const call of await readCalls(deps, request)) calls.push(call)
      return { calls }
    },
    project_calls: async (request) => readCallsPage(deps, request),
    calls_query_stats: async (request) => {
      const { limit } = requestedPage(request)
      const { count, size } = await countMatchingCalls(
        deps,
        {
          project_id: request.project_id,
          filter: request.filter,
          query: parseQuery(request.query),
          expand_columns: request.expand_columns,
        },
        {
          // Counting one more than the limit shows whether it cut the count.
          limit: limit === undefined ? undefined : Math.min(limit + 1, Number.MAX_SAFE_INTEGER),
          with_size: request.include_total_storage_size === true,
        },
      )
      const has_more = limit !== undefined && count > limit
      return { count: has_more ? limit : count, has_more, total_storage_size_bytes: size ?? null }
    },
  }
}

const DEFAULT_PAGE_CALLS = 50

async function readCallsPage(deps: Deps, request: ProjectCallsRequest): Promise<ResponseOf<'project_calls'>> {
  const limit = request.limit ?? DEFAULT_PAGE_CALLS
  const { cursor } = request
  const direction = request.direction ?? 'desc'
  const range: CallRange = {
    after: typeof cursor === 'string' ? { call: callPosition(readTimeCursor(cursor)), direction } : undefined,
    from: parseOptionalTime(request.after, 'after'),
    before: parseOptionalTime(request.before, 'before'),
  }
  const sort_by: SortBy = [{ field: 'started_at', direction }]
  const calls: Call[] = []
  // Reading one more than the limit shows whether there is a next page.
  const found = await readCalls(deps, { ...request, sort_by, limit: limit + 1 }, range)
  for await (const call of found) calls.push(call)
  const page = calls.slice(0, limit)
  const last = page.at(-1)
  const hasMore = calls.length > limit && last !== undefined
  return {
    calls: page,
    cursor: hasMore
      ? writeTimeCursor({ at: parseTimeField(last.started_at, 'started_at'), id: last.id })
      : null,
  }
}

function callPosition({ at, id }: TimeCursor): CallPosition {
  return { started: at.toString(), id }
}
