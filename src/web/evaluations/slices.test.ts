import { expect, test } from 'vitest'
import { exampleFields } from './example-fields.ts'
import { createCell, type MatrixRow, type MatrixTrial, scoreColumns } from './matrix.ts'
import { NO_VALUE, sliceColumns, sliceRows, sortSlices } from './slices.ts'

function trialOf(correct: boolean | undefined, cost: number | undefined): MatrixTrial {
  return {
    callId: 'trial',
    outputText: '',
    outputKey: '',
    scores: new Map(correct === undefined ? [] : [['correct', correct]]),
    error: correct === undefined ? 'refused' : undefined,
    latencyMs: 100,
    tokens: 10,
    cost,
    isPartialCost: cost === undefined,
  }
}

function rowOf(example: object, ...trials: readonly (MatrixTrial | undefined)[]): MatrixRow {
  return {
    digest: JSON.stringify(example),
    index: 0,
    inputText: '',
    fields: exampleFields(JSON.stringify(example)),
    cells: trials.map((trial) => trial && createCell([trial])),
  }
}

const ROWS = [
  rowOf({ n: 1, language: 'en' }, trialOf(true, 1), trialOf(true, 1)),
  rowOf({ n: 2, language: 'en' }, trialOf(false, 2), trialOf(true, undefined)),
  rowOf({ n: 3, language: 'en' }, trialOf(undefined, 1), undefined),
  rowOf({ n: 4, language: 'de' }, trialOf(true, 1), trialOf(false, 1)),
  rowOf({ n: 5 }, trialOf(true, 1), trialOf(true, 1)),
]
const SCORING = { columns: scoreColumns(ROWS), lowerIsBetter: new Set<string>() }

test('fields of an example are its values by path; long texts name no slice', () => {
  const long = 'x'.repeat(300)
  const example = { language: 'en', meta: { topic: { id: 7 }, tags: ['a'] }, question: long, none: null }
  expect([...exampleFields(JSON.stringify(example))]).toEqual([
    ['language', '"en"'],
    ['meta.topic.id', '7'],
    ['meta.tags', '["a"]'],
    ['question', undefined],
    ['none', 'null'],
  ])
  expect(exampleFields('"text"').size).toBe(0)
  const rows = [rowOf(example), rowOf({ ...example, question: 'short' })]
  expect(sliceColumns(rows).map(({ path }) => path)).not.toContain('question')
  expect(sliceColumns(ROWS)).toEqual([
    { path: 'n', valueCount: 5 },
    { path: 'language', valueCount: 2 },
  ])
})

test('a slice has the metrics of its examples for each run, by the rules of the SDK', () => {
  const slices = sliceRows(ROWS, 'language', SCORING, 2)
  expect(
    slices.map(({ key, exampleCount, metrics }) => [
      key,
      exampleCount,
      metrics.get('Failed')?.values,
      // A trial that failed counts in the share; an example that a run does not have does not.
      metrics.get('score:correct')?.values,
      metrics.get('Cost')?.values,
      metrics.get('Cost')?.isPartial,
    ]),
  ).toEqual([
    ['"en"', 3, [2, 0], [1 / 3, 1], [4, 1], [false, true]],
    ['"de"', 1, [0, 1], [1, 0], [1, 1], [false, false]],
    [NO_VALUE, 1, [0, 0], [1, 1], [1, 1], [false, false]],
  ])
})

test('slices are sorted by a metric of the first run', () => {
  const slices = sliceRows(ROWS, 'language', SCORING, 2)
  const keys = (id: string, desc: boolean) => sortSlices(slices, { id, desc }).map(({ key }) => key)
  expect(keys('score:correct', false)[0]).toBe('"en"')
  expect(keys('Cost', true)[0]).toBe('"en"')
  expect(keys('examples', false).at(-1)).toBe('"en"')
})
