import type { CallsFilter } from '../../contract/calls/calls-filter.ts'
import type { ResponseOf } from '../../contract/operations.ts'
import type { StoredCallRow } from '../../core/calls/call-view.ts'
import type { Operand } from '../../core/query/ast.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { parseTime } from '../../core/time/time.ts'
import { rollUp, usageOfCall, viewUsage } from '../../core/costs/usage-rollup.ts'
import { tokensByModel } from '../../core/costs/usage.ts'
import { callColumns, streamCalls } from '../../store/calls/read.ts'
import { callConditions, callOrder } from '../../store/calls/selection.ts'
import { checkPage } from '../../store/query/page.ts'
import { findPrices } from '../../store/costs/prices.ts'
import { usageOf } from './call-costs.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

const USUAL_LIMIT = 10_000

type UsageAnswer = ResponseOf<'trace_usage'>

interface Asked {
  readonly project_id: string
  readonly include_costs?: boolean | null | undefined
  readonly limit?: number | null | undefined
}

export function usageHandlers(deps: Deps): Pick<Handlers, 'calls_usage' | 'trace_usage'> {
  return {
    trace_usage: async (request) => addUp(deps, request, request.filter, parseQuery(request.query)),
    calls_usage: async (request) => {
      const { project_id } = request
      const call_ids = [...new Set(request.call_ids)]
      const nothing = recordOf<Record<string, never>>(call_ids.map((id) => [id, {}]))
      if (call_ids.length === 0) return { call_usage: nothing, unfinished_call_ids: [] }
      const rows = await readRows(deps, project_id, { call_ids }, undefined, undefined)
      if (rows.length === 0) return { call_usage: nothing, unfinished_call_ids: [] }
      const trace_ids = [...new Set(rows.map((row) => row.trace_id))]
      const { call_usage, unfinished_call_ids } = await addUp(deps, request, { trace_ids }, undefined)
      return {
        call_usage: recordOf(call_ids.map((id) => [id, call_usage[id] ?? {}])),
        unfinished_call_ids,
      }
    },
  }
}

async function addUp(
  deps: Deps,
  asked: Asked,
  filter: CallsFilter | null | undefined,
  query: Operand | undefined,
): Promise<UsageAnswer> {
  const { project_id } = asked
  const { limit = USUAL_LIMIT } = checkPage({ limit: asked.limit })
  const rows = await readRows(deps, project_id, filter, query, limit)
  const calls = rows.map((row) => ({ row, tokens: tokensByModel(usageOf(row)) }))
  const prices = asked.include_costs === true ? await pricesOf(deps, project_id, calls) : undefined
  const sums = rollUp(
    calls.map(({ row, tokens }) => ({
      id: row.id,
      parent_id: row.parent_id ?? '',
      usage: usageOfCall(tokens, prices, parseTime(row.started_at) ?? 0n),
    })),
  )
  return {
    call_usage: recordOf(
      [...sums].map(([id, models]) => [
        id,
        recordOf([...models].map(([model, usage]) => [model, viewUsage(usage)])),
      ]),
    ),
    unfinished_call_ids: rows
      .filter((row) => row.ended_at === null)
      .map((row) => row.id)
      .sort(),
  }
}

async function readRows(
  { db }: Deps,
  project_id: string,
  filter: CallsFilter | null | undefined,
  query: Operand | undefined,
  limit: number | undefined,
): Promise<StoredCallRow[]> {
  const rows: StoredCallRow[] = []
  for await (const row of streamCalls(db, {
    project_id,
    conditions: callConditions(project_id, filter, query),
    order: callOrder(project_id, null),
    columns: callColumns(['parent_id', 'summary']),
    page: { limit, offset: undefined },
  })) {
    rows.push(row)
  }
  return rows
}

async function pricesOf(
  deps: Deps,
  project_id: string,
  calls: readonly { readonly tokens: ReadonlyMap<string, unknown> }[],
): Promise<Awaited<ReturnType<typeof findPrices>>> {
  await deps.defaultPrices.ready()
  const models = new Set(calls.flatMap(({ tokens }) => [...tokens.keys()]))
  return findPrices(deps.db, project_id, [...models])
}

/** Ids and models are a client's text, so the object has no prototype to run into. */
function recordOf<Value>(members: readonly (readonly [string, Value])[]): Record<string, Value> {
  const record = Object.create(null) as Record<string, Value>
  for (const [key, value] of members) record[key] = value
  return record
}
