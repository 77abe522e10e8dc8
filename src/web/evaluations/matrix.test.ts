import { expect, test } from 'vitest'
import {
  createCell,
  matchesFilter,
  sortRows,
  scoreRows,
  type MatrixFilter,
  type MatrixRow,
  scoreColumns,
} from './matrix.ts'
import { type ScoreValue, trialScores } from './trial-scores.ts'

function cell(scores: Readonly<Record<string, ScoreValue>>, output = 'same') {
  return createCell([
    {
      callId: output,
      outputText: output,
      outputKey: output,
      scores: new Map(Object.entries(scores)),
      error: undefined,
      latencyMs: undefined,
      tokens: undefined,
      cost: undefined,
      isPartialCost: false,
    },
  ])
}

function matrixRows(rows: Readonly<Record<string, MatrixRow['cells']>>): MatrixRow[] {
  return Object.entries(rows).map(([digest, cells], index) => ({
    digest,
    index,
    inputText: digest,
    fields: new Map(),
    cells,
  }))
}

const ROWS = matrixRows({
  equal: [cell({ ok: true, score: 0.5 }), cell({ ok: true, score: 0.5 })],
  'a little worse': [cell({ ok: true, score: 0.6 }), cell({ ok: true, score: 0.5 })],
  broken: [cell({ ok: true, score: 0.9 }), cell({ ok: false, score: 0.9 })],
  fixed: [cell({ ok: false, score: 0.1 }), cell({ ok: true, score: 0.9 })],
  'other output': [cell({ ok: true, score: 0.5 }), cell({ ok: true, score: 0.5 }, 'other')],
  'no score': [cell({ ok: true, score: 0.5 }), cell({}, 'nothing')],
  'not run': [cell({ ok: true, score: 0.5 }), undefined],
})

function scoredRows(lowerIsBetter: readonly string[] = []) {
  return scoreRows(ROWS, { columns: scoreColumns(ROWS), lowerIsBetter: new Set(lowerIsBetter) })
}

function names(rows: readonly { readonly digest: string }[]): string[] {
  return rows.map(({ digest }) => digest)
}

test('regressions come first, equal rows last', () => {
  expect(names(sortRows(scoredRows(), 'regressions', 2))).toEqual([
    'broken',
    'no score',
    'a little worse',
    'other output',
    'not run',
    'fixed',
    'equal',
  ])
  expect(names(sortRows(scoredRows(), 'improvements', 2))).toEqual([
    'fixed',
    'other output',
    'not run',
    'a little worse',
    'broken',
    'no score',
    'equal',
  ])
  expect(names(sortRows(scoredRows(), 'dataset', 2))).toEqual(names(ROWS))
})

test.each<[MatrixFilter, string[]]>([
  ['regressed', ['a little worse', 'broken', 'no score']],
  ['improved', ['fixed']],
  ['changed', ['a little worse', 'broken', 'fixed', 'other output', 'no score', 'not run']],
])('%s', (filter, expected) => {
  expect(names(scoredRows().filter((row) => matchesFilter(row, filter)))).toEqual(expected)
})

test('the direction of a score can be reversed', () => {
  const rows = scoredRows(['score'])
  expect(rows.find(({ digest }) => digest === 'a little worse')?.change).toMatchObject({ loss: 0 })
  expect(rows.find(({ digest }) => digest === 'fixed')?.change.loss).toBe(1)
})

test('a single run lists the worst examples first and marks failed ones', () => {
  const rows = ROWS.map((row) => ({ ...row, cells: row.cells.slice(0, 1) }))
  const all = scoreRows(rows, { columns: scoreColumns(rows), lowerIsBetter: new Set() })
  expect(names(sortRows(all, 'regressions', 1))[0]).toBe('fixed')
  expect(names(sortRows(all, 'regressions', 1)).at(-1)).toBe('broken')
  expect(names(all.filter((row) => matchesFilter(row, 'failed')))).toEqual(['fixed'])
})

test('trials of one example are averaged', () => {
  const first = cell({ ok: true, score: 1 }).trials
  const second = cell({ ok: false, score: 0.5 }).trials
  expect(Object.fromEntries(createCell([...first, ...second]).scores)).toEqual({ ok: 0.5, score: 0.75 })
})

test('every leaf of a scorer result is a score', () => {
  expect(
    Object.fromEntries(
      trialScores(
        '{"exact": true, "judge": {"score": 1.50, "why": {"text": "so"}, "list": [1]}, "none": null}',
      ),
    ),
  ).toEqual({ exact: true, 'judge.score': 1.5, 'judge.why.text': 'so' })
  expect(trialScores('null').size).toBe(0)
})
