import { type Series, seriesColor } from '../charts/series.ts'
import { preciseMs } from '../time/format.ts'
import { formatMetricValue } from './metric-format.ts'
import type { Run } from './run.ts'
import { type RunMetric, runMetrics } from './run-metrics.ts'

/** One metric of the runs over time. */
export interface Trend {
  readonly metric: RunMetric
  /** The runs that have a value, oldest first. */
  readonly runs: readonly Run[]
  /** Start of each run in milliseconds. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
}

/** The name of the line that a run is a point of. */
export type LineName = (run: Run) => string

/** A line for each evaluation, or for each model of each evaluation. */
export function lineName(runs: readonly Run[], isPerModel: boolean): LineName {
  if (!isPerModel) return ({ evaluation }) => evaluation.name
  const isOneEvaluation = new Set(runs.map(({ evaluation }) => evaluation.name)).size <= 1
  return ({ evaluation, model }) => (isOneEvaluation ? model.name : `${evaluation.name} · ${model.name}`)
}

/** The trend of every metric that the runs have. A line has the same color in all of them. */
export function trends(runs: readonly Run[], nameOf: LineName): readonly Trend[] {
  const ordered = runs.toSorted((a, b) => preciseMs(a.call.started_at) - preciseMs(b.call.started_at))
  const names = [...new Set(ordered.map(nameOf))]
  return runMetrics(runs).flatMap((metric) => {
    const measured = ordered.filter((run) => metric.value(run) !== undefined)
    if (measured.length === 0) return []
    const text = (run: Run): string =>
      formatMetricValue(metric.kind, metric.value(run), metric.isPartial(run))
    return [
      {
        metric,
        runs: measured,
        times: measured.map(({ call }) => preciseMs(call.started_at)),
        series: names.flatMap((name, n): Series[] => {
          const own = measured.map((run) => (nameOf(run) === name ? run : undefined))
          const latest = own.findLast((run) => run !== undefined)
          if (latest === undefined) return []
          return [
            {
              name,
              values: own.map((run) => (run === undefined ? null : (metric.value(run) ?? null))),
              texts: own.map((run) => (run === undefined ? null : text(run))),
              total: text(latest),
              color: seriesColor(n),
            },
          ]
        }),
      },
    ]
  })
}
