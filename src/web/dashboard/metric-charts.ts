import { OTHER_COLOR, type Series, seriesColor } from '../charts/series.ts'
import { formatCompact, formatCost } from '../ui/format.ts'
import { formatDuration } from '../time/format.ts'
import { numberOf } from '../traces/use-histogram.ts'
import type { Numbers, NumbersGroup } from './use-metrics.ts'

/** The charts of the page: which numbers each draws, and what its calls have in common. */
export interface NumberChart {
  readonly title: string
  readonly about: string
  readonly kind: 'bars' | 'lines'
  readonly isWhole: boolean
  readonly format: (value: number) => string
  readonly totalLabel: string
  readonly series: readonly Series[]
  /** A condition and an order that lead to the calls behind it, beside those of the page. */
  readonly search: { readonly filter?: string; readonly sort?: string }
}

export const PERCENTILES = ['p50', 'p95', 'p99'] as const
export type Percentile = (typeof PERCENTILES)[number]

export function readPercentile(text: string | undefined): Percentile {
  return PERCENTILES.find((each) => each === text) ?? 'p95'
}

const SLOWEST = { sort: '-summary.weave.latency_ms' }

export function numberCharts(numbers: Numbers, noun: string, percentile: Percentile): NumberChart[] {
  const { overall: all, by } = numbers
  if (all === undefined) return []
  const total = (measure: string): number | null => totalOf(all, measure)
  const grouped = (measure: string, format: (value: number) => string): Series[] =>
    groupSeries(numbers, measure, format)
  const isGrouped = by !== undefined
  const count = formatCompact
  return [
    {
      title: noun === 'traces' ? 'Traces' : 'Calls',
      about: isGrouped ? `by ${by}` : 'those that failed in red',
      kind: 'bars',
      isWhole: true,
      format: count,
      totalLabel: 'total',
      series: isGrouped ? grouped('count', count) : outcomes(all),
      search: {},
    },
    {
      title: 'Failures',
      about: shareText(total('errors'), total('count')),
      kind: 'bars',
      isWhole: true,
      format: count,
      totalLabel: 'total',
      series: isGrouped ? grouped('errors', count) : [single(all, 'failed', 'errors', '--bar-bad', count)],
      search: { filter: 'status = error' },
    },
    {
      title: 'Latency',
      about: isGrouped ? `${percentile}, by ${by}` : 'half, 95 of 100 and 99 of 100 were faster',
      kind: 'lines',
      isWhole: false,
      format: formatDuration,
      totalLabel: 'whole time',
      series: isGrouped
        ? grouped(`${percentile}_latency_ms`, formatDuration)
        : PERCENTILES.map((each, i) =>
            single(all, each, `${each}_latency_ms`, seriesColor(i), formatDuration),
          ),
      search: SLOWEST,
    },
    {
      title: 'Tokens',
      about: isGrouped ? `in and out, by ${by}` : 'read and written by models',
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
      about: all.unpriced.length === 0 ? '' : `without ${all.unpriced.join(', ')}: no price is known`,
      kind: 'bars',
      isWhole: false,
      format: formatCost,
      totalLabel: 'total',
      series: isGrouped ? grouped('cost', formatCost) : [single(all, 'cost', 'cost', '--weld', formatCost)],
      search: {},
    },
  ]
}

export function totalOf(group: NumbersGroup, measure: string): number | null {
  const value = group.totals[measure]
  return value === null || value === undefined ? null : numberOf(value)
}

function valuesOf(group: NumbersGroup, measure: string): (number | null)[] {
  return (group.series[measure] ?? []).map((value) => (value === null ? null : numberOf(value)))
}

function single(
  group: NumbersGroup,
  name: string,
  measure: string,
  color: string,
  format: (value: number) => string,
): Series {
  const total = totalOf(group, measure)
  return { name, color, values: valuesOf(group, measure), total: total === null ? '–' : format(total) }
}

function outcomes(all: NumbersGroup): Series[] {
  const failed = single(all, 'failed', 'errors', '--bar-bad', formatCompact)
  const counts = valuesOf(all, 'count')
  const good = (totalOf(all, 'count') ?? 0) - (totalOf(all, 'errors') ?? 0)
  return [
    failed,
    {
      name: 'others',
      color: '--bar-ok',
      values: counts.map((value, i) => (value ?? 0) - (failed.values[i] ?? 0)),
      total: formatCompact(good),
    },
  ]
}

function groupSeries(
  { groups, other, by }: Numbers,
  measure: string,
  format: (value: number) => string,
): Series[] {
  const named = groups.map((group, i) =>
    single(group, groupName(group, by ?? ''), measure, seriesColor(i), format),
  )
  return other === undefined ? named : [...named, single(other, 'all others', measure, OTHER_COLOR, format)]
}

export function groupKeyOf(group: NumbersGroup): string | null {
  return Object.values(group.key)[0] ?? null
}

function groupName(group: NumbersGroup, by: string): string {
  return groupKeyOf(group) ?? `no ${by}`
}

function shareText(part: number | null, whole: number | null): string {
  if (part === null || whole === null || whole === 0) return ''
  return part === 0 ? 'none' : `${((part / whole) * 100).toFixed(part / whole < 0.1 ? 1 : 0)} % of all`
}
