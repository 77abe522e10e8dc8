import type { TraceTotals } from '../../contract/calls/calls.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { StoredCallRow } from '../../core/calls/call-view.ts'
import { formatDecimal, plus, ZERO } from '../../core/costs/decimal.ts'
import { callsThatCount, type UsedCall } from '../../core/costs/model-calls.ts'
import type { PriceBook } from '../../core/costs/prices.ts'
import { addUsage, callUsage, type Usage } from '../../core/costs/usage-rollup.ts'
import { totalTokens } from '../../core/costs/usage.ts'
import { parseTime } from '../../core/time/time.ts'
import { listTraces, type StoredTrace } from '../../store/calls/read/trace-totals.ts'
import { findModelPrices } from '../../store/costs/model-prices.ts'
import type { Deps } from '../deps.ts'

/** Totals of the traces of a page of calls. */

/** The totals of the traces that these calls belong to, by trace id. */
export async function readTraceTotals(
  deps: Pick<Deps, 'db' | 'defaultPrices'>,
  project_id: string,
  rows: readonly StoredCallRow[],
): Promise<ReadonlyMap<string, TraceTotals>> {
  const trace_ids = [...new Set(rows.map((row) => row.trace_id))]
  if (trace_ids.length === 0) return new Map()
  const starts = rows.map((row) => parseTime(row.started_at) ?? 0n)
  const first = starts.reduce((earliest, start) => (start < earliest ? start : earliest))
  const traces = (await listTraces(deps.db, project_id, trace_ids, first)).map((trace) => ({
    trace,
    used: trace.used && callsThatCount(trace.used),
  }))
  const models = traces.flatMap(({ used = [] }) => used.flatMap(({ usage }) => [...usage.keys()]))
  const prices = await findModelPrices(deps, project_id, [...new Set(models)])
  return new Map(traces.map(({ trace, used }) => [trace.trace_id, viewTotals(trace, used, prices)]))
}

function viewTotals(
  trace: StoredTrace,
  used: readonly UsedCall[] | undefined,
  prices: PriceBook,
): TraceTotals {
  const usage = new Map<string, Usage>()
  const unpriced = new Set<string>()
  const models = new Set<string>()
  for (const call of used ?? []) {
    const own = callUsage(call.usage, prices, call.started)
    for (const model of call.usage.keys()) models.add(model)
    for (const [model, each] of own) {
      usage.set(model, addUsage(usage.get(model), each))
      if (each.costs === undefined) unpriced.add(model)
    }
  }
  const sums = [...usage.values()]
  const sum = (count: (tokens: Usage['tokens']) => bigint): number | null =>
    used === undefined ? null : Number(sums.reduce((total, { tokens }) => total + count(tokens), 0n))
  const costs = sums.flatMap((each) => (each.costs === undefined ? [] : Object.values(each.costs)))
  return {
    calls: trace.call_count,
    errors: trace.errors,
    running: trace.running,
    started_at: trace.first_start,
    ended_at: trace.last_end,
    prompt_tokens: sum((tokens) => tokens.prompt),
    completion_tokens: sum((tokens) => tokens.completion),
    total_tokens: sum(totalTokens),
    cache_read_input_tokens: sum((tokens) => tokens.cacheRead),
    cost: costs.length === 0 ? null : RawJson.fromText(formatDecimal(costs.reduce(plus, ZERO))),
    unpriced: [...unpriced].sort(),
    models: [...models].sort(),
    end_user: orNull(trace.end_user),
    session: orNull(trace.session),
    environment: orNull(trace.environment),
    tags: [...trace.tags],
  }
}

function orNull(text: string): string | null {
  return text === '' ? null : text
}
