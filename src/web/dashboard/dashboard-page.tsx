import { SegmentedControl } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { projectParams, useProject } from '../api/project.ts'
import { Chart } from '../charts/chart.tsx'
import type { Filter } from '../filter/ast.ts'
import { FilterBox } from '../filter/filter-box.tsx'
import { parseFilter } from '../filter/parse.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { printRange } from '../time/range.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import { parseListQuery } from '../traces/list-query.ts'
import type { ListSearch } from '../traces/list-search.ts'
import { EmptyList } from '../traces/empty-list.tsx'
import { BUCKETS } from './buckets.ts'
import { RangeSelectionBar } from './range-selection-bar.tsx'
import { groupFilter, combineFilters, otherFilter } from './group-filter.ts'
import { GroupMenu } from './group-menu.tsx'
import { groupKey, type MetricChart, metricCharts, PERCENTILES, readPercentile } from './metric-charts.ts'
import styles from './dashboard-page.module.css'
import type { DashboardSearch } from './dashboard-search.ts'
import { MetricTiles } from './metric-tiles.tsx'
import { type Metrics, useMetrics } from './use-metrics.ts'

const HERE = '/$entity/$project/weave/dashboard'

/** Metrics of a project over time. Every chart links to the calls behind it. */
export function DashboardPage() {
  const project = useProject()
  useDocumentTitle('Dashboard', project.project_id)
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const change = useCallback(
    (next: { [Key in keyof DashboardSearch]: DashboardSearch[Key] | undefined }) =>
      void navigate({ search: (before) => ({ ...before, ...next }) as DashboardSearch }),
    [navigate],
  )
  const listQuery = useMemo(() => parseListQuery(search), [search.filter, search.range, search.show])
  const metrics = useMetrics(project, listQuery, search.by, search.bucket)
  const [selection, setSelection] = useState<{ readonly range: string; readonly search: ListSearch }>()
  const noun = listQuery.rootsOnly ? 'traces' : 'calls'
  const percentile = readPercentile(search.percentile)
  const data = metrics.data ?? undefined
  const charts = useMemo(
    () => (data === undefined ? [] : metricCharts(data, noun, percentile)),
    [data, noun, percentile],
  )
  const isEmpty = data === undefined || data.overall === undefined || totalCount(data) === 0

  /** The traces search that lists the calls behind a part of a chart. */
  const callsSearch = (
    chart: MetricChart,
    series: number | undefined,
    range = printRange(listQuery.range),
  ): ListSearch => {
    const chartFilter = chart.search.filter === undefined ? undefined : parseFilter(chart.search.filter)
    const filter = combineFilters(listQuery.filter, [
      chartFilter?.ok === true ? chartFilter.filter : undefined,
      data === undefined ? undefined : seriesFilter(data, chart, series),
    ])
    return {
      range,
      ...(filter === undefined ? {} : { filter }),
      ...(search.show === undefined ? {} : { show: search.show }),
      ...(chart.search.sort === undefined ? {} : { sort: chart.search.sort }),
    }
  }
  const openCalls = (next: ListSearch): void =>
    void navigate({ to: '/$entity/$project/weave/traces', params: projectParams(project), search: next })

  return (
    <div className={styles.page}>
      <PageHeader title="Dashboard" summary={data === undefined ? '' : `one bar per ${data.bucket}`}>
        <SegmentedControl
          aria-label="Scope"
          value={listQuery.rootsOnly ? 'traces' : 'calls'}
          onChange={(value) => change({ show: value === 'calls' ? 'calls' : undefined })}
          data={[
            { value: 'traces', label: 'Traces' },
            { value: 'calls', label: 'All calls' },
          ]}
        />
        <SegmentedControl
          aria-label="View"
          value={search.view === 'tables' ? 'tables' : 'charts'}
          onChange={(value) => change({ view: value === 'tables' ? 'tables' : undefined })}
          data={[
            { value: 'charts', label: 'Charts' },
            { value: 'tables', label: 'Tables' },
          ]}
        />
      </PageHeader>
      <div className={styles.tools}>
        <FilterBox
          project={project}
          range={listQuery.range}
          filter={search.filter}
          text={undefined}
          onApply={({ filter, text }) =>
            // Metrics do not support text search, so it opens the traces list.
            text === undefined ? change({ filter }) : openCalls({ text, range: printRange(listQuery.range) })
          }
        />
        <GroupMenu by={search.by} onChange={(by) => change({ by })} />
        <TimeRangeMenu range={listQuery.range} onRange={(range) => change({ range })} />
        <label className={styles.bucket}>
          <span className="visually-hidden">Bucket size</span>
          <select
            className={styles.select}
            value={search.bucket ?? ''}
            onChange={(event) =>
              change({ bucket: event.target.value === '' ? undefined : event.target.value })
            }
          >
            <option value="">auto</option>
            {BUCKETS.map((bucket) => (
              <option key={bucket} value={bucket}>
                per {bucket}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className={styles.body}>
        {listQuery.filterError !== undefined ? (
          <p className={styles.error} role="alert">
            Invalid filter: {listQuery.filterError.reason}.
          </p>
        ) : metrics.isError && data === undefined ? (
          <ErrorNotice error={metrics.error} retry={() => void metrics.refetch()} />
        ) : metrics.data === undefined ? (
          <p className={styles.loading} role="status">
            Loading…
          </p>
        ) : isEmpty ? (
          <EmptyList
            project={project}
            listQuery={listQuery}
            onClear={() => change({ filter: undefined })}
            onRange={(range) => change({ range })}
          />
        ) : (
          <div className={styles.content} aria-busy={metrics.isPlaceholderData}>
            {data?.overall !== undefined && <MetricTiles all={data.overall} noun={noun} />}
            {!listQuery.rootsOnly && (
              <p className={styles.hint}>
                SDKs add the tokens of a call to its parents. Across all calls, tokens and costs are therefore
                counted more than once. Traces count them once.
              </p>
            )}
            <div className={styles.charts}>
              {data !== undefined &&
                charts.map((chart) => (
                  <Chart
                    key={chart.title}
                    title={chart.title}
                    about={
                      chart.title === 'Latency' && data.by !== undefined ? (
                        <SegmentedControl
                          aria-label="Percentile"
                          value={percentile}
                          onChange={(value) => change({ percentile: value === 'p95' ? undefined : value })}
                          data={[...PERCENTILES]}
                        />
                      ) : (
                        chart.about
                      )
                    }
                    times={data.times}
                    endMs={data.endMs}
                    series={chart.series}
                    kind={chart.kind}
                    isInteger={chart.isWhole}
                    format={chart.format}
                    totalLabel={chart.totalLabel}
                    isTable={search.view === 'tables'}
                    linkSeries={(series) => (
                      <Link
                        to="/$entity/$project/weave/traces"
                        params={projectParams(project)}
                        search={callsSearch(chart, series)}
                        preload={false}
                      >
                        {visibleText(chart.series[series]?.name ?? '')}
                      </Link>
                    )}
                    linkTime={(index, text) => (
                      <Link
                        to="/$entity/$project/weave/traces"
                        params={projectParams(project)}
                        search={callsSearch(chart, undefined, bucketRange(data, index, index))}
                        preload={false}
                      >
                        {text}
                      </Link>
                    )}
                    onPick={(index, series) =>
                      openCalls(callsSearch(chart, series, bucketRange(data, index, index)))
                    }
                    onDrag={(from, to) => {
                      const range = bucketRange(data, from, to)
                      setSelection({ range, search: callsSearch(chart, undefined, range) })
                    }}
                  />
                ))}
            </div>
          </div>
        )}
      </div>
      {selection !== undefined && (
        <RangeSelectionBar
          project={project}
          range={selection.range}
          callsSearch={selection.search}
          noun={noun}
          onZoom={() => {
            setSelection(undefined)
            change({ range: selection.range })
          }}
          onClear={() => setSelection(undefined)}
        />
      )}
    </div>
  )
}

function totalCount({ overall }: Metrics): number {
  const count = overall?.totals['count'] ?? 0
  return typeof count === 'number' ? count : Number(count.text)
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
function bucketRange({ times, startMs, endMs }: Metrics, from: number, to: number): string {
  const fromMs = Math.max(startMs, times[from] ?? startMs)
  const toMs = Math.min(endMs, times[to + 1] ?? endMs)
  return `${new Date(fromMs).toISOString()}..${new Date(toMs).toISOString()}`
}
