import type { CallsFilter } from '../../contract/calls/calls-filter.ts'
import type { ResponseOf } from '../../contract/operations.ts'
import type { StoredCallRow } from '../../core/calls/call-view.ts'
import type { Operand } from '../../core/query/ast.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { parseTime } from '../../core/time/time.ts'
import { rollUp, callUsage, viewUsage } from '../../core/costs/usage-rollup.ts'
import { tokensByModel } from '../../core/costs/usage.ts'
import { requestedPage } from '../../store/query/page.ts'
import { safeRecord } from '../../core/json/safe-record.ts'
import { findModelPrices } from '../../store/costs/model-prices.ts'
import { recordedUsage } from './call-costs.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { listCalls } from '../../store/calls/read/list-calls.ts'

const DEFAULT_LIMIT = 10_000

type UsageResponse = ResponseOf<'trace_usage'>

interface UsageOptions {
  readonly project_id: string
  readonly include_costs?: boolean | null | undefined
  readonly limit?: number | null | undefined
}

/** Handlers for token usage, rolled up over the calls of traces. */
export function usageHandlers(deps: Deps): Pick<Handlers, 'calls_usage' | 'trace_usage'> {
  return {
    trace_usage: async (request) => rollUpUsage(deps, request, request.filter, parseQuery(request.query)),
    calls_usage: async (request) => {
      const { project_id } = request
      const call_ids = [...new Set(request.call_ids)]
      const noUsage = safeRecord<Record<string, never>>(call_ids.map((id) => [id, {}]))
      if (call_ids.length === 0) return { call_usage: noUsage, unfinished_call_ids: [] }
      const rows = await readRows(deps, project_id, { call_ids }, undefined, undefined)
      if (rows.length === 0) return { call_usage: noUsage, unfinished_call_ids: [] }
      const trace_ids = [...new Set(rows.map((row) => row.trace_id))]
      const { call_usage, unfinished_call_ids } = await rollUpUsage(deps, request, { trace_ids }, undefined)
      return {
        call_usage: safeRecord(call_ids.map((id) => [id, call_usage[id] ?? {}])),
        unfinished_call_ids,
      }
    },
  }
}

async function rollUpUsage(
  deps: Deps,
  options: UsageOptions,
  filter: CallsFilter | null | undefined,
  query: Operand | undefined,
): Promise<UsageResponse> {
  const { project_id } = options
  const { limit = DEFAULT_LIMIT } = requestedPage({ limit: options.limit })
  const rows = await readRows(deps, project_id, filter, query, limit)
  const calls = rows.map((row) => ({ row, tokens: tokensByModel(recordedUsage(row)) }))
  const models = calls.flatMap(({ tokens }) => [...tokens.keys()])
  const prices = options.include_costs === true ? await findModelPrices(deps, project_id, models) : undefined
  const sums = rollUp(
    calls.map(({ row, tokens }) => ({
      id: row.id,
      parent_id: row.parent_id ?? '',
      usage: callUsage(tokens, prices, parseTime(row.started_at) ?? 0n),
    })),
  )
  return {
    call_usage: safeRecord(
      [...sums].map(([id, models]) => [
        id,
        safeRecord([...models].map(([model, usage]) => [model, viewUsage(usage)])),
      ]),
    ),
    unfinished_call_ids: rows
      .filter((row) => row.ended_at === null)
      .map((row) => row.id)
      .sort(),
  }
}

async function readRows(
  deps: Deps,
  project_id: string,
  filter: CallsFilter | null | undefined,
  query: Operand | undefined,
  limit: number | undefined,
): Promise<StoredCallRow[]> {
  const found = await listCalls(deps, {
    project_id,
    filter,
    query,
    columns: ['parent_id', 'summary'],
    page: { limit, offset: undefined },
    inOneStatement: true,
  })
  const rows: StoredCallRow[] = []
  for await (const row of found) rows.push(row)
  return rows
}
