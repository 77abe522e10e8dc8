import type { MatrixRow, MatrixTrial, ScoreColumn } from './matrix.ts'
import type { MetricKind } from './metric-format.ts'
import type { Run } from './run.ts'

/** One summary metric with its value for every run. */
export interface SummaryMetric {
  /** Score name; undefined for errors, latency, tokens and cost. */
  readonly score: string | undefined
  readonly label: string
  readonly kind: MetricKind
  /** The examples have this score, so that they can be filtered and sorted by it. */
  readonly isOfExamples: boolean
  /** Indexed by run. */
  readonly values: readonly (number | undefined)[]
  /** Indexed by run: the value is a lower bound. */
  readonly isPartial: readonly boolean[]
}

/** What a summary needs of a run. */
export type SummarizedRun = Pick<Run, 'scores' | 'modelLatencyMs'> & {
  readonly call: Pick<Run['call'], 'tokens' | 'cost' | 'unpriced'>
}

/**
 * The metrics of each run, as the SDK summarized them. What a run has not recorded, because it is in progress or no SDK
 * recorded it, is computed from its trials by the rules of the SDK.
 */
export function summarizeRuns(
  rows: readonly MatrixRow[],
  columns: readonly ScoreColumn[],
  runs: readonly SummarizedRun[],
): readonly SummaryMetric[] {
  const trials = runs.map((_, n) => rows.flatMap((row) => row.cells[n]?.trials ?? []))
  const metric = (
    label: string,
    kind: SummaryMetric['kind'],
    value: (run: SummarizedRun, trials: readonly MatrixTrial[]) => number | undefined,
  ): SummaryMetric => ({
    score: undefined,
    label,
    kind,
    isOfExamples: false,
    values: runs.map((run, n) => value(run, trials[n] ?? [])),
    isPartial: runs.map(() => false),
  })
  const recorded = ({ scores }: SummarizedRun, name: string, isShare: boolean): number | undefined =>
    scores.find((score) => score.name === name && score.isShare === isShare)?.value
  const names = new Set(columns.map(({ name }) => name))
  const others = new Map(
    runs.flatMap(({ scores }) =>
      scores.flatMap(({ name, isShare }) => (names.has(name) ? [] : [[name, isShare] as const])),
    ),
  )
  const metrics: SummaryMetric[] = [
    ...columns.map(({ name, isBoolean }) => ({
      ...metric(
        name,
        isBoolean ? 'share' : 'score',
        (run, all) => recorded(run, name, isBoolean) ?? computedScore(all, name, isBoolean),
      ),
      score: name,
      isOfExamples: true,
    })),
    // A scorer may summarize its results in another form than it returns them.
    ...[...others].map(([name, isShare]) => ({
      ...metric(name, isShare ? 'share' : 'score', (run) => recorded(run, name, isShare)),
      score: name,
    })),
    metric('Errors', 'count', (_, all) => all.filter(({ error }) => error !== undefined).length),
    metric('Model latency', 'duration', (run, all) => run.modelLatencyMs ?? mean(known(all, 'latencyMs'))),
    metric('Tokens', 'count', ({ call }, all) => call.tokens?.total ?? sum(known(all, 'tokens'))),
    {
      ...metric('Cost', 'cost', ({ call }, all) => call.cost ?? sum(known(all, 'cost'))),
      isPartial: runs.map(
        ({ call }, n) =>
          call.unpriced.length > 0 || trials[n]?.some(({ isPartialCost }) => isPartialCost) === true,
      ),
    },
  ]
  return metrics.filter(({ label, values, isPartial }) =>
    label === 'Errors'
      ? values.some((value) => value !== 0)
      : values.some((value) => value !== undefined) || isPartial.includes(true),
  )
}

/**
 * A trial without any score, because the model failed, counts in the share of a boolean score, but not in the mean of a
 * number: `auto_summarize` of the SDK.
 */
function computedScore(trials: readonly MatrixTrial[], name: string, isShare: boolean): number | undefined {
  const values = trials.flatMap(({ scores }) => {
    const value = scores.get(name)
    return value === undefined || typeof value === 'string' ? [] : [Number(value)]
  })
  if (!isShare || values.length === 0) return mean(values)
  return (sum(values) ?? 0) / (values.length + trials.filter(({ scores }) => scores.size === 0).length)
}

function known(trials: readonly MatrixTrial[], name: 'latencyMs' | 'tokens' | 'cost'): readonly number[] {
  return trials.flatMap((trial) => trial[name] ?? [])
}

function sum(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0)
}

function mean(values: readonly number[]): number | undefined {
  const total = sum(values)
  return total === undefined ? undefined : total / values.length
}
