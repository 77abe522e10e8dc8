import type { CallStats, UsageMetric } from '../../contract/calls/call-stats.ts'
import { ApiError } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { totalsOf } from '../../core/costs/cost.ts'
import { type Decimal, formatDecimal, plus, ZERO } from '../../core/costs/decimal.ts'
import { pickPrice } from '../../core/costs/prices.ts'
import { type TimeBuckets, timeBuckets } from '../../core/metrics/time-buckets.ts'
import { formatTime, parseTime } from '../../core/time/time.ts'
import type { PricedTokens } from '../../core/costs/usage.ts'
import {
  callMeasures,
  isTokenMetric,
  listCallStats,
  listPricedUsage,
  listUsageStats,
  type PricedRow,
  tokenMeasures,
  usageInSums,
} from '../../store/calls/stats.ts'
import type { StatsSelection } from '../../store/calls/usage-query.ts'
import { findPriceChanges, findPrices } from '../../store/costs/prices.ts'
import { bucketView, listBuckets } from '../../store/metrics/project-stats.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

type Bucket = Record<string, unknown>

/** Each model has an entry in every bucket; more would fill the memory of whoever reads them. */
const MAX_ENTRIES = 500_000

export function callStatsHandlers(deps: Deps): Pick<Handlers, 'call_stats'> {
  return {
    call_stats: async (request) => {
      const buckets = timeBuckets(request, deps.now())
      const selection = { project_id: request.project_id, filter: request.filter, buckets }
      const times = await listBuckets(deps.db, buckets)
      return {
        ...answeredTime(buckets),
        usage_buckets: await usageBuckets(deps, request, selection, times),
        call_buckets: await callBuckets(deps, request, selection, times),
      }
    },
  }
}

export function answeredTime({ start, end, seconds, timezone }: TimeBuckets) {
  return { start: formatTime(start), end: formatTime(end), granularity: seconds, timezone }
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
  const inSums = priced === undefined ? undefined : usageInSums(priced, measures)
  const rows = inSums ?? (await listUsageStats(deps.db, selection, measures))
  const models = [...new Set(rows.map((row) => row.model))].sort()
  if (models.length * times.length > MAX_ENTRIES) {
    const reason = `${models.length} models in ${times.length} buckets are too many; ask for a coarser granularity`
    throw new ApiError('invalid_request', reason)
  }
  const byPlace = new Map(rows.map((row) => [placeOf(row.bucket, row.model), row]))
  const costs = priced === undefined ? undefined : await costsByPlace(deps, selection.project_id, priced)
  return times.flatMap((time) =>
    models.map((model) => {
      const place = placeOf(time, model)
      const { timestamp, ...values } = bucketView(time, byPlace.get(place), measures)
      return { timestamp, model, ...values, ...costs?.(place, model, metrics) }
    }),
  )
}

/** Costs come with the tokens they are worked out from. */
function tokenMetrics(metrics: readonly UsageMetric[]) {
  const asked = metrics.flatMap((spec) =>
    isTokenMetric(spec.metric) ? [{ ...spec, metric: spec.metric }] : [],
  )
  const names = new Set<string>(metrics.map(({ metric }) => metric))
  const isInput = names.has('input_cost') || names.has('total_cost')
  const isOutput = names.has('output_cost') || names.has('total_cost')
  if (isInput && !names.has('input_tokens')) asked.push({ metric: 'input_tokens', aggregations: ['sum'] })
  if (isOutput && !names.has('output_tokens')) asked.push({ metric: 'output_tokens', aggregations: ['sum'] })
  return asked
}

interface Costs {
  readonly input_cost: Decimal
  readonly output_cost: Decimal
  readonly total_cost: Decimal
}

const NOTHING: Costs = { input_cost: ZERO, output_cost: ZERO, total_cost: ZERO }

type CostsAt = (place: string, model: string, metrics: readonly UsageMetric[]) => Bucket

async function pricedRows(
  deps: Deps,
  selection: StatsSelection,
  times: readonly number[],
): Promise<PricedRow[]> {
  await deps.defaultPrices.ready()
  const changes = await findPriceChanges(deps.db, selection.project_id, selection.buckets)
  return listPricedUsage(deps.db, { ...selection, changes }, { sums: deps.keptSums, times })
}

/** Each call at the price of its time. A model without a price has null, not 0. */
async function costsByPlace(deps: Deps, project_id: string, rows: readonly PricedRow[]): Promise<CostsAt> {
  const models = rows.map((row) => row.model)
  const prices = await findPrices(deps.db, project_id, models)
  const sums = new Map<string, Costs>()
  for (const row of rows) {
    const price = pickPrice(prices.get(row.model) ?? [], parseTime(row.moment) ?? 0n)
    if (price === undefined) continue
    const totals = totalsOf(pricedTokens(row), price)
    const place = placeOf(row.bucket, row.model)
    const before = sums.get(place) ?? NOTHING
    const input_cost = plus(before.input_cost, totals.prompt)
    const output_cost = plus(before.output_cost, totals.completion)
    const cached = plus(totals.cacheRead, totals.cacheCreation)
    const total = plus(plus(totals.prompt, totals.completion), cached)
    sums.set(place, { input_cost, output_cost, total_cost: plus(before.total_cost, total) })
  }
  return (place, model, metrics) => {
    const isPriced = (prices.get(model) ?? []).length > 0
    const costs = sums.get(place) ?? NOTHING
    const asked = metrics.flatMap(({ metric }) => (isTokenMetric(metric) ? [] : [metric]))
    return Object.fromEntries(
      asked.map((metric) => [
        `sum_${metric}`,
        isPriced ? RawJson.fromText(formatDecimal(costs[metric])) : null,
      ]),
    )
  }
}

export function pricedTokens(row: PricedRow): PricedTokens {
  return {
    plainPrompt: BigInt(row.plain_prompt_sum),
    completion: BigInt(row.completion_sum),
    cacheRead: BigInt(row.cache_read_sum),
    cacheCreation: BigInt(row.cache_creation_sum),
  }
}

function placeOf(bucket: string | number, model: string): string {
  return `${bucket} ${model}`
}
