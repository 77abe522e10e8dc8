import type { Filter } from '../filter/ast.ts'
import { parseFilter } from '../filter/parse.ts'
import { printRange } from '../time/range.ts'
import type { ListQuery } from '../traces/list-query.ts'
import { combineFilters, groupFilter, otherFilter } from './group-filter.ts'
import { groupKey, type MetricChart } from './metric-charts.ts'
import type { Metrics } from './use-metrics.ts'
import type { Search } from '../search-state.ts'

/** The traces search that lists the calls behind a chart, or behind one of its series. */
export function callsSearch(
  { filter, range, rootsOnly }: Pick<ListQuery, 'filter' | 'range' | 'rootsOnly'>,
  data: Metrics,
  chart: MetricChart,
  series: number | undefined,
  rangeText = printRange(range),
): Search<'traces'> {
  const chartFilter = chart.search.filter === undefined ? undefined : parseFilter(chart.search.filter)
  const combined = combineFilters(filter, [
    chartFilter?.ok === true ? chartFilter.filter : undefined,
    seriesFilter(data, chart, series),
  ])
  return {
    range: rangeText,
    ...(combined === undefined ? {} : { filter: combined }),
    ...(rootsOnly ? {} : { show: 'calls' }),
    ...(chart.search.sort === undefined ? {} : { sort: chart.search.sort }),
  }
}

/** The filter for the calls of a series. Without grouping only the error series has one. */
function seriesFilter(
  { groups, by }: Metrics,
  chart: MetricChart,
  series: number | undefined,
): Filter | undefined {
  if (series === undefined) return undefined
  if (by === undefined) {
    return chart.series[series]?.name === 'error' && chart.search.filter === undefined
      ? { kind: 'compare', field: 'status', operator: '=', value: { kind: 'text', text: 'error' } }
      : undefined
  }
  const group = groups[series]
  return group === undefined ? otherFilter(by, groups.map(groupKey)) : groupFilter(by, groupKey(group))
}

/** The time range of buckets, clipped to the time range of the page. */
export function bucketRange({ times, startMs, endMs }: Metrics, from: number, to: number): string {
  const fromMs = Math.max(startMs, times[from] ?? startMs)
  const toMs = Math.min(endMs, times[to + 1] ?? endMs)
  return `${new Date(fromMs).toISOString()}..${new Date(toMs).toISOString()}`
}
