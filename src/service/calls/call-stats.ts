import { ApiError } from '../../contract/api-error.ts'
import type { CallStats, UsageMetric } from '../../contract/calls/call-stats.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { tokenCosts } from '../../core/costs/cost.ts'
import { type Decimal, ZERO, formatDecimal, plus } from '../../core/costs/decimal.ts'
import { pickPrice } from '../../core/costs/prices.ts'
import { timeBuckets } from '../../core/metrics/time-buckets.ts'
import { parseTime } from '../../core/time/time.ts'
import {
  type PricedRow,
  callMeasures,
  isTokenMetric,
  listCallStats,
  listPricedUsage,
  listUsageStats,
  tokenMeasures,
  usageFromSums,
} from '../../store/calls/read/stats.ts'
import type { StatsSelection } from '../../store/calls/read/usage-query.ts'
import { findPriceChanges, findPrices } from '../../store/costs/prices.ts'
import { bucketView, listBuckets } from '../../store/metrics/project-stats.ts'
import { pricedTokens } from '../costs/priced-tokens.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { viewTimeRange } from '../metrics/time-range.ts'

/** Handler for call statistics: tokens, costs, counts and latency per time bucket. */

type Bucket = Record<string, unknown>

/** Maximum entries in a response, models × buckets. More would exhaust the client's memory. */
const MAX_ENTRIES = 500_000

export function callStatsHandlers(deps: Deps): Pick<Handlers, 'call_stats'> {
  return {
    call_stats: async (request) => {
      const buckets = timeBuckets(request, deps.now())
      const selection = { project_id: request.project_id, filter: request.filter, buckets }
      const times = await listBuckets(deps.db, buckets)
      return {
        ...viewTimeRange(buckets),
        usage_buckets: await usageBuckets(deps, request, selection, times),
        call_buckets: await callBuckets(deps, request, selection, times),
      }
    },
  }
}

async function callBuckets(
  { db }: Deps,
  request: CallStats,
  selection: StatsSelection,
  times: readonly number[],
): Promise<Bucket[]> {
  if (!request.call_metrics?.length) return []
  const measures = callMeasures(request.call_metrics)
  const rows = new Map((await listCallStats(db, selection, measures)).map((row) => [Number(row.bucket), row]))
  return times.map((time) => bucketView(time, rows.get(time), measures))
}

async function usageBuckets(
  deps: Deps,
  request: CallStats,
  selection: StatsSelection,
  times: readonly number[],
): Promise<Bucket[]> {
  const metrics = request.usage_metrics ?? []
  if (metrics.length === 0) return []
  const measures = tokenMeasures(tokenMetrics(metrics))
  const isPriced = metrics.some(({ metric }) => !isTokenMetric(metric))
  const priced = isPriced ? await pricedRows(deps, selection, times) : undefined
  const fromSums = priced === undefined ? undefined : usageFromSums(priced, measures)
  const rows = fromSums ?? (await listUsageStats(deps.db, selection, measures))
  const models = [...new Set(rows.map((row) => row.model))].sort()
  if (models.length * times.length > MAX_ENTRIES) {
    const reason = `${models.length} models × ${times.length} buckets exceed ${MAX_ENTRIES} entries; choose a coarser granularity`
    throw new ApiError('invalid_request', reason)
  }
  const rowsByKey = new Map(rows.map((row) => [bucketKey(row.bucket, row.model), row]))
  const costs = priced === undefined ? undefined : await costsByBucket(deps, selection.project_id, priced)
  return times.flatMap((time) =>
    models.map((model) => {
      const key = bucketKey(time, model)
      const { timestamp, ...values } = bucketView(time, rowsByKey.get(key), measures)
      return { timestamp, model, ...values, ...costs?.(key, model, metrics) }
    }),
  )
}

/**
 * Returns the token metrics to read: the requested ones, and the token counts that requested costs are computed from.
 */
function tokenMetrics(metrics: readonly UsageMetric[]) {
  const requested = metrics.flatMap((spec) =>
    isTokenMetric(spec.metric) ? [{ ...spec, metric: spec.metric }] : [],
  )
  const names = new Set<string>(metrics.map(({ metric }) => metric))
  const isInput = names.has('input_cost') || names.has('total_cost')
  const isOutput = names.has('output_cost') || names.has('total_cost')
  if (isInput && !names.has('input_tokens')) requested.push({ metric: 'input_tokens', aggregations: ['sum'] })
  if (isOutput && !names.has('output_tokens'))
    requested.push({ metric: 'output_tokens', aggregations: ['sum'] })
  return requested
}

interface Costs {
  readonly input_cost: Decimal
  readonly output_cost: Decimal
  readonly total_cost: Decimal
}

const ZERO_COSTS: Costs = { input_cost: ZERO, output_cost: ZERO, total_cost: ZERO }

type CostsAt = (key: string, model: string, metrics: readonly UsageMetric[]) => Bucket

async function pricedRows(
  deps: Deps,
  selection: StatsSelection,
  times: readonly number[],
): Promise<PricedRow[]> {
  await deps.defaultPrices.ready()
  const changes = await findPriceChanges(deps.db, selection.project_id, selection.buckets)
  return listPricedUsage(
    deps.db,
    { ...selection, changes },
    { aggregates: deps.cachedAggregates, bucketStarts: times },
  )
}

/** Sums costs per bucket and model, each call at the price of its time. A model without a price gets null, not 0. */
async function costsByBucket(deps: Deps, project_id: string, rows: readonly PricedRow[]): Promise<CostsAt> {
  const models = rows.map((row) => row.model)
  const prices = await findPrices(deps.db, project_id, models)
  const sums = new Map<string, Costs>()
  for (const row of rows) {
    const price = pickPrice(prices.get(row.model) ?? [], parseTime(row.moment) ?? 0n)
    if (price === undefined) continue
    const totals = tokenCosts(pricedTokens(row), price)
    const key = bucketKey(row.bucket, row.model)
    const before = sums.get(key) ?? ZERO_COSTS
    const input_cost = plus(before.input_cost, totals.prompt)
    const output_cost = plus(before.output_cost, totals.completion)
    const cached = plus(totals.cacheRead, totals.cacheCreation)
    const total = plus(plus(totals.prompt, totals.completion), cached)
    sums.set(key, { input_cost, output_cost, total_cost: plus(before.total_cost, total) })
  }
  return (key, model, metrics) => {
    const isPriced = (prices.get(model) ?? []).length > 0
    const costs = sums.get(key) ?? ZERO_COSTS
    const requested = metrics.flatMap(({ metric }) => (isTokenMetric(metric) ? [] : [metric]))
    return Object.fromEntries(
      requested.map((metric) => [
        `sum_${metric}`,
        isPriced ? RawJson.fromText(formatDecimal(costs[metric])) : null,
      ]),
    )
  }
}

function bucketKey(bucket: string | number, model: string): string {
  return `${bucket} ${model}`
}
