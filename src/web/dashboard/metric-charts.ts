import { OTHER_COLOR, type Series, seriesColor } from '../charts/series.ts'
import { formatCompact, formatCost, formatDuration, formatPercent } from '../ui/format.ts'
import { toNumber } from '../traces/use-histogram.ts'
import { isCount, isStackable, type Measure, measureFormat, measureLabel, measureSearch } from './measures.ts'
import type { Metrics, MetricsGroup } from './use-metrics.ts'

/** One chart of the dashboard: its series, and the search that lists the calls behind it. */
export interface MetricChart {
  readonly title: string
  readonly about: string
  readonly kind: 'bars' | 'lines'
  readonly isWhole: boolean
  readonly format: (value: number) => string
  readonly totalLabel: string
  readonly series: readonly Series[]
  /** Filter and sort order for the calls of this chart, in addition to those of the page. */
  readonly search: { readonly filter?: string; readonly sort?: string }
}

export const PERCENTILES = ['p50', 'p95', 'p99'] as const
export type Percentile = (typeof PERCENTILES)[number]

export function readPercentile(text: string | undefined): Percentile {
  return PERCENTILES.find((each) => each === text) ?? 'p95'
}

const SLOWEST = { sort: '-summary.weave.latency_ms' }

export function metricCharts(metrics: Metrics, noun: string, percentile: Percentile): MetricChart[] {
  const { overall: all, by } = metrics
  if (all === undefined) return []
  const total = (metric: string): number | null => metricTotal(all, metric)
  const grouped = (metric: string, format: (value: number) => string): Series[] =>
    groupSeries(metrics, metric, format)
  const isGrouped = by !== undefined
  const count = formatCompact
  const charts: MetricChart[] = [
    {
      title: noun === 'traces' ? 'Traces' : 'Calls',
      about: isGrouped ? `by ${by}` : 'errors in red',
      kind: 'bars',
      isWhole: true,
      format: count,
      totalLabel: 'total',
      series: isGrouped ? grouped('count', count) : outcomeSeries(all),
      search: {},
    },
    {
      title: 'Errors',
      about: shareText(total('errors'), total('count')),
      kind: 'bars',
      isWhole: true,
      format: count,
      totalLabel: 'total',
      series: isGrouped ? grouped('errors', count) : [single(all, 'error', 'errors', '--bar-bad', count)],
      search: { filter: 'status = error' },
    },
    {
      title: 'Latency',
      about: isGrouped ? `${percentile}, by ${by}` : 'percentiles',
      kind: 'lines',
      isWhole: false,
      format: formatDuration,
      totalLabel: 'overall',
      series: isGrouped
        ? grouped(`${percentile}_latency_ms`, formatDuration)
        : PERCENTILES.map((each, i) =>
            single(all, each, `${each}_latency_ms`, seriesColor(i), formatDuration),
          ),
      search: SLOWEST,
    },
    {
      title: 'Tokens',
      about: isGrouped ? `input and output, by ${by}` : 'input and output',
      kind: 'bars',
      isWhole: true,
      format: count,
      totalLabel: 'total',
      series: isGrouped
        ? grouped('total_tokens', count)
        : [
            single(all, 'input', 'input_tokens', seriesColor(0), count),
            single(all, 'output', 'output_tokens', seriesColor(1), count),
          ],
      search: {},
    },
    {
      title: 'Cost',
      about: all.unpriced.length === 0 ? '' : `excludes ${all.unpriced.join(', ')} (no price)`,
      kind: 'bars',
      isWhole: false,
      format: formatCost,
      totalLabel: 'total',
      series: isGrouped
        ? grouped('cost', formatCost)
        : [single(all, 'cost', 'cost', '--accent-2', formatCost)],
      search: { sort: '-cost' },
    },
  ]
  if (total('p50_time_to_first_token') === null) return charts
  const firstTokens = ['p50', 'p95'] as const
  return [
    ...charts,
    {
      title: 'Time to first token',
      about: isGrouped ? `p95, by ${by}` : 'percentiles',
      kind: 'lines',
      isWhole: false,
      format: formatDuration,
      totalLabel: 'overall',
      series: isGrouped
        ? grouped('p95_time_to_first_token', formatDuration)
        : firstTokens.map((each, i) =>
            single(all, each, `${each}_time_to_first_token`, seriesColor(i), formatDuration),
          ),
      search: { sort: '-time_to_first_token' },
    },
  ]
}

