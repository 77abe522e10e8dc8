import { describe, expect, test } from 'vitest'
import type { MetricComparison } from '../../contract/evaluations/comparison.ts'
import type { GateRules } from '../../contract/evaluations/gates.ts'
import { gateChecks, gateVerdict } from './gate.ts'

const metric = (low: number, high: number, more: Partial<MetricComparison> = {}): MetricComparison => ({
  name: 'exact',
  is_share: true,
  lower_is_better: false,
  verdict: 'no_difference',
  examples: 200,
  missing: 0,
  baseline: 0.8,
  run: 0.8 + (low + high) / 2,
  difference: (low + high) / 2,
  interval: { low, high },
  joint_interval: { low, high },
  run_interval: { low: 0.75, high: 0.85 },
  p: 0.5,
  p_exact: 0.5,
  p_adjusted: 0.5,
  method: 'mcnemar',
  detectable: 0.06,
  examples_needed: 1000,
  improved: 1,
  regressed: 1,
  unchanged: 198,
  trials: null,
  flaky_examples: [],
  variance: null,
  ...more,
})

const verdictOf = (each: MetricComparison, rules: GateRules = {}) => {
  const examples = { baseline: 200, run: 200, both: 200 }
  return gateVerdict(gateChecks({ baseline: 'a', run: 'b', examples, metrics: [each] }, rules))
}

describe('the verdict of a gate', () => {
  test('is decided by the side of the allowed regression on which the interval is', () => {
    expect(verdictOf(metric(-0.04, 0.02))).toBe('pass')
    expect(verdictOf(metric(-0.12, -0.06))).toBe('fail')
    expect(verdictOf(metric(-0.08, 0.02))).toBe('not_enough_data')
  })

  test('turns the interval around where lower is better', () => {
    expect(verdictOf(metric(0.06, 0.12, { lower_is_better: true }))).toBe('fail')
    expect(verdictOf(metric(-0.12, -0.06, { lower_is_better: true }))).toBe('pass')
  })

  test('is not decided by few examples, by a missing score, or by no score', () => {
    expect(verdictOf(metric(-0.01, 0.01, { verdict: 'too_few', examples: 5 }))).toBe('not_enough_data')
    expect(verdictOf(metric(0, 0.1), { scores: { other: {} } })).toBe('not_enough_data')
    expect(gateVerdict([])).toBe('not_enough_data')
  })

  test('applies limits of the score itself', () => {
    expect(verdictOf(metric(-0.2, -0.1), { scores: { exact: { min: 0.7 } } })).toBe('pass')
    expect(verdictOf(metric(0, 0.1), { scores: { exact: { min: 0.9 } } })).toBe('fail')
    expect(verdictOf(metric(0, 0.1), { scores: { exact: { max: 0.8 } } })).toBe('not_enough_data')
    expect(verdictOf(metric(-0.3, -0.2), { scores: { exact: { min: 0.7, max_regression: 0.01 } } })).toBe(
      'fail',
    )
  })

  test('has its reason in words', () => {
    const examples = { baseline: 200, run: 200, both: 200 }
    const compared = { baseline: 'a', run: 'b', examples, metrics: [metric(-0.12, -0.06)] }
    const [check] = gateChecks(compared, {})
    expect(check?.text).toBe('worse by 6 points to 12 points, allowed are 5 points')
  })
})
