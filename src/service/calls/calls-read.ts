import type { Call, CallsQuery } from '../../contract/calls/calls.ts'
import type { SortBy } from '../../contract/fields.ts'
import type { ResponseOf } from '../../contract/operations.ts'
import type { ProjectCallsRequest } from '../../contract/calls/project-calls.ts'
import { type StoredCallRow, viewCall } from '../../core/calls/call-view.ts'
import { Grouped, inGroups } from '../../core/concurrency/grouped.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { readTimeCursor, type TimeCursor, writeTimeCursor } from '../../core/time/time-cursor.ts'
import { readTime, timeOrNone } from '../../core/metrics/time-buckets.ts'
import type { Micros } from '../../core/time/time.ts'
import {
  callColumns,
  type CallPlace,
  type CallSelection,
  countCalls,
  countQuickly,
  findCall,
  isShort,
  startedWithin,
  streamCalls,
} from '../../store/calls/read.ts'
import { RefHops } from '../../store/calls/ref-joins.ts'
import {
  callConditions,
  callOrder,
  callSieve,
  quickConditions,
  timeDirection,
} from '../../store/calls/selection.ts'
import { type Direction, isBehind } from '../../store/calls/page-boundary.ts'
import { sizeOfCalls } from '../../store/calls/sizes.ts'
import { checkPage } from '../../store/query/page.ts'
import { callExtras, staleExtras } from './call-extras.ts'
import { expandRefs } from './expand-refs.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

type Reads = 'call_read' | 'calls_query' | 'calls_query_stream' | 'calls_query_stats' | 'project_calls'

export function callReadHandlers(deps: Deps): Pick<Handlers, Reads> {
  const { db } = deps
  return {
    call_read: async (request) => {
      const { project_id } = request
      const row = await findCall(db, project_id, request.id, request.include_storage_size === true)
      if (row === undefined) return { call: null }
      const extrasOf = await callExtras(deps, project_id, request, [row])
      return { call: viewCall(row, extrasOf(row)) }
    },
    calls_query_stream: async (request) => readCalls(deps, request),
    calls_query: async (request) => {
      const calls: Call[] = []
      for await (const call of readCalls(deps, request)) calls.push(call)
      return { calls }
    },
    project_calls: async (request) => pageOfCalls(deps, request),
    calls_query_stats: async (request) => {
      const { project_id } = request
      const hops = new RefHops(project_id, request.expand_columns)
      const query = parseQuery(request.query)
      const conditions = callConditions(project_id, request.filter, query, hops)
      const { limit } = checkPage(request)
      const quick = limit === undefined ? quickConditions(project_id, request.filter, query, hops) : undefined
      const count =
        (quick && (await countQuickly(db, project_id, quick))) ??
        (await countCalls(db, project_id, conditions, limit, hops))
      const isSized = request.include_total_storage_size === true
      const size = isSized ? await sizeOfCalls(db, project_id, conditions, hops) : null
      return { count, has_more: false, total_storage_size_bytes: size }
    },
  }
}

/** How many calls at a time get their costs, feedback and refs looked up. */
const LOOKUP_ROWS = 500

/** Where in time to look. */
interface Span {
  /** Behind this call, in the order of time that is asked for. */
  readonly behind?: { readonly call: CallPlace; readonly direction: Direction } | undefined
  readonly from?: Micros | undefined
  readonly before?: Micros | undefined
}

function readCalls(
  deps: Deps,
  request: CallsQuery & Partial<Pick<ProjectCallsRequest, 'preview_characters'>>,
  span: Span = {},
): Grouped<Call> {
  const { project_id } = request
  const hops = new RefHops(project_id, request.expand_columns)
  const query = parseQuery(request.query)
  const within = startedWithin(span)
  const selection: CallSelection = {
    project_id,
    conditions: [...within, ...callConditions(project_id, request.filter, query, hops)],
    order: callOrder(project_id, request.sort_by, hops),
    columns: callColumns(wantedColumns(request)),
    page: checkPage(request),
    hops,
    with_size: request.include_storage_size === true,
    preview_characters: request.preview_characters,
  }
  const direction = hops.isEmpty ? timeDirection(request.filter, request.sort_by) : undefined
  const passed = span.behind === undefined ? [] : [isBehind(span.behind.call, span.behind.direction)]
  const rows =
    direction !== undefined && isShort(selection.page)
      ? deps.timePages.read(
          { whole: selection, direction, sieve: callSieve(project_id, request.filter, query, within) },
          span.behind?.call,
        )
      : streamCalls(deps.db, { ...selection, conditions: [...passed, ...selection.conditions] })
  if (!needsLookups(request)) {
    const extras = staleExtras(deps)
    return rows.map((row) => viewCall(row, extras))
  }
  return new Grouped(withLookups(deps, request, rows))
}

const PAGE_CALLS = 50

async function pageOfCalls(deps: Deps, request: ProjectCallsRequest): Promise<ResponseOf<'project_calls'>> {
  const limit = request.limit ?? PAGE_CALLS
  const { cursor } = request
  const direction = request.direction ?? 'desc'
  const span: Span = {
    behind: typeof cursor === 'string' ? { call: placeOf(readTimeCursor(cursor)), direction } : undefined,
    from: timeOrNone(request.after, 'after'),
    before: timeOrNone(request.before, 'before'),
  }
  const sort_by: SortBy = [{ field: 'started_at', direction }]
  const calls: Call[] = []
  // One more than asked for tells whether there are more.
  for await (const call of readCalls(deps, { ...request, sort_by, limit: limit + 1 }, span)) calls.push(call)
  const page = calls.slice(0, limit)
  const last = page.at(-1)
  const isMore = calls.length > limit && last !== undefined
  return {
    calls: page,
    cursor: isMore ? writeTimeCursor({ at: readTime(last.started_at, 'started_at'), id: last.id }) : null,
  }
}

function placeOf({ at, id }: TimeCursor): CallPlace {
  return { started: at.toString(), id }
}

/** Costs and feedback are shown in the summary, so asking for them asks for it. */
function wantedColumns(request: CallsQuery): string[] | undefined {
  const { columns } = request
  if (columns === null || columns === undefined || columns.length === 0) return undefined
  const shown = request.include_costs === true || request.include_feedback === true ? ['summary'] : []
  const usernames = request.include_usernames === true ? ['wb_user_id'] : []
  const roots = request.include_total_storage_size === true ? ['parent_id'] : []
  const expanded = request.return_expanded_column_values === false ? [] : (request.expand_columns ?? [])
  return [...columns, ...shown, ...usernames, ...roots, ...expanded]
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
  rows: Grouped<StoredCallRow>,
): AsyncGenerator<readonly Call[]> {
  const { project_id } = request
  const isExpanded = request.return_expanded_column_values !== false
  for await (const group of inGroups(rows, LOOKUP_ROWS)) {
    const extrasOf = await callExtras(deps, project_id, request, group)
    const calls = group.map((row) => viewCall(row, extrasOf(row)))
    yield isExpanded ? await expandRefs(deps, project_id, calls, request.expand_columns ?? []) : calls
  }
}
