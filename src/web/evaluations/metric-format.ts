import { exactCost, formatCount, formatDuration, formatKnownCost, formatScore } from '../ui/format.ts'

/** What a metric of runs measures, which decides how its values are shown. */
export type MetricKind = 'share' | 'score' | 'duration' | 'count' | 'cost'

/** A value for people: `80 %`, `1.2 s`, `≥ $0.0004`. */
export function formatMetricValue(kind: MetricKind, value: number | undefined, isPartial: boolean): string {
  if (value === undefined) return isPartial ? 'no price' : '–'
  switch (kind) {
    case 'duration':
      return formatDuration(value)
    case 'count':
      return formatCount(Math.round(value))
    case 'cost':
      return formatKnownCost(value, isPartial) ?? ''
    case 'share':
    case 'score':
      return formatScore(value, kind === 'share')
  }
}

/** The exact value, for tooltips. */
export function exactMetricValue(
  kind: MetricKind,
  value: number | undefined,
  isPartial: boolean,
): string | undefined {
  if (value === undefined) return undefined
  const exact = kind === 'cost' ? exactCost(value) : kind === 'duration' ? `${value} ms` : String(value)
  return isPartial ? `${exact}, without the models that have no price` : exact
}

/** The label of a tick, which is a round number: two ticks never have the same label. */
export function formatMetricTick(kind: MetricKind, value: number): string {
  return kind === 'cost' ? exactCost(value) : formatMetricValue(kind, value, false)
}
