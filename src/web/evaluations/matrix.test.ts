import { expect, test } from 'vitest'
import { cellOf, fits, inOrder, judge, type MatrixFilter, type MatrixRow, scoreColumns } from './matrix.ts'
import { type ScoreValue, trialScores } from './trial-scores.ts'

function cell(scores: Readonly<Record<string, ScoreValue>>, output = 'same') {
  return cellOf([
    {
      callId: output,
      outputText: output,
      outputKey: output,
      scores: new Map(Object.entries(scores)),
      latencyMs: undefined,
      tokens: undefined,
      cost: undefined,
    },
  ])
}

function rowsOf(rows: Readonly<Record<string, MatrixRow['cells']>>): MatrixRow[] {
  return Object.entries(rows).map(([digest, cells], index) => ({ digest, index, inputText: digest, cells }))
}

const ROWS = rowsOf({
  equal: [cell({ ok: true, score: 0.5 }), cell({ ok: true, score: 0.5 })],
  'a little worse': [cell({ ok: true, score: 0.6 }), cell({ ok: true, score: 0.5 })],
  broken: [cell({ ok: true, score: 0.9 }), cell({ ok: false, score: 0.9 })],
  mended: [cell({ ok: false, score: 0.1 }), cell({ ok: true, score: 0.9 })],
  'other words': [cell({ ok: true, score: 0.5 }), cell({ ok: true, score: 0.5 }, 'other')],
  'no score': [cell({ ok: true, score: 0.5 }), cell({}, 'nothing')],
  untried: [cell({ ok: true, score: 0.5 }), undefined],
})

function judged(lowerIsBetter: readonly string[] = []) {
  return judge(ROWS, { columns: scoreColumns(ROWS), lowerIsBetter: new Set(lowerIsBetter) })
}

function names(rows: readonly { readonly digest: string }[]): string[] {
  return rows.map(({ digest }) => digest)
}

test('regressions come first, what is the same comes last', () => {
  expect(names(inOrder(judged(), 'regressions', 2))).toEqual([
    'broken',
    'no score',
    'a little worse',
    'other words',
    'untried',
    'mended',
    'equal',
  ])
  expect(names(inOrder(judged(), 'improvements', 2))).toEqual([
    'mended',
    'other words',
    'untried',
    'a little worse',
    'broken',
    'no score',
    'equal',
  ])
  expect(names(inOrder(judged(), 'dataset', 2))).toEqual(names(ROWS))
})

test.each<[MatrixFilter, string[]]>([
  ['worse', ['a little worse', 'broken', 'no score']],
  ['better', ['mended']],
  ['differ', ['a little worse', 'broken', 'mended', 'other words', 'no score', 'untried']],
])('%s', (filter, expected) => {
  expect(names(judged().filter((row) => fits(row, filter)))).toEqual(expected)
})

test('of some scores less is better', () => {
  const rows = judged(['score'])
  expect(rows.find(({ digest }) => digest === 'a little worse')?.verdict).toMatchObject({ loss: 0 })
  expect(rows.find(({ digest }) => digest === 'mended')?.verdict.loss).toBe(1)
})

test('of one run the worst come first, and those that failed are known', () => {
  const rows = ROWS.map((row) => ({ ...row, cells: row.cells.slice(0, 1) }))
  const all = judge(rows, { columns: scoreColumns(rows), lowerIsBetter: new Set() })
  expect(names(inOrder(all, 'regressions', 1))[0]).toBe('mended')
  expect(names(inOrder(all, 'regressions', 1)).at(-1)).toBe('broken')
  expect(names(all.filter((row) => fits(row, 'failed')))).toEqual(['mended'])
})

test('trials of one example are told by their mean', () => {
  const first = cell({ ok: true, score: 1 }).trials
  const second = cell({ ok: false, score: 0.5 }).trials
  expect(Object.fromEntries(cellOf([...first, ...second]).scores)).toEqual({ ok: 0.5, score: 0.75 })
})

test('every leaf of what a scorer answers is a score', () => {
  expect(
    Object.fromEntries(
      trialScores(
        '{"exact": true, "judge": {"score": 1.50, "why": {"text": "so"}, "list": [1]}, "none": null}',
      ),
    ),
  ).toEqual({ exact: true, 'judge.score': 1.5, 'judge.why.text': 'so' })
  expect(trialScores('null').size).toBe(0)
})
