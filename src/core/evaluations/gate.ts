import type { MetricComparison, RunComparison } from '../../contract/evaluations/comparison.ts'
import type { GateCheck, GateRules, GateVerdict, ScoreRule } from '../../contract/evaluations/gates.ts'
import { negated } from '../statistics/interval.ts'

/** Verdicts of a gate. An interval on one side of the limit decides; an interval around it means that more data is needed. */

const DEFAULT_REGRESSION = 0.05

export function gateChecks(comparison: RunComparison, rules: GateRules): GateCheck[] {
  const named = Object.entries(rules.scores ?? {})
  const metrics = new Map(comparison.metrics.map((metric) => [metric.name, metric]))
  if (named.length === 0) return comparison.metrics.map((metric) => regressionCheck(metric, {}, rules))
  return named.flatMap(([score, rule]) => {
    const metric = metrics.get(score)
    if (metric === undefined) return [missingCheck(score)]
    const limits = (['min', 'max'] as const).flatMap((kind) => {
      const limit = rule[kind]
      return typeof limit === 'number' ? [limitCheck(metric, kind, limit)] : []
    })
    const isLimitOnly = limits.length > 0 && typeof rule.max_regression !== 'number'
    return isLimitOnly ? limits : [regressionCheck(metric, rule, rules), ...limits]
  })
}

/** The worst of the checks; without any there is nothing that would allow a release. */
export function gateVerdict(checks: readonly GateCheck[]): GateVerdict {
  if (checks.some(({ verdict }) => verdict === 'fail')) return 'fail'
  return checks.length > 0 && checks.every(({ verdict }) => verdict === 'pass') ? 'pass' : 'not_enough_data'
}

function missingCheck(score: string): GateCheck {
  return {
    score,
    rule: 'missing',
    limit: null,
    verdict: 'not_enough_data',
    text: 'no example has this score in both runs',
    estimate: null,
    low: null,
    high: null,
  }
}

function regressionCheck(metric: MetricComparison, rule: ScoreRule, rules: GateRules): GateCheck {
  const limit =
    rule.max_regression ??
    rules.max_regression ??
    (metric.is_share ? DEFAULT_REGRESSION : DEFAULT_REGRESSION * Math.abs(metric.baseline))
  const gain = metric.lower_is_better ? negated(metric.joint_interval) : metric.joint_interval
  const isTooFew = metric.verdict === 'too_few'
  const verdict =
    isTooFew || (gain.high >= -limit && gain.low < -limit)
      ? 'not_enough_data'
      : gain.high < -limit
        ? 'fail'
        : 'pass'
  const unit = (value: number): string => amount(metric, Math.abs(value))
  const range =
    gain.high <= 0
      ? `worse by ${unit(gain.high)} to ${unit(gain.low)}`
      : gain.low >= 0
        ? `better by ${unit(gain.low)} to ${unit(gain.high)}`
        : `between ${unit(gain.low)} worse and ${unit(gain.high)} better`
  const needed = metric.examples_needed
  const hint =
    verdict !== 'not_enough_data'
      ? ''
      : isTooFew
        ? `; ${metric.examples} examples are too few`
        : `; a difference as found needs about ${needed ?? 'many'} examples`
  return {
    score: metric.name,
    rule: 'max_regression',
    limit,
    verdict,
    text: `${range}, allowed are ${unit(limit)}${hint}`,
    estimate: metric.difference,
    low: metric.joint_interval.low,
    high: metric.joint_interval.high,
  }
}

function limitCheck(metric: MetricComparison, rule: 'min' | 'max', limit: number): GateCheck {
  const { low, high } = metric.run_interval
  const isOver = rule === 'min' ? low >= limit : high <= limit
  const isUnder = rule === 'min' ? high < limit : low > limit
  const isTooFew = metric.verdict === 'too_few'
  return {
    score: metric.name,
    rule,
    limit,
    verdict: isTooFew ? 'not_enough_data' : isOver ? 'pass' : isUnder ? 'fail' : 'not_enough_data',
    text: `${level(metric, low)} to ${level(metric, high)}, must be at ${rule === 'min' ? 'least' : 'most'} ${level(metric, limit)}`,
    estimate: metric.run,
    low,
    high,
  }
}

function amount({ is_share }: MetricComparison, value: number): string {
  return is_share ? `${rounded(value * 100)} points` : rounded(value)
}

function level({ is_share }: MetricComparison, value: number): string {
  return is_share ? `${rounded(value * 100)} %` : rounded(value)
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(value >= 100 ? 6 : 3)))
}
