import { Button } from '@mantine/core'
import { useMemo } from 'react'
import type { Project } from '../api/project.ts'
import { ChartFrame } from '../charts/chart-frame.tsx'
import { TotalTable } from '../charts/total-table.tsx'
import { conjunction } from '../filter/ast.ts'
import { parseFilter } from '../filter/parse.ts'
import { printFilter } from '../filter/print.ts'
import { visibleText } from '../ui/visible-text.ts'
import { type ListQuery, parseListQuery } from '../traces/list-query.ts'
import { callsSearch } from './calls-search.ts'
import { canBeBars, type MetricDefinition } from './definition.ts'
import { isNamedMeasure, isStackable, measureLabel } from './measures.ts'
import { type MetricChart, measureChart, metricTotal } from './metric-charts.ts'
import { CallsLink, MetricChartView, type RangeSelection } from './metric-chart-view.tsx'
import styles from './metric-view.module.css'
import { type Metrics, useMetrics } from './use-metrics.ts'
import type { Search } from '../search-state.ts'

/** The URL parameters of a dashboard that its charts are drawn with. */
export type ChartSearch = Pick<Search<'dashboard'>, 'range' | 'filter' | 'bucket'>

interface Props {
  readonly project: Project
  readonly definition: MetricDefinition
  readonly search: ChartSearch
  readonly onSelect?: (selection: RangeSelection) => void
}

/** Rows of a table of groups. */
const MAX_ROWS = 50

/** The title of a chart, or the one that follows from its definition. */
export function metricTitle({ title, measure, scope }: MetricDefinition): string {
  if (title !== '') return title
  return measure === 'count' ? (scope === 'traces' ? 'Traces' : 'Calls') : measureLabel(measure)
}

/** A chart of a dashboard: reads its measure and draws it as line, bars, number or table. */
export function MetricView({ project, definition, search, onSelect }: Props) {
  const { measure, kind, scope } = definition
  const group = kind === 'number' ? undefined : definition.group
  const listQuery = useMemo(
    () => chartQuery(definition.filter, scope, search),
    [definition.filter, scope, search.filter, search.range],
  )
  const wanted = useMemo(
    () => ({
      measures: [measure],
      isGroupsOnly: true,
      ...(kind === 'table' ? { top: MAX_ROWS } : {}),
      ...(isNamedMeasure(measure) && isStackable(measure) ? { rank_by: measure as 'count' } : {}),
    }),
    [measure, kind],
  )
  const metrics = useMetrics(project, listQuery, group, search.bucket, wanted)
  const data = metrics.data ?? undefined
  const title = metricTitle(definition)
  const isBars = kind === 'bar' && canBeBars({ measure, ...(group === undefined ? {} : { group }) })
  const chart = useMemo(
    () => (data === undefined ? undefined : measureChart(data, measure, title, isBars)),
    [data, measure, title, isBars],
  )
  if (data === undefined || chart === undefined || listQuery.filterError !== undefined) {
    return (
      <ChartFrame title={title}>
        {listQuery.filterError !== undefined ? (
          <p className={`${styles.error} note bad`} role="alert">
            Invalid filter: {listQuery.filterError.reason}.
          </p>
        ) : metrics.isError ? (
          <div className={`${styles.error} note bad`} role="alert">
            <p>{metrics.error.message}</p>
            <Button variant="default" onClick={() => void metrics.refetch()}>
              Try again
            </Button>
          </div>
        ) : (
          <p className={styles.faint} role="status">
            {metrics.data === null ? 'No calls in this time range.' : 'Loading…'}
          </p>
        )}
      </ChartFrame>
    )
  }
  if (kind === 'number') {
    return (
      <ChartFrame title={title} about={chart.about}>
        <p className={styles.number} aria-busy={metrics.isPlaceholderData}>
          <CallsLink project={project} search={callsSearch(listQuery, data, chart, undefined)}>
            {chart.series[0]?.total ?? '–'}
          </CallsLink>
        </p>
      </ChartFrame>
    )
  }
  if (kind === 'table' && group !== undefined) {
    return (
      <ChartFrame title={title} about={chart.about}>
        <TotalTable
          title={title}
          columns={[group, measureLabel(measure)]}
          rows={groupRows(data, chart, measure).map(({ series, name, total }) => ({
            key: String(series),
            name: (
              <CallsLink project={project} search={callsSearch(listQuery, data, chart, series)}>
                {visibleText(name)}
              </CallsLink>
            ),
            value: total,
          }))}
        />
      </ChartFrame>
    )
  }
  return (
    <MetricChartView
      project={project}
      listQuery={listQuery}
      data={data}
      chart={chart}
      isTable={kind === 'table'}
      {...(onSelect === undefined ? {} : { onSelect })}
    />
  )
}

/** The calls of a chart: its own filter and that of the page. */
function chartQuery(
  filter: string | undefined,
  scope: MetricDefinition['scope'],
  { range, filter: pageFilter }: ChartSearch,
): ListQuery {
  const parsed = [filter ?? '', pageFilter ?? ''].map((text) => parseFilter(text))
  const combined = parsed.every((each) => each.ok)
    ? printFilter(conjunction(parsed.flatMap((each) => (each.ok ? (each.filter ?? []) : []))))
    : filter
  return parseListQuery({
    ...(range === undefined ? {} : { range }),
    ...(combined === undefined || combined === '' ? {} : { filter: combined }),
    ...(scope === 'calls' ? { show: 'calls' } : {}),
  })
}

/** The groups with the highest values first. Groups without a value and the rest come last. */
function groupRows({ groups }: Metrics, chart: MetricChart, measure: string) {
  return chart.series
    .map(({ name, total }, series) => {
      const group = groups[series]
      const value = group === undefined ? undefined : metricTotal(group, measure)
      return { series, name, total, value: value ?? Number.NEGATIVE_INFINITY, isRest: group === undefined }
    })
    .sort((a, b) => Number(a.isRest) - Number(b.isRest) || b.value - a.value)
}
