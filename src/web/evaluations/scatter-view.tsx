import { Suspense, useMemo, useState } from 'react'
import { lazyComponent } from '../loading/lazy-component.ts'
import { type Series, seriesColor } from '../charts/series.ts'
import '../charts/series.css'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { formatTime } from '../time/format.ts'
import { exactMetricValue, formatMetricTick, formatMetricValue } from './metric-format.ts'
import type { Run } from './run.ts'
import { RunLink } from './run-link.tsx'
import { type RunMetric, runMetrics } from './run-metrics.ts'
import { ModelName } from './run-table.tsx'
import chartStyles from '../charts/chart.module.css'
import styles from './run-views.module.css'
import type { Search } from '../search-state.ts'

const Plot = lazyComponent(() => import('../charts/plot.tsx'), 'Plot')

const HEIGHT_PX = 340

interface Props {
  readonly runs: readonly Run[]
  readonly search: Search<'evaluations'>
  readonly onChange: (next: { readonly x?: string; readonly y?: string }) => void
  readonly onOpen: (id: string) => void
}

/** One point for each run: cost × score, or any two metrics. The table below has the same values. */
export function ScatterView({ runs, search, onChange, onOpen }: Props) {
  const metrics = useMemo(() => runMetrics(runs), [runs])
  const find = (id: string | undefined): RunMetric | undefined => metrics.find((each) => each.id === id)
  const x = find(search.x) ?? find('cost') ?? metrics.at(-1)
  const y = find(search.y) ?? metrics[0]
  const [hovered, setHovered] = useState<number>()
  const plot = useMemo(
    () => (x === undefined || y === undefined ? undefined : scatterPlot(runs, x, y)),
    [runs, x, y],
  )
  if (x === undefined || y === undefined || plot === undefined)
    return (
      <EmptyState icon="evaluations" title="No scores yet">
        Scores appear here when a run ends.
      </EmptyState>
    )
  const missing = runs.length - plot.points.length
  const current = hovered === undefined ? undefined : plot.points[hovered]
  return (
    <>
      <div className={styles.tools}>
        <AxisSelect label="X axis" metrics={metrics} value={x.id} onChange={(id) => onChange({ x: id })} />
        <AxisSelect label="Y axis" metrics={metrics} value={y.id} onChange={(id) => onChange({ y: id })} />
        <span className="faint">
          Click a point to open its run.
          {missing > 0 &&
            ` ${missing === 1 ? '1 run has' : `${formatCount(missing)} runs have`} no value of both axes.`}
        </span>
      </div>
      <div className="scroll" tabIndex={0} role="region" aria-label="Scatter plot and runs">
        <div className={styles.content}>
          <figure className={chartStyles.figure} aria-label={`${x.label} × ${y.label}`}>
            <div className="row spread hint">
              <span className="isolate">↑ {visibleText(y.label)}</span>
              <span className="isolate">{visibleText(x.label)} →</span>
            </div>
            <Suspense fallback={<div style={{ height: HEIGHT_PX }} />}>
              <Plot
                xs={plot.xs}
                start={plot.start}
                end={plot.end}
                isTime={false}
                series={plot.series}
                labels={plot.labels}
                kind="points"
                height={HEIGHT_PX}
                format={(value) => formatMetricTick(y.kind, value)}
                formatX={(value) => formatMetricTick(x.kind, value)}
                onHover={setHovered}
                onPick={(index) => {
                  const run = plot.points[index]
                  if (run !== undefined) onOpen(run.id)
                }}
              />
            </Suspense>
          </figure>
          <table className={`${styles.table} plain-links`}>
            <caption className="visually-hidden">
              Runs by {x.label} and {y.label}
            </caption>
            <thead>
              <tr>
                <th scope="col">Model</th>
                <th scope="col">Run</th>
                <th scope="col">Evaluation</th>
                {[x, y].map(({ label }, n) => (
                  <th key={n} scope="col" data-number className="isolate">
                    {visibleText(label)}
                  </th>
                ))}
                <th scope="col" data-number>
                  Started
                </th>
              </tr>
            </thead>
            <tbody>
              {[...plot.points, ...runs.filter((run) => !plot.points.includes(run))].map((run) => (
                <tr key={run.id} data-current={run === current || undefined}>
                  <th scope="row">
                    <span
                      className={styles.swatch}
                      style={{ background: `var(${plot.colors.get(run.model.name) ?? ''})` }}
                    />
                    <ModelName model={run.model} />
                  </th>
                  <td>
                    <RunLink id={run.id}>{visibleText(run.name)}</RunLink>
                  </td>
                  <td className="isolate">{visibleText(run.evaluation.name)}</td>
                  {[x, y].map((metric, n) => (
                    <MetricCell key={n} metric={metric} run={run} />
                  ))}
                  <td data-number>
                    <time title={run.call.started_at}>{formatTime(run.call.started_at)}</time>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </>
  )
}

function MetricCell({ metric, run }: { readonly metric: RunMetric; readonly run: Run }) {
  const value = metric.value(run)
  const isPartial = metric.isPartial(run)
  return (
    <td data-number title={exactMetricValue(metric.kind, value, isPartial)}>
      {formatMetricValue(metric.kind, value, isPartial)}
    </td>
  )
}

function AxisSelect(props: {
  readonly label: string
  readonly metrics: readonly RunMetric[]
  readonly value: string
  readonly onChange: (id: string) => void
}) {
  return (
    <label className="row gap-6 faint">
      {props.label}
      <select
        className={`native-input ${styles.select}`}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      >
        {props.metrics.map(({ id, label }) => (
          <option key={id} value={id}>
            {visibleText(label)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** More labels than this would cover each other. */
const MAX_LABELS = 60

function scatterPlot(runs: readonly Run[], x: RunMetric, y: RunMetric) {
  const points = runs
    .filter((run) => x.value(run) !== undefined && y.value(run) !== undefined)
    .sort((a, b) => (x.value(a) ?? 0) - (x.value(b) ?? 0))
  const models = [...new Set(runs.map(({ model }) => model.name))].sort()
  const colors = new Map(models.map((model, n) => [model, seriesColor(n)]))
  const xs = points.map((run) => x.value(run) ?? 0)
  const start = Math.min(0, (xs[0] ?? 0) * 1.08)
  return {
    points,
    colors,
    xs,
    start,
    end: Math.max((xs.at(-1) ?? 0) * 1.08, start + Number.EPSILON),
    series: models.map((model): Series => ({
      name: model,
      values: points.map((run) => (run.model.name === model ? (y.value(run) ?? null) : null)),
      total: '',
      color: colors.get(model) ?? '',
    })),
    labels: points.length > MAX_LABELS ? [] : points.map((run) => pointLabel(run, [x, y])),
  }
}

/** The model, and the values that are lower bounds. */
function pointLabel(run: Run, metrics: readonly RunMetric[]): string {
  const bounds = metrics.flatMap((metric) =>
    metric.isPartial(run) ? [formatMetricValue(metric.kind, metric.value(run), true)] : [],
  )
  return visibleText([run.model.name, ...bounds].join(' · '))
}
