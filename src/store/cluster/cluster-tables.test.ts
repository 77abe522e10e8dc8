import { expect, test } from 'vitest'
import { selectChangedBuckets } from '../calls/read/cached-aggregates.ts'
import { selectBoundary } from '../calls/read/page-boundary.ts'
import { selectRowCount } from '../objects/tables.ts'
import { from, fromLiveLog, fromProjects } from '../query/scope.ts'
import { sql } from '../query/sql.ts'
import { readsAllShards } from './cluster-tables.ts'

const BUCKETS = { calendar: 'hour', timezone: 'UTC', start: 0n, end: 1n } as unknown as Parameters<
  typeof selectChangedBuckets
>[1]

test.each([
  ['calls', selectBoundary('acme/bot', [sql`1`], 'asc', 10)],
  ['calls and a table of the first shard', selectChangedBuckets('acme/bot', BUCKETS, 0n)],
  [
    'calls in a subquery',
    sql`SELECT 1 ${from('acme/bot', 'feedback')} AND id IN (SELECT id ${from('acme/bot', 'calls')})`,
  ],
  ['call ids', sql`SELECT 1 ${fromProjects('call_ids', [])}`],
  ['the live log', sql`SELECT 1 ${fromLiveLog(['acme/bot'], sql`1`)}`],
])('%s need every shard', (_name, statement) => {
  expect(readsAllShards(statement)).toBe(true)
})

test.each([
  ['tables', selectRowCount('acme/bot', 'd')],
  [
    'feedback about calls',
    sql`SELECT count() AS calls ${from('acme/bot', 'feedback')} AND weave_ref = ${'FROM calls'}`,
  ],
])('%s need the first shard only', (_name, statement) => {
  expect(readsAllShards(statement)).toBe(false)
})
