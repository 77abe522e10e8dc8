import { expect, test } from 'vitest'
import { publishedColumns, readLeaderboard } from './published-leaderboard.ts'
import type { Run } from './run.ts'

const REF = 'weave:///admin/shop/object/quality:abc'

function boardOf(...columns: readonly object[]): string {
  return JSON.stringify({ name: 'board', description: 'Which one?', columns })
}

function runOf(digest: string, summary: unknown): Run {
  return { evaluation: { name: 'quality', digest }, summaryText: JSON.stringify(summary) } as Run
}

test('a published leaderboard reads the summaries of the evaluation version that it names', () => {
  const column = (scorer_name: string, summary_metric_path: string, should_minimize: boolean | null) => ({
    evaluation_object_ref: REF,
    scorer_name,
    summary_metric_path,
    should_minimize,
  })
  const board = readLeaderboard(
    boardOf(
      column('mentions', 'correct.true_fraction', null),
      column('Judge', 'helpful.mean', false),
      column('model_latency', 'mean', true),
      column('total', 'deeper.than.it.is', null),
      column('mentions', 'missing', null),
    ),
  )
  const run = runOf('abc', {
    mentions: { correct: { true_count: 4, true_fraction: 0.8 } },
    Judge: { helpful: { mean: 0.7 } },
    model_latency: { mean: 0.25 },
    total: 3,
  })
  expect(board.description).toBe('Which one?')
  expect(
    publishedColumns(board).map(({ label, kind, isLower, value }) => [label, kind, isLower, value(run)]),
  ).toEqual([
    ['mentions.correct', 'share', false, 0.8],
    ['Judge.helpful', 'score', false, 0.7],
    ['Model latency', 'duration', true, 250],
    ['total.deeper.than.it.is', 'score', false, 3],
    ['mentions.missing', 'score', false, undefined],
  ])
  const [first] = publishedColumns(board)
  expect([first?.isOf(run), first?.isOf(runOf('other', {}))]).toEqual([true, false])
})

test.each(['{}', '{"columns": null}', '{"columns": [1, {}, {"scorer_name": 2}]}'])(
  'a leaderboard without valid columns has none: %s',
  (val) => expect(readLeaderboard(val).columns).toEqual([]),
)
