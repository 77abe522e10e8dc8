import { isAdditiveMeasure } from '../../contract/metrics/field-measures.ts'
import type { AdditiveMetric, Metric } from '../../contract/metrics/metrics.ts'
import { tokenCosts } from '../../core/costs/cost.ts'
import { ZERO, plus } from '../../core/costs/decimal.ts'
import { pickPrice } from '../../core/costs/prices.ts'
import { GroupMetrics } from '../../core/metrics/metrics.ts'
import { type Micros, parseTime } from '../../core/time/time.ts'
import { type PricedRow, listPricedUsage } from '../../store/calls/read/stats.ts'
import { findPrices } from '../../store/costs/prices.ts'
import {
  type MetricsRow,
  type MetricsSelection,
  groupKeyText,
  isInGroups,
  listMetrics,
  metricMeasures,
} from '../../store/metrics/metrics.ts'
import { pricedTokens } from '../costs/priced-tokens.ts'
import type { Deps } from '../deps.ts'

/** Reads the metrics of groups from ClickHouse: counts, latencies, tokens and costs. */

/** What a metrics request reads. */
export interface MetricsPlan {
  readonly selection: MetricsSelection
  readonly measures: readonly Metric[]
  readonly rank: AdditiveMetric
  readonly top: number
  /** When prices change; undefined if neither tokens nor costs are requested. */
  readonly changes: readonly Micros[] | undefined
  /** Start time of each bucket. */
  readonly times: readonly number[]
}

/** Thrown when a query returns more rows than allowed. */
export class TooManyRows extends Error {}

/** Whether a metric is computed from token usage. */
export function isUsageMetric(measure: Metric): boolean {
  return measure === 'cost' || measure.endsWith('_tokens')
}

/** Reads the metrics of the selected groups. Throws `TooManyRows` above `limit` rows. */
export async function readGroups(
  deps: Deps,
  { measures: requested, rank, changes, times }: MetricsPlan,
  selection: MetricsSelection,
  limit?: number,
): Promise<GroupMetrics[]> {
  const groups = new Map<string, GroupMetrics>()
  const groupForRow = (row: MetricsRow | PricedRow): GroupMetrics => {
    const keys = groupKeys(row, selection)
    const text = groupKeyText(keys)
    let group = groups.get(text)
    if (group === undefined) groups.set(text, (group = new GroupMetrics(keys)))
    return group
  }
  const metrics = [...requested, rank]
  const maxRows = limit === undefined ? undefined : limit + 1
  if (metrics.some((measure) => !isUsageMetric(measure))) {
    const measures = metricMeasures(metrics, selection)
    const rows = await listMetrics(deps.db, selection, measures, maxRows)
    if (rows.length === maxRows) throw new TooManyRows()
    for (const row of rows) {
      const cell = groupForRow(row).cell(Number(row.bucket))
      cell.add('count', Number(row.count))
      measures.forEach(({ name }, i) => cell.set(name as Metric, row[`m${i}`] ?? null))
    }
    const overall = metrics.filter((metric) => !isAdditiveMeasure(metric))
    await addOverall(deps, selection, overall, groupForRow)
  }
  if (changes !== undefined && metrics.some(isUsageMetric)) {
    const { groups: by, among, ...rest } = selection
    const rows = await listPricedUsage(
      deps.db,
      {
        ...rest,
        changes,
        keys: by.keys,
        having: isInGroups(by, among),
        isTotal: among?.is === false,
        limit: maxRows,
      },
      { aggregates: deps.cachedAggregates, bucketStarts: times },
    )
    if (maxRows !== undefined && rows.length >= maxRows) throw new TooManyRows()
    await addUsage(deps, selection.project_id, rows, groupForRow)
  }
  return [...groups.values()]
}

/** The group's key values in a row; empty for the sum of all other groups. */
export function groupKeys(
  row: { readonly model?: string | null; readonly [key: `k${number}`]: string | null },
  { groups, among }: MetricsSelection,
): (string | null)[] {
  return among?.is === false ? [] : groups.names.map((name) => row[name] ?? null)
}

type GroupForRow<Row> = (row: Row) => GroupMetrics

/** Adds percentiles and averages over the whole time range, which cannot be computed from those of its buckets. */
async function addOverall(
  { db }: Deps,
  selection: MetricsSelection,
  metrics: readonly Metric[],
  groupForRow: GroupForRow<MetricsRow>,
): Promise<void> {
  if (metrics.length === 0) return
  const measures = metricMeasures(metrics, selection)
  const withoutBuckets = { ...selection, buckets: { ...selection.buckets, calendar: 'none' as const } }
  for (const row of await listMetrics(db, withoutBuckets, measures)) {
    const group = groupForRow(row)
    measures.forEach(({ name }, i) => group.setOverall(name as Metric, row[`m${i}`] ?? null))
  }
}

async function addUsage(
  { db }: Deps,
  project_id: string,
  rows: readonly PricedRow[],
  groupForRow: GroupForRow<PricedRow>,
): Promise<void> {
  const prices = await findPrices(
    db,
    project_id,
    rows.map((row) => row.model),
  )
  for (const row of rows) {
    const group = groupForRow(row)
    const cell = group.cell(Number(row.bucket))
    cell.add('input_tokens', Number(row.prompt_sum))
    cell.add('output_tokens', Number(row.completion_sum))
    cell.add('total_tokens', Number(row.total_sum))
    cell.add('cache_read_input_tokens', Number(row.cache_read_sum))
    cell.add('cache_creation_input_tokens', Number(row.cache_creation_sum))
    const price = pickPrice(prices.get(row.model) ?? [], parseTime(row.moment) ?? 0n)
    if (price === undefined) group.unpriced.add(row.model)
    const costs = price === undefined ? undefined : Object.values(tokenCosts(pricedTokens(row), price))
    cell.addCost(costs?.reduce(plus, ZERO))
  }
}
