import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { projectParams, useProject } from '../api/project.ts'
import { FilterBox } from '../filter/filter-box.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { printRange } from '../time/range.ts'
import { TimeRangeMenu } from '../time/time-range-menu.tsx'
import { parseListQuery } from '../traces/list-query.ts'
import { EmptyList } from '../traces/empty-list.tsx'
import { BucketSelect } from './bucket-select.tsx'
import { DashboardMenu } from './dashboard-menu.tsx'
import { RangeSelectionBar } from './range-selection-bar.tsx'
import { GroupMenu } from './group-menu.tsx'
import { MetricChartView, type RangeSelection } from './metric-chart-view.tsx'
import { metricCharts, PERCENTILES, readPercentile } from './metric-charts.ts'
import styles from './dashboard-page.module.css'
import { MetricTiles } from './metric-tiles.tsx'
import { type Metrics, useMetrics } from './use-metrics.ts'
import type { Search } from '../search-state.ts'
import { useChangeSearch } from '../use-change-search.ts'

const HERE = '/$entity/$project/weave/dashboard'

/** The fixed dashboard of every project. Every chart links to the calls behind it. */
export function DashboardPage() {
  const project = useProject()
  useDocumentTitle('Overview', project.project_id)
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const change = useChangeSearch('dashboard')
  const listQuery = useMemo(() => parseListQuery(search), [search.filter, search.range, search.show])
  const metrics = useMetrics(project, listQuery, search.by, search.bucket)
  const [selection, setSelection] = useState<RangeSelection>()
  const noun = listQuery.rootsOnly ? 'traces' : 'calls'
  const percentile = readPercentile(search.percentile)
  const data = metrics.data ?? undefined
  const charts = useMemo(
    () => (data === undefined ? [] : metricCharts(data, noun, percentile)),
    [data, noun, percentile],
  )
  const isEmpty = data === undefined || data.overall === undefined || totalCount(data) === 0

  const openCalls = (next: Search<'traces'>): void =>
    void navigate({ to: '/$entity/$project/weave/traces', params: projectParams(project), search: next })

  return (
    <Page>
      <PageHeader title="Overview" summary={data === undefined ? '' : `one bar per ${data.bucket}`}>
        <DashboardMenu project={project} range={search.range} />
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
        <BucketSelect bucket={search.bucket} onChange={(bucket) => change({ bucket })} />
      </div>
      <div className="scroll">
        {listQuery.filterError !== undefined ? (
          <p className={`${styles.error} note bad`} role="alert">
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
              <p className="hint">
                SDKs add the tokens of a call to its parents. Across all calls, tokens and costs are therefore
                counted more than once. Traces count them once.
              </p>
            )}
            <div className={styles.charts}>
              {data !== undefined &&
                charts.map((chart) => (
                  <MetricChartView
                    key={chart.title}
                    project={project}
                    listQuery={listQuery}
                    data={data}
                    chart={chart}
                    about={
                      chart.title === 'Latency' && data.by !== undefined ? (
                        <SegmentedControl
                          aria-label="Percentile"
                          value={percentile}
                          onChange={(value) => change({ percentile: value === 'p95' ? undefined : value })}
                          data={[...PERCENTILES]}
                        />
                      ) : undefined
                    }
                    isTable={search.view === 'tables'}
                    onSelect={setSelection}
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
    </Page>
  )
}

function totalCount({ overall }: Metrics): number {
  const count = overall?.totals['count'] ?? 0
  return typeof count === 'number' ? count : Number(count.text)
}
