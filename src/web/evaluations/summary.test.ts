import { expect, test } from 'vitest'
import { createCell, type MatrixRow, type MatrixTrial, scoreColumns } from './matrix.ts'
import { type SummarizedRun, summarizeRuns } from './summary.ts'

const TRIAL: MatrixTrial = {
  callId: 'trial',
  outputText: '',
  outputKey: '',
  scores: new Map(),
  error: undefined,
  latencyMs: 100,
  tokens: 10,
  cost: 0.5,
  isPartialCost: false,
}

/** Four scored examples, and one of which the model failed. */
const TRIALS: readonly MatrixTrial[] = [
  ...[0.8, 0.8, 0.25, 0.8].map((helpful) => ({
    ...TRIAL,
    scores: new Map<string, number | boolean>([
      ['mentions.correct', helpful > 0.5],
      ['Judge.helpful', helpful],
    ]),
  })),
  { ...TRIAL, error: 'RefundRefused: not refunded', isPartialCost: true },
]
const ROWS: readonly MatrixRow[] = TRIALS.map((trial, index) => ({
  digest: String(index),
  index,
  inputText: '',
  fields: new Map(),
  cells: [createCell([trial])],
}))
const RUNNING: SummarizedRun = {
  scores: [],
  modelLatencyMs: undefined,
  call: { tokens: undefined, cost: undefined, unpriced: [] },
}

function summary(run: SummarizedRun): Readonly<Record<string, unknown>> {
  const metrics = summarizeRuns(ROWS, scoreColumns(ROWS), [run])
  return Object.fromEntries(
    metrics.map(({ label, values, isPartial }) => [
      label,
      isPartial[0] === true ? ['≥', values[0]] : values[0],
    ]),
  )
}

test('without a summary of the SDK, failed examples count in shares and not in means', () => {
  expect(summary(RUNNING)).toEqual({
    'mentions.correct': 0.6,
    'Judge.helpful': 0.6625000000000001,
    Errors: 1,
    'Model latency': 100,
    Tokens: 50,
    Cost: ['≥', 2.5],
  })
})

test('what the run recorded is shown', () => {
  const run: SummarizedRun = {
    scores: [
      { name: 'mentions.correct', value: 0.59, isShare: true },
      { name: 'Judge.helpful', value: 0.66, isShare: false },
      { name: 'Judge.f1', value: 0.7, isShare: false },
    ],
    modelLatencyMs: 120,
    call: { tokens: { input: 60, output: 10, total: 70, cacheRead: 0 }, cost: 3, unpriced: ['nordwand-7b'] },
  }
  expect(summary(run)).toEqual({
    'mentions.correct': 0.59,
    'Judge.helpful': 0.66,
    'Judge.f1': 0.7,
    Errors: 1,
    'Model latency': 120,
    Tokens: 70,
    Cost: ['≥', 3],
  })
})
