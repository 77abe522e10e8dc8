import { expect, test } from 'vitest'
import { formatScore, formatScoreDifference } from '../ui/format.ts'
import { runScores } from './run-scores.ts'

test('scores are read as the SDKs aggregate them', () => {
  const output = {
    mentions: { correct: { true_count: 8, true_fraction: 0.8 } },
    helpful: { score: { mean: 0.71 }, reason: 'none' },
    exact: { mean: 3 },
    model_latency: { mean: 1.2 },
  }
  expect(runScores(JSON.stringify(output))).toEqual([
    { name: 'mentions.correct', value: 0.8, isShare: true },
    { name: 'helpful.score', value: 0.71, isShare: false },
    { name: 'exact', value: 3, isShare: false },
  ])
})

test('a scorer may use its own aggregates', () => {
  expect(runScores('{"f1": {"precision": 0.5, "recall": 1}, "total": 2}')).toEqual([
    { name: 'f1.precision', value: 0.5, isShare: false },
    { name: 'f1.recall', value: 1, isShare: false },
    { name: 'total', value: 2, isShare: false },
  ])
})

test.each(['null', '"failed"', '[1]', '', '{}'])('%s has no scores', (output) => {
  expect(runScores(output)).toEqual([])
})

test('scores are formatted briefly', () => {
  expect([formatScore(0.6667, true), formatScore(1, true), formatScore(0.8125, false)]).toEqual([
    '66.7 %',
    '100 %',
    '0.813',
  ])
  expect([formatScore(3, false), formatScore(123.456, false), formatScore(0.000_12, false)]).toEqual([
    '3',
    '123.5',
    '0.00012',
  ])
  expect([formatScoreDifference(-0.04, true), formatScoreDifference(0.1, false)]).toEqual(['−4 %', '+0.1'])
})
