import type { BrowserResponse } from '../../client/browser/client.ts'
import { formatRough } from '../ui/format.ts'

export type MetricComparison = BrowserResponse<'evaluation_compare'>['metrics'][number]

type Told = Pick<
  MetricComparison,
  'verdict' | 'is_share' | 'lower_is_better' | 'interval' | 'difference' | 'examples' | 'detectable'
>

/** What a comparison says about a score, in words without statistics: `Better: 3 to 9 points, unlikely to be chance`. */
export function verdictText(metric: Told): string {
  const { verdict, interval, examples } = metric
  switch (verdict) {
    case 'better':
    case 'worse':
      return `${verdict === 'better' ? 'Better' : 'Worse'}: ${range(metric)}, unlikely to be chance`
    case 'no_difference': {
      if (interval.low === 0 && interval.high === 0) return 'Equal in every example'
      return `No difference shown: could be ${orientedRange(metric)}`
    }
    case 'too_few':
      return `Too few examples to tell (${examples})`
  }
}

function range({ is_share, interval: { low, high } }: Told): string {
  const [from, to] = [Math.abs(low), Math.abs(high)].sort((a, b) => a - b)
  const [first, last] = [amount(from ?? 0, is_share), amount(to ?? 0, is_share)]
  return `${first === last ? first : `${first} to ${last}`}${unit(is_share)}`
}

/** `2 points worse to 4 better`. */
function orientedRange({ is_share, lower_is_better, interval }: Told): string {
  const low = lower_is_better ? -interval.high : interval.low
  const high = lower_is_better ? -interval.low : interval.high
  const side = (value: number): string => (value < 0 ? 'worse' : 'better')
  return `${amount(Math.abs(low), is_share)}${unit(is_share)} ${side(low)} to ${amount(Math.abs(high), is_share)} ${side(high)}`
}

/** A share in points: 0.034 is 3.4. */
function amount(value: number, isShare: boolean): string {
  return formatRough(isShare ? value * 100 : value)
}

function unit(isShare: boolean): string {
  return isShare ? ' points' : ''
}

/** The exact values, for tooltips. */
export function verdictDetails(metric: MetricComparison): string {
  const { interval, method, trials } = metric
  return [
    `difference ${metric.difference}, 95 % interval ${interval.low} to ${interval.high}`,
    `p = ${metric.p}, adjusted for all scores ${metric.p_adjusted} (${method === 'mcnemar' ? "McNemar's test" : 'permutation test'})`,
    `${metric.examples} examples in both runs: ${metric.improved} better, ${metric.regressed} worse, ${metric.unchanged} equal`,
    `this many examples show a difference of ${metric.detectable}`,
    ...(trials === null
      ? []
      : [
          `trials per example: ${trials.run.count}; flaky examples: ${trials.run.flaky}, in the baseline ${trials.baseline.flaky}`,
        ]),
  ].join('\n')
}
