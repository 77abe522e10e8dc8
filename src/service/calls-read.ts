import type { Call, CallsQuery } from '../contract/calls.ts'
import { type StoredCallRow, viewCall } from '../core/call-view.ts'
import { parseQuery } from '../core/query/parse.ts'
import { callColumns, countCalls, findCall, streamCalls } from '../store/calls/read.ts'
import { RefHops } from '../store/calls/ref-hops.ts'
import { callConditions, callOrder } from '../store/calls/selection.ts'
import { sizeOfCalls } from '../store/calls/sizes.ts'
import { checkPage } from '../store/page.ts'
import { callExtras, staleExtras } from './call-extras.ts'
import { expandRefs } from './expand-refs.ts'
import type { Deps } from './deps.ts'
import type { Handlers } from './handler.ts'

type Reads = 'call_read' | 'calls_query' | 'calls_query_stream' | 'calls_query_stats'

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
    calls_query_stats: async (request) => {
      const { project_id } = request
      const hops = new RefHops(project_id, request.expand_columns)
      const conditions = callConditions(project_id, request.filter, parseQuery(request.query), hops)
      const { limit } = checkPage(request)
      const count = await countCalls(db, project_id, conditions, limit, hops)
      const isSized = request.include_total_storage_size === true
      const size = isSized ? await sizeOfCalls(db, project_id, conditions, hops) : null
      return { count, has_more: false, total_storage_size_bytes: size }
    },
  }
}

/** How many calls at a time get their costs, feedback and refs looked up. */
const LOOKUP_ROWS = 500

async function* readCalls(deps: Deps, request: CallsQuery): AsyncGenerator<Call> {
  const { project_id } = request
  const hops = new RefHops(project_id, request.expand_columns)
  const rows = streamCalls(deps.db, {
    project_id,
    conditions: callConditions(project_id, request.filter, parseQuery(request.query), hops),
    order: callOrder(project_id, request.sort_by, hops),
    columns: callColumns(wantedColumns(request)),
    page: checkPage(request),
    hops,
    with_size: request.include_storage_size === true,
  })
  if (!needsLookups(request)) {
    const extras = staleExtras(deps)
    for await (const row of rows) yield viewCall(row, extras)
    return
  }
  for await (const group of inGroups(rows, LOOKUP_ROWS)) yield* withLookups(deps, request, group)
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
  rows: readonly StoredCallRow[],
): AsyncGenerator<Call> {
  const { project_id } = request
  const extrasOf = await callExtras(deps, project_id, request, rows)
  const calls = rows.map((row) => viewCall(row, extrasOf(row)))
  const isExpanded = request.return_expanded_column_values !== false
  yield* isExpanded ? await expandRefs(deps, project_id, calls, request.expand_columns ?? []) : calls
}

async function* inGroups<T>(source: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = []
  for await (const item of source) {
    group.push(item)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
