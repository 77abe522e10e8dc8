import { SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'
import { Chart } from '../charts/chart.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatTime } from '../time/format.ts'
import { formatMetricTick } from './metric-format.ts'
import type { Run } from './run.ts'
import { RunLink } from './run-link.tsx'
import styles from './run-views.module.css'
import { lineName, type Trend, trends } from './trends.ts'
import type { Search } from '../search-state.ts'

interface Props {
  readonly runs: readonly Run[]
  readonly search: Search<'evaluations'>
  readonly onChange: (next: { readonly per?: string | undefined; readonly as?: string | undefined }) => void
  readonly onOpen: (id: string) => void
}

/** Each metric of the runs over time. A point opens its run. */
export function TrendsView({ runs, search, onChange, onOpen }: Props) {
  const isPerModel = search.per === 'model'
  const charts = useMemo(() => trends(runs, lineName(runs, isPerModel)), [runs, isPerModel])
  return (
    <>
      <div className={styles.tools}>
        <SegmentedControl
          aria-label="Lines"
          value={isPerModel ? 'model' : 'evaluation'}
          onChange={(value) => onChange({ per: value === 'model' ? 'model' : undefined })}
          data={[
            { value: 'evaluation', label: 'By evaluation' },
            { value: 'model', label: 'By model' },
          ]}
        />
        <SegmentedControl
          aria-label="Charts or tables"
          value={search.as === 'tables' ? 'tables' : 'charts'}
          onChange={(value) => onChange({ as: value === 'tables' ? 'tables' : undefined })}
          data={[
            { value: 'charts', label: 'Charts' },
            { value: 'tables', label: 'Tables' },
          ]}
        />
        <span className="faint">Click a point to open its run.</span>
      </div>
      {charts.length === 0 ? (
        <EmptyState icon="evaluations" title="No scores yet">
          Scores appear here when a run ends.
        </EmptyState>
      ) : (
        <div className="scroll" tabIndex={0} role="region" aria-label="Trends">
          <div className={`${styles.content} ${styles.charts}`}>
            {charts.map((trend) => (
              <TrendChart
                key={trend.metric.id}
                trend={trend}
                isTable={search.as === 'tables'}
                onOpen={onOpen}
              />
            ))}
          </div>
        </div>
      )}
    </>
  )
}

/** Space beside the first and last run, as a share of the time between them. */
const MARGIN = 0.04
const MIN_SPAN_MS = 1000

function TrendChart(props: {
  readonly trend: Trend
  readonly isTable: boolean
  readonly onOpen: (id: string) => void
}) {
  const { metric, runs, times, series } = props.trend
  const labels = useMemo(() => runs.map(({ call }) => formatTime(call.started_at)), [runs])
  const first = times[0] ?? 0
  const last = times.at(-1) ?? 0
  const margin = Math.max(MIN_SPAN_MS, last - first) * MARGIN
  return (
    <Chart
      title={visibleText(metric.label)}
      about={runs.length === 1 ? '1 run' : `${formatCount(runs.length)} runs`}
      times={times}
      labels={labels}
      startMs={first - margin}
      endMs={last + margin}
      series={series}
      kind="lines"
      isInteger={metric.kind === 'count'}
      format={(value) => formatMetricTick(metric.kind, value)}
      totalLabel="newest"
      isTable={props.isTable}
      linkTime={(index, text) => {
        const run = runs[index]
        return run === undefined ? (
          text
        ) : (
          <RunLink id={run.id} title={run.name}>
            {text}
          </RunLink>
        )
      }}
      onPick={(index) => {
        const run = runs[index]
        if (run !== undefined) props.onOpen(run.id)
      }}
    />
  )
}
