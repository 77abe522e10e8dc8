import type { MatrixRow, ScoreColumn } from './matrix.ts'

/** What runs come to by one measure. */
export interface SummaryMeasure {
  /** The name of a score; undefined for what every run has. */
  readonly score: string | undefined
  readonly label: string
  readonly kind: 'share' | 'score' | 'duration' | 'count' | 'cost'
  /** By number of the run. */
  readonly values: readonly (number | undefined)[]
}

/** Means over examples, so that an example that was tried more often does not count for more. */
export function summaryOf(
  rows: readonly MatrixRow[],
  columns: readonly ScoreColumn[],
  runCount: number,
): readonly SummaryMeasure[] {
  const over = (value: (row: MatrixRow, run: number) => number | undefined, isSum: boolean) =>
    Array.from({ length: runCount }, (_, run) => {
      const values = rows.flatMap((row) => value(row, run) ?? [])
      if (values.length === 0) return undefined
      const sum = values.reduce((total, each) => total + each, 0)
      return isSum ? sum : sum / values.length
    })
  const ofTrials = (name: 'latencyMs' | 'tokens' | 'cost', isSum: boolean) =>
    over((row, run) => {
      const values = row.cells[run]?.trials.flatMap((trial) => trial[name] ?? []) ?? []
      if (values.length === 0) return undefined
      const sum = values.reduce((total, each) => total + each, 0)
      return isSum ? sum : sum / values.length
    }, isSum)
  const measures: SummaryMeasure[] = [
    ...columns.map(({ name, isVerdict }) => ({
      score: name,
      label: name,
      kind: isVerdict ? ('share' as const) : ('score' as const),
      values: over((row, run) => row.cells[run]?.scores.get(name), false),
    })),
    {
      score: undefined,
      label: 'Latency of the model',
      kind: 'duration',
      values: ofTrials('latencyMs', false),
    },
    { score: undefined, label: 'Tokens', kind: 'count', values: ofTrials('tokens', true) },
    { score: undefined, label: 'Cost', kind: 'cost', values: ofTrials('cost', true) },
  ]
  return measures.filter(({ values }) => values.some((value) => value !== undefined))
}
