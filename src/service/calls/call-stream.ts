import { ApiError } from '../../contract/api-error.ts'
import type { Call, CallsQuery } from '../../contract/calls/calls.ts'
import { MAX_EXPANDED_COLUMNS } from '../../contract/limits.ts'
import type { ProjectCallsRequest } from '../../contract/calls/project-calls.ts'
import { type CallCopier, callCopier } from '../../core/calls/call-copy.ts'
import { type StoredCallRow, viewCall } from '../../core/calls/call-view.ts'
import { BatchedStream, inBatches } from '../../core/concurrency/batched-stream.ts'
import { unlessLarge } from '../../core/concurrency/large-work.ts'
import { currentRequest } from '../../core/concurrency/request-scope.ts'
import type { ResultLimit } from '../../core/concurrency/result-limit.ts'
import type { JsonLine } from '../../core/json/json-line.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { requestedPage } from '../../store/query/page.ts'
import type { Deps } from '../deps.ts'
import { LargeDocuments } from '../large-documents.ts'
import { loadCallExtras, needsExtras, staleExtras } from './call-extras.ts'
import { RefExpander } from './expand-refs.ts'
import type { CallColumn } from '../../store/calls/read/select-calls.ts'
import { type CallRange, listCalls } from '../../store/calls/read/list-calls.ts'

/** Streams the calls that a query selects, with the requested extras and expanded refs. */

/** Costs, feedback and refs are looked up for this many calls per query. */
const LOOKUP_ROWS = 500

type CallsRequest = CallsQuery &
  Partial<
    Pick<ProjectCallsRequest, 'preview_characters' | 'preview_messages' | 'fields' | 'include_trace_totals'>
  >

export async function readCalls(
  deps: Deps,
  request: CallsRequest,
  range: CallRange = {},
): Promise<BatchedStream<Call>> {
  checkExpansion(request)
  const rows = await selectRows(deps, request, range)
  if (!needsLookups(request)) {
    const extras = staleExtras(deps)
    return rows.map((row) => viewCall(row, extras))
  }
  return new BatchedStream(viewGroups(deps, request, rows))
}

/** A call, its text, or a reference to calls that are read elsewhere. */
type CallDocument = Call | JsonLine | LargeDocuments

/**
 * Like `readCalls`, for a response that is sent while it is read. Calls that are too large for the main thread become
 * `LargeDocuments`.
 */
export async function streamCallDocuments(
  deps: Deps,
  request: CallsQuery,
): Promise<BatchedStream<CallDocument>> {
  const limit = currentRequest()?.resultLimit
  if (limit === undefined || !limit.isMainThread) return readCalls(deps, request)
  checkExpansion(request)
  const rows = await selectRows(deps, request, {}, true)
  return new BatchedStream(documentGroups(deps, request, rows, limit))
}

/** The size of expanded values is known only when they are read, possibly in the middle of the response. */
function checkExpansion(request: CallsRequest): void {
  const columns = request.expand_columns ?? []
  if (columns.length > MAX_EXPANDED_COLUMNS)
    throw new ApiError(
      'invalid_request',
      `at most ${MAX_EXPANDED_COLUMNS} columns can be expanded per request`,
    )
  if (expandedColumns(request).length > 0) currentRequest()?.resultLimit?.leaveToThread()
}

async function selectRows(
  deps: Deps,
  request: CallsRequest,
  range: CallRange,
  isDocument = false,
): Promise<BatchedStream<StoredCallRow>> {
  return listCalls(deps, {
    project_id: request.project_id,
    filter: request.filter,
    query: parseQuery(request.query),
    expand_columns: request.expand_columns,
    range,
    sort_by: request.sort_by,
    page: requestedPage(request),
    columns: neededColumns(request),
    fields: request.fields ?? [],
    with_size: request.include_storage_size === true,
    with_placeholders: isDocument,
    preview_characters: request.preview_characters,
    preview_messages: request.preview_messages,
    rowCopier: isDocument ? (columns) => rowCopier(request, columns) : undefined,
  })
}

/** Adds the columns that requested extras need. Costs and feedback are part of the summary. */
function neededColumns(request: CallsQuery): string[] | undefined {
  const { columns } = request
  if (columns === null || columns === undefined || columns.length === 0) return undefined
  const summary = request.include_costs === true || request.include_feedback === true ? ['summary'] : []
  const usernames = request.include_usernames === true ? ['wb_user_id'] : []
  const roots = request.include_total_storage_size === true ? ['parent_id'] : []
  return [...columns, ...summary, ...usernames, ...roots, ...expandedColumns(request)]
}

/** Columns whose refs are replaced in the response. */
function expandedColumns(request: CallsQuery): readonly string[] {
  return request.return_expanded_column_values === false ? [] : (request.expand_columns ?? [])
}

function needsLookups(request: CallsRequest): boolean {
  return needsExtras(request) || expandedColumns(request).length > 0
}

/** Copies the rows of calls without payloads and computed members, unless they are changed later. */
function rowCopier(request: CallsQuery, columns: readonly CallColumn[]): CallCopier | undefined {
  const isPlain = !needsLookups(request) && request.include_storage_size !== true
  return isPlain ? callCopier(columns) : undefined
}

async function* viewGroups(
  deps: Deps,
  request: CallsQuery,
  rows: BatchedStream<StoredCallRow>,
): AsyncGenerator<readonly Call[]> {
  const expander = new RefExpander(deps, request.project_id, expandedColumns(request))
  for await (const group of inBatches(rows, LOOKUP_ROWS)) {
    const extrasOf = await loadCallExtras(deps, request.project_id, request, group)
    yield await expander.expand(group.map((row) => viewCall(row, extrasOf(row))))
  }
}

async function* documentGroups(
  deps: Deps,
  request: CallsQuery,
  rows: BatchedStream<StoredCallRow>,
  limit: ResultLimit,
): AsyncGenerator<readonly CallDocument[]> {
  const groups = needsLookups(request) ? inBatches(rows, LOOKUP_ROWS) : rows.batches
  for await (const group of groups)
    for (const part of splitAtLargeRows(group)) {
      limit.startGroup()
      yield part[0]?.is_large_row === true
        ? [largeCalls(request, part)]
        : await viewOrRefer(deps, request, part)
    }
}

async function viewOrRefer(
  deps: Deps,
  request: CallsQuery,
  rows: readonly StoredCallRow[],
): Promise<readonly CallDocument[]> {
  return unlessLarge<readonly CallDocument[]>(
    async () => {
      const extrasOf = await loadCallExtras(deps, request.project_id, request, rows)
      return rows.map((row) => row.line ?? viewCall(row, extrasOf(row)))
    },
    // Costs and feedback of these calls are too large.
    async () => [largeCalls(request, rows)],
  )
}

function largeCalls(request: CallsQuery, rows: readonly StoredCallRow[]): LargeDocuments {
  const call_ids = rows.map((row) => row.id)
  return new LargeDocuments({ ...request, filter: { call_ids }, query: null, limit: null, offset: null })
}

/** Runs of rows that are all large or all not. */
function splitAtLargeRows(rows: readonly StoredCallRow[]): (readonly StoredCallRow[])[] {
  if (!rows.some((row) => row.is_large_row === true)) return [rows]
  const parts: StoredCallRow[][] = []
  for (const row of rows) {
    const last = parts.at(-1)
    if (last === undefined || last[0]?.is_large_row !== row.is_large_row) parts.push([row])
    else last.push(row)
  }
  return parts
}
