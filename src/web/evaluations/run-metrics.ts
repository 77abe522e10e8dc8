import type { MetricKind } from './metric-format.ts'
import type { SummarizedRun } from './summary.ts'

/** A number that each run has: one of its scores, or its latency, tokens or cost. */
export interface RunMetric {
  /** `cost`, `latency`, `tokens` or `score:` and the name of the score; also used in URLs. */
  readonly id: string
  readonly label: string
  readonly kind: MetricKind
  /** Score name; undefined for latency, tokens and cost. */
  readonly score: string | undefined
  readonly value: (run: SummarizedRun) => number | undefined
  /** Whether the value is a lower bound. */
  readonly isPartial: (run: SummarizedRun) => boolean
}

const isNever = (): boolean => false

const USAGE_METRICS: readonly RunMetric[] = [
  {
    id: 'latency',
    label: 'Model latency',
    kind: 'duration',
    score: undefined,
    value: ({ modelLatencyMs }) => modelLatencyMs,
    isPartial: isNever,
  },
  {
    id: 'tokens',
    label: 'Tokens',
    kind: 'count',
    score: undefined,
    value: ({ call }) => call.tokens?.total,
    isPartial: isNever,
  },
  {
    id: 'cost',
    label: 'Cost',
    kind: 'cost',
    score: undefined,
    value: ({ call }) => call.cost,
    isPartial: ({ call }) => call.unpriced.length > 0,
  },
]

/** The metrics that at least one of the runs has: its scores as the SDK summarized them, then latency, tokens and cost. */
export function runMetrics(runs: readonly SummarizedRun[]): readonly RunMetric[] {
  const isShare = new Map<string, boolean>()
  for (const { scores } of runs)
    for (const score of scores) isShare.set(score.name, score.isShare && isShare.get(score.name) !== false)
  return [
    ...[...isShare].map(([name, isShareOfAll]): RunMetric => ({
      id: `score:${name}`,
      label: name,
      kind: isShareOfAll ? 'share' : 'score',
      score: name,
      value: ({ scores }) => {
        const named = scores.filter((score) => score.name === name)
        return (named.find((score) => score.isShare === isShareOfAll) ?? named[0])?.value
      },
      isPartial: isNever,
    })),
    ...USAGE_METRICS.filter(({ value, isPartial }) =>
      runs.some((run) => value(run) !== undefined || isPartial(run)),
    ),
  ]
}
