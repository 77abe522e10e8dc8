import type { MatrixRow, ScoreColumn } from './matrix.ts'

/** One summary metric with its value for every run. */
export interface SummaryMetric {
  /** Score name; undefined for latency, tokens and cost. */
  readonly score: string | undefined
  readonly label: string
  readonly kind: 'share' | 'score' | 'duration' | 'count' | 'cost'
  /** Indexed by run. */
  readonly values: readonly (number | undefined)[]
}

/** Averages over examples, not trials, so that examples with more trials do not weigh more. */
export function summarizeRuns(
  rows: readonly MatrixRow[],
  columns: readonly ScoreColumn[],
  runCount: number,
): readonly SummaryMetric[] {
  const perRun = (value: (row: MatrixRow, run: number) => number | undefined, isSum: boolean) =>
    Array.from({ length: runCount }, (_, run) => {
      const values = rows.flatMap((row) => value(row, run) ?? [])
      if (values.length === 0) return undefined
      const sum = values.reduce((total, each) => total + each, 0)
      return isSum ? sum : sum / values.length
    })
  const trialMetric = (name: 'latencyMs' | 'tokens' | 'cost', isSum: boolean) =>
    perRun((row, run) => {
      const values = row.cells[run]?.trials.flatMap((trial) => trial[name] ?? []) ?? []
      if (values.length === 0) return undefined
      const sum = values.reduce((total, each) => total + each, 0)
      return isSum ? sum : sum / values.length
    }, isSum)
  const metrics: SummaryMetric[] = [
    ...columns.map(({ name, isBoolean }) => ({
      score: name,
      label: name,
      kind: isBoolean ? ('share' as const) : ('score' as const),
      values: perRun((row, run) => row.cells[run]?.scores.get(name), false),
    })),
    {
      score: undefined,
      label: 'Model latency',
      kind: 'duration',
      values: trialMetric('latencyMs', false),
    },
    { score: undefined, label: 'Tokens', kind: 'count', values: trialMetric('tokens', true) },
    { score: undefined, label: 'Cost', kind: 'cost', values: trialMetric('cost', true) },
  ]
  return metrics.filter(({ values }) => values.some((value) => value !== undefined))
}
