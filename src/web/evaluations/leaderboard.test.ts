import { expect, test } from 'vitest'
import type { CallListItem } from '../call/call-list-item.ts'
import { leaderboardColumns, leaderboardRows, sortLeaderboard } from './leaderboard.ts'
import type { Run } from './run.ts'
import { lineName, trends } from './trends.ts'

interface Recorded {
  readonly model: string
  readonly digest?: string
  readonly evaluation?: string
  readonly score?: number
  readonly latencyMs?: number
  readonly cost?: number
  readonly isPartial?: boolean
}

/** Runs with one score, newest first, a second apart. */
function runsOf(recorded: readonly Recorded[]): readonly Run[] {
  return recorded.map((each, i) => ({
    id: `run-${i}`,
    call: {
      started_at: new Date(1_000_000 - i * 1000).toISOString(),
      tokens: undefined,
      cost: each.cost,
      unpriced: each.isPartial === true ? ['local'] : [],
    } as unknown as CallListItem,
    name: each.model,
    evaluation: { name: each.evaluation ?? 'quality', digest: 'e' },
    model: { name: each.model, digest: each.digest ?? 'm' },
    scores: each.score === undefined ? [] : [{ name: 'exact', value: each.score, isShare: true }],
    modelLatencyMs: each.latencyMs,
    summaryText: undefined,
  }))
}

/** The values of a column by model, with `*` after the best. */
function column(
  recorded: readonly Recorded[],
  id: string,
  options: {
    readonly pick?: 'newest' | 'best'
    readonly hasVersions?: boolean
    readonly lower?: string[]
  } = {},
): Readonly<Record<string, string>> {
  const runs = runsOf(recorded)
  const columns = leaderboardColumns(runs, new Set(options.lower))
  const { pick = 'newest', hasVersions = false } = options
  const rows = leaderboardRows(runs, columns, { pick, hasVersions })
  return Object.fromEntries(
    rows.map((row) => {
      const cell = row.cells.get(id)
      return [row.id, cell === undefined ? 'not run' : `${cell.value}${cell.isBest ? '*' : ''}`]
    }),
  )
}

test('the newest run of a model that has scores counts', () => {
  const runs = [
    { model: 'a' },
    { model: 'a', score: 0.5 },
    { model: 'a', score: 0.9 },
    { model: 'b', score: 0.6 },
  ]
  expect(column(runs, 'quality:score:exact')).toEqual({ a: '0.5', b: '0.6*' })
})

test('the best run of a model counts, by the direction of the metric', () => {
  const runs = [
    { model: 'a', score: 0.5, latencyMs: 300 },
    { model: 'a', score: 0.9, latencyMs: 100 },
    { model: 'b', score: 0.6, latencyMs: 200 },
  ]
  expect(column(runs, 'quality:score:exact', { pick: 'best' })).toEqual({ a: '0.9*', b: '0.6' })
  expect(column(runs, 'quality:latency', { pick: 'best' })).toEqual({ a: '100*', b: '200' })
  expect(column(runs, 'quality:score:exact', { pick: 'best', lower: ['exact'] })).toEqual({
    a: '0.5*',
    b: '0.6',
  })
})

test('versions of a model have rows of their own', () => {
  const runs = [
    { model: 'a', digest: 'v1', score: 0.5 },
    { model: 'a', digest: 'v0', score: 0.9 },
  ]
  expect(column(runs, 'quality:score:exact', { hasVersions: true })).toEqual({
    'a:v1': '0.5',
    'a:v0': '0.9*',
  })
})

test('a lower bound is never the best cost, and hides it if it is smaller', () => {
  const known = [
    { model: 'a', cost: 2 },
    { model: 'b', cost: 3 },
  ]
  expect(column([...known, { model: 'c', cost: 2.5, isPartial: true }], 'quality:cost')).toEqual({
    a: '2*',
    b: '3',
    c: '2.5',
  })
  expect(column([...known, { model: 'c', cost: 1, isPartial: true }], 'quality:cost')).toEqual({
    a: '2',
    b: '3',
    c: '1',
  })
})

test('a model without a run of the evaluation has no value, and one value is not the best', () => {
  const runs = [
    { model: 'a', score: 0.5 },
    { model: 'b', evaluation: 'safety', score: 0.6 },
  ]
  expect(column(runs, 'quality:score:exact')).toEqual({ a: '0.5', b: 'not run' })
})

test('rows are sorted by a column, missing values last', () => {
  const runs = runsOf([
    { model: 'a', score: 0.5 },
    { model: 'b', cost: 1 },
    { model: 'c', score: 0.7 },
  ])
  const columns = leaderboardColumns(runs, new Set())
  const rows = leaderboardRows(runs, columns, { pick: 'newest', hasVersions: false })
  const sorted = (desc: boolean) =>
    sortLeaderboard(rows, { id: 'quality:score:exact', desc }).map(({ id }) => id)
  expect([sorted(true), sorted(false)]).toEqual([
    ['c', 'a', 'b'],
    ['a', 'c', 'b'],
  ])
})

test('a trend has the runs that have the metric, oldest first, and a line for each evaluation or model', () => {
  const runs = runsOf([
    { model: 'a', score: 0.5, cost: 1, isPartial: true },
    { model: 'b' },
    { model: 'b', score: 0 },
  ])
  const lines = (isPerModel: boolean) =>
    trends(runs, lineName(runs, isPerModel)).map(({ metric, series }) => ({
      metric: metric.id,
      lines: series.map(({ name, values, texts, total }) => ({ name, values, texts, total })),
    }))
  expect(lines(false)).toEqual([
    {
      metric: 'score:exact',
      lines: [{ name: 'quality', values: [0, 0.5], texts: ['0 %', '50 %'], total: '50 %' }],
    },
    { metric: 'cost', lines: [{ name: 'quality', values: [1], texts: ['≥ $1.00'], total: '≥ $1.00' }] },
  ])
  expect(lines(true)[0]?.lines).toEqual([
    { name: 'b', values: [0, null], texts: ['0 %', null], total: '0 %' },
    { name: 'a', values: [null, 0.5], texts: [null, '50 %'], total: '50 %' },
  ])
})
