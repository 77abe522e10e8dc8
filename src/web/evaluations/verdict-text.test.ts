import { expect, test } from 'vitest'
import { verdictText } from './verdict-text.ts'

const metric = {
  verdict: 'better' as const,
  is_share: true,
  lower_is_better: false,
  interval: { low: 0.03, high: 0.0912 },
  difference: 0.06,
  examples: 300,
  detectable: 0.05,
}

test('a clear difference is told in points, its direction by the verdict', () => {
  expect(verdictText(metric)).toBe('Better: 3 to 9.1 points, unlikely to be chance')
  const worse = { ...metric, verdict: 'worse' as const, interval: { low: -0.09, high: -0.03 } }
  expect(verdictText(worse)).toBe('Worse: 3 to 9 points, unlikely to be chance')
})

test('numbers have no unit', () => {
  const numbers = { ...metric, is_share: false, interval: { low: 0.5, high: 1.25 } }
  expect(verdictText(numbers)).toBe('Better: 0.5 to 1.3, unlikely to be chance')
})

test('what may be chance says how large a difference could be', () => {
  const none = { ...metric, verdict: 'no_difference' as const, interval: { low: -0.02, high: 0.04 } }
  expect(verdictText(none)).toBe('No difference shown: could be 2 points worse to 4 better')
  expect(verdictText({ ...none, lower_is_better: true })).toBe(
    'No difference shown: could be 4 points worse to 2 better',
  )
  expect(verdictText({ ...none, interval: { low: 0, high: 0 } })).toBe('Equal in every example')
})

test('few examples tell nothing', () => {
  expect(verdictText({ ...metric, verdict: 'too_few', examples: 5 })).toBe('Too few examples to tell (5)')
})
