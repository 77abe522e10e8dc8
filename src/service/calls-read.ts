import type { Call, CallsQuery } from '../contract/calls.ts'
import type { RawJson } from '../contract/raw-json.ts'
import { type CallExtras, type StoredCallRow, viewCall } from '../core/call-view.ts'
import { parseQuery } from '../core/query/parse.ts'
import { callColumns, countCalls, findCall, streamCalls } from '../store/calls/read.ts'
import { callConditions, callOrder } from '../store/calls/selection.ts'
import { checkPage } from '../store/page.ts'
import { costsOfCalls } from './call-costs.ts'
import { feedbackOfCalls } from './call-feedback.ts'
import { expandRefs } from './expand-refs.ts'
import type { Deps } from './deps.ts'
import type { Handlers } from './handler.ts'

type Reads = 'call_read' | 'calls_query' | 'calls_query_stream' | 'calls_query_stats'

export function callReadHandlers(deps: Deps): Pick<Handlers, Reads> {
  const { db } = deps
  return {
    call_read: async ({ project_id, id, include_costs }) => {
      const row = await findCall(db, project_id, id)
      if (row === undefined) return { call: null }
      const costs = include_costs === true ? await costsOfCalls(deps, project_id, [row]) : undefined
      return { call: viewCall(row, { costs: costs?.get(row.id) }) }
    },
    calls_query_stream: async (request) => readCalls(deps, request),
    calls_query: async (request) => {
      const calls: Call[] = []
      for await (const call of readCalls(deps, request)) calls.push(call)
      return { calls }
    },
    calls_query_stats: async (request) => {
      const conditions = callConditions(request.project_id, request.filter, parseQuery(request.query))
      const { limit } = checkPage(request)
      const count = await countCalls(db, request.project_id, conditions, limit)
      return { count, has_more: false, total_storage_size_bytes: null }
    },
  }
}

/** How many calls at a time get their costs, feedback and refs looked up. */
const LOOKUP_ROWS = 500

async function* readCalls(deps: Deps, request: CallsQuery): AsyncGenerator<Call> {
  const { project_id } = request
  const rows = streamCalls(deps.db, {
    project_id,
    conditions: callConditions(project_id, request.filter, parseQuery(request.query)),
    order: callOrder(project_id, request.sort_by),
    columns: callColumns(wantedColumns(request)),
    page: checkPage(request),
  })
  if (!needsLookups(request)) {
    for await (const row of rows) yield viewCall(row)
    return
  }
  for await (const group of inGroups(rows, LOOKUP_ROWS)) yield* withLookups(deps, request, group)
}

/** Costs and feedback are shown in the summary, so asking for them asks for it. */
function wantedColumns(request: CallsQuery): string[] | undefined {
  const { columns } = request
  if (columns === null || columns === undefined || columns.length === 0) return undefined
  const shown = request.include_costs === true || request.include_feedback === true ? ['summary'] : []
  return [...columns, ...shown, ...(request.expand_columns ?? [])]
}

function needsLookups(request: CallsQuery): boolean {
  return (
    request.include_costs === true ||
    request.include_feedback === true ||
    (request.expand_columns ?? []).length > 0
  )
}

async function* withLookups(
  deps: Deps,
  request: CallsQuery,
  rows: readonly StoredCallRow[],
): AsyncGenerator<Call> {
  const { db } = deps
  const { project_id } = request
  const costs = request.include_costs === true ? await costsOfCalls(deps, project_id, rows) : undefined
  const feedback = request.include_feedback === true ? await feedbackOfCalls(db, project_id, rows) : undefined
  const calls = rows.map((row) => {
    const extras: CallExtras = {
      costs: costs?.get(row.id),
      ...(feedback === undefined ? {} : { feedback: feedback.get(row.id) ?? ([] as RawJson[]) }),
    }
    return viewCall(row, extras)
  })
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
