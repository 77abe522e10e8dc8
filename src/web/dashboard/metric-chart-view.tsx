import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { projectParams, type Project } from '../api/project.ts'
import { Chart } from '../charts/chart.tsx'
import { visibleText } from '../ui/visible-text.ts'
import type { ListQuery } from '../traces/list-query.ts'
import { bucketRange, callsSearch } from './calls-search.ts'
import type { MetricChart } from './metric-charts.ts'
import type { Metrics } from './use-metrics.ts'
import type { Search } from '../search-state.ts'

/** A time range selected by dragging over a chart, and the search for its calls. */
export interface RangeSelection {
  readonly range: string
  readonly search: Search<'traces'>
}

interface Props {
  readonly project: Project
  /** What the metrics were read with. */
  readonly listQuery: ListQuery
  readonly data: Metrics
  readonly chart: MetricChart
  /** In place of the chart's own summary. */
  readonly about?: ReactNode
  readonly isTable: boolean
  readonly onSelect?: (selection: RangeSelection) => void
}

/** A chart of metrics over time. Its series, buckets and bars link to their calls. */
export function MetricChartView({ project, listQuery, data, chart, about, isTable, onSelect }: Props) {
  const navigate = useNavigate()
  const search = (series: number | undefined, range?: string): Search<'traces'> =>
    callsSearch(listQuery, data, chart, series, range)
  return (
    <Chart
      title={chart.title}
      about={about ?? chart.about}
      times={data.times}
      endMs={data.endMs}
      series={chart.series}
      kind={chart.kind}
      isInteger={chart.isWhole}
      format={chart.format}
      totalLabel={chart.totalLabel}
      isTable={isTable}
      linkSeries={(series) => (
        <CallsLink project={project} search={search(series)}>
          {visibleText(chart.series[series]?.name ?? '')}
        </CallsLink>
      )}
      linkTime={(index, text) => (
        <CallsLink project={project} search={search(undefined, bucketRange(data, index, index))}>
          {text}
        </CallsLink>
      )}
      onPick={(index, series) =>
        void navigate({
          to: '/$entity/$project/weave/traces',
          params: projectParams(project),
          search: search(series, bucketRange(data, index, index)),
        })
      }
      {...(onSelect === undefined
        ? {}
        : {
            onDrag: (from: number, to: number) => {
              const range = bucketRange(data, from, to)
              onSelect({ range, search: search(undefined, range) })
            },
          })}
    />
  )
}

/** A link to the calls of a part of a chart. */
export function CallsLink(props: {
  readonly project: Project
  readonly search: Search<'traces'>
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <Link
      to="/$entity/$project/weave/traces"
      params={projectParams(props.project)}
      search={props.search}
      preload={false}
      className={props.className}
    >
      {props.children}
    </Link>
  )
}