/** The chart of one measure. */
export function measureChart(
  metrics: Metrics,
  measure: Measure,
  title: string,
  isBars: boolean,
): MetricChart {
  const { overall, by } = metrics
  const format = measureFormat(measure)
  const color = measure === 'errors' ? '--bar-bad' : measure === 'cost' ? '--accent-2' : seriesColor(0)
  const unpriced = measure === 'cost' ? unpricedModels(metrics) : []
  const parts = [
    by === undefined ? '' : `by ${by}`,
    unpriced.length === 0 ? '' : `excludes ${unpriced.join(', ')} (no price)`,
  ]
  return {
    title,
    about: parts.filter((part) => part !== '').join(', '),
    kind: isBars ? 'bars' : 'lines',
    isWhole: isCount(measure),
    format,
    totalLabel: isStackable(measure) ? 'total' : 'overall',
    series:
      by !== undefined
        ? groupSeries(metrics, measure, format)
        : overall === undefined
          ? []
          : [single(overall, measureLabel(measure), measure, color, format)],
    search: measureSearch(measure),
  }
}

function unpricedModels({ overall, groups, other }: Metrics): readonly string[] {
  return [
    ...new Set([
      ...(overall?.unpriced ?? []),
      ...groups.flatMap(({ unpriced }) => unpriced),
      ...(other?.unpriced ?? []),
    ]),
  ].sort()
}

export function metricTotal(group: MetricsGroup, metric: string): number | null {
  const value = group.totals[metric]
  return value === null || value === undefined ? null : toNumber(value)
}

function metricValues(group: MetricsGroup, metric: string): (number | null)[] {
  return (group.series[metric] ?? []).map((value) => (value === null ? null : toNumber(value)))
}

function single(
  group: MetricsGroup,
  name: string,
  metric: string,
  color: string,
  format: (value: number) => string,
): Series {
  const total = metricTotal(group, metric)
  return { name, color, values: metricValues(group, metric), total: total === null ? '–' : format(total) }
}

function outcomeSeries(all: MetricsGroup): Series[] {
  const errors = single(all, 'error', 'errors', '--bar-bad', formatCompact)
  const counts = metricValues(all, 'count')
  const otherTotal = (metricTotal(all, 'count') ?? 0) - (metricTotal(all, 'errors') ?? 0)
  return [
    errors,
    {
      name: 'other',
      color: '--bar-ok',
      values: counts.map((value, i) => (value ?? 0) - (errors.values[i] ?? 0)),
      total: formatCompact(otherTotal),
    },
  ]
}

function groupSeries(
  { groups, other, by }: Metrics,
  metric: string,
  format: (value: number) => string,
): Series[] {
  const named = groups.map((group, i) =>
    single(group, groupName(group, by ?? ''), metric, seriesColor(i), format),
  )
  return other === undefined
    ? named
    : [...named, single(other, 'all other groups', metric, OTHER_COLOR, format)]
}

export function groupKey(group: MetricsGroup): string | null {
  return Object.values(group.key)[0] ?? null
}

function groupName(group: MetricsGroup, by: string): string {
  return groupKey(group) ?? `no ${by}`
}

function shareText(part: number | null, whole: number | null): string {
  if (part === null || whole === null || whole === 0) return ''
  return part === 0 ? 'none' : `${formatPercent(part / whole)} of all`
}
