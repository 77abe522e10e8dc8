import type { Call, CallsQuery } from '../../contract/calls/calls.ts'
import type { ProjectCallsRequest } from '../../contract/calls/project-calls.ts'
import { type StoredCallRow, viewCall } from '../../core/calls/call-view.ts'
import { BatchedStream, inBatches } from '../../core/concurrency/batched-stream.ts'
import { parseQuery } from '../../core/query/parse.ts'
import type { Micros } from '../../core/time/time.ts'
import { type Direction, isAfter } from '../../store/calls/page-boundary.ts'
import {
  type CallPosition,
  type CallSelection,
  callColumns,
  isSmallPage,
  startedWithin,
  streamCalls,
} from '../../store/calls/read.ts'
import { RefJoins } from '../../store/calls/ref-joins.ts'
import { callConditions, callOrder, callPrefilter, timeDirection } from '../../store/calls/selection.ts'
import { checkPage } from '../../store/query/page.ts'
import type { Deps } from '../deps.ts'
import { loadCallExtras, staleExtras } from './call-extras.ts'
import { expandRefs } from './expand-refs.ts'

/** Streams the calls that a query selects, with the requested extras and expanded refs. */

/** Costs, feedback and refs are looked up for this many calls per query. */
const LOOKUP_ROWS = 500

/** Restricts a read to a range of start times. */
export interface CallRange {
  /** Only calls after this one, in the requested order. */
  readonly after?: { readonly call: CallPosition; readonly direction: Direction } | undefined
  readonly from?: Micros | undefined
  readonly before?: Micros | undefined
}

export function readCalls(
  deps: Deps,
  request: CallsQuery & Partial<Pick<ProjectCallsRequest, 'preview_characters'>>,
  range: CallRange = {},
): BatchedStream<Call> {
  const { project_id } = request
  const refJoins = new RefJoins(project_id, request.expand_columns)
  const query = parseQuery(request.query)
  const rangeConditions = startedWithin(range)
  const selection: CallSelection = {
    project_id,
    conditions: [...rangeConditions, ...callConditions(project_id, request.filter, query, refJoins)],
    order: callOrder(project_id, request.sort_by, refJoins),
    columns: callColumns(neededColumns(request)),
    page: checkPage(request),
    refJoins,
    with_size: request.include_storage_size === true,
    preview_characters: request.preview_characters,
  }
  const direction = refJoins.isEmpty ? timeDirection(request.filter, request.sort_by) : undefined
  const afterCondition = range.after === undefined ? [] : [isAfter(range.after.call, range.after.direction)]
  const rows =
    direction !== undefined && isSmallPage(selection.page)
      ? deps.timePages.read(
          {
            selection,
            direction,
            prefilter: callPrefilter(project_id, request.filter, query, rangeConditions),
          },
          range.after?.call,
        )
      : streamCalls(deps.db, { ...selection, conditions: [...afterCondition, ...selection.conditions] })
  if (!needsLookups(request)) {
    const extras = staleExtras(deps)
    return rows.map((row) => viewCall(row, extras))
  }
  return new BatchedStream(withLookups(deps, request, rows))
}

/** Adds the columns that requested extras need. Costs and feedback are part of the summary. */
function neededColumns(request: CallsQuery): string[] | undefined {
  const { columns } = request
  if (columns === null || columns === undefined || columns.length === 0) return undefined
  const summary = request.include_costs === true || request.include_feedback === true ? ['summary'] : []
  const usernames = request.include_usernames === true ? ['wb_user_id'] : []
  const roots = request.include_total_storage_size === true ? ['parent_id'] : []
  const expanded = request.return_expanded_column_values === false ? [] : (request.expand_columns ?? [])
  return [...columns, ...summary, ...usernames, ...roots, ...expanded]
}

function needsLookups(request: CallsQuery): boolean {
  return (
    request.include_costs === true ||
    request.include_feedback === true ||
    request.include_usernames === true ||
    request.include_total_storage_size === true ||
    (request.expand_columns ?? []).length > 0
  )
}

async function* withLookups(
  deps: Deps,
  request: CallsQuery,
  rows: BatchedStream<StoredCallRow>,
): AsyncGenerator<readonly Call[]> {
  const { project_id } = request
  const isExpanded = request.return_expanded_column_values !== false
  for await (const group of inBatches(rows, LOOKUP_ROWS)) {
    const extrasOf = await loadCallExtras(deps, project_id, request, group)
    const calls = group.map((row) => viewCall(row, extrasOf(row)))
    yield isExpanded ? await expandRefs(deps, project_id, calls, request.expand_columns ?? []) : calls
  }
}
