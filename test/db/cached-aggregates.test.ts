import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { TimeBuckets } from '../../src/core/metrics/time-buckets.ts'
import { CachedAggregates } from '../../src/store/calls/read/cached-aggregates.ts'
import { listPricedUsage, type PricedRow } from '../../src/store/calls/read/stats.ts'
import { listBuckets } from '../../src/store/metrics/project-stats.ts'
import { useServer } from '../harness.ts'

/** Cached aggregates equal freshly computed ones, whatever is written in between. */
const server = useServer()

const DAY = 86_400_000_000n
const START = 1_767_225_600_000_000n
const DAYS = 5

const callAt = (project_id: string, n: number, tokens: number): object => ({
  project_id,
  id: `call-${n}`,
  trace_id: `trace-${n}`,
  op_name: 'op',
  started_at: new Date(Number(START / 1000n) + ((n * 7_919_993) % (DAYS * 86_400_000))).toISOString(),
  ended_at: '2026-02-01T00:00:00Z',
  attributes: {},
  inputs: {},
  summary: { usage: { [`model-${n % 3}`]: { prompt_tokens: tokens, completion_tokens: 1 } } },
})

const days = (first: bigint, last: bigint, timezone = 'UTC'): TimeBuckets => ({
  start: START + first,
  end: START + last,
  seconds: 86_400,
  timezone,
})

type Sum = [bucket: string, model: string, prompt: number, count: number]

/** Adds the rows of each bucket and model, and sorts the sums. */
function summed(rows: readonly PricedRow[]): Sum[] {
  const aggregates = new Map<string, Sum>()
  for (const { bucket, model, prompt_sum, count } of rows) {
    const key = `${bucket} ${model}`
    const [, , prompt, calls] = aggregates.get(key) ?? ['', '', 0, 0]
    aggregates.set(key, [bucket, model, prompt + Number(prompt_sum), calls + Number(count)])
  }
  return [...aggregates.values()].toSorted((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1))
}

async function readSums(
  aggregates: CachedAggregates | undefined,
  project_id: string,
  buckets: TimeBuckets,
): Promise<Sum[]> {
  const { db } = server.heddle.deps
  const bucketStarts = await listBuckets(db, buckets)
  const selection = { project_id, filter: undefined, buckets, changes: [START + DAY] }
  return summed(await listPricedUsage(db, selection, aggregates && { aggregates, bucketStarts }))
}

const complete = (project: string, batch: object[]): Promise<unknown> =>
  server.post(`/v2/${project}/calls/complete`, { batch })

beforeAll(async () => {
  await complete(
    'acme/cached',
    Array.from({ length: 60 }, (_, n) => callAt('acme/cached', n, 10)),
  )
})

test('only buckets with new rows, and the partial buckets at both ends, are read again', async () => {
  const { db } = server.heddle.deps
  const read: string[] = []
  const buckets = days(DAY / 2n, 4n * DAY + DAY / 2n)
  const bucketStarts = await listBuckets(db, buckets)
  const list = (aggregates: CachedAggregates): Promise<unknown> =>
    aggregates.list({
      project_id: 'acme/cached',
      buckets,
      bucketStarts,
      statement: () => ({ parts: ['a statement'] }),
      read: async (stretches) => {
        read.push(
          stretches
            .map(({ start, end }) => `${((start - START) * 2n) / DAY}-${((end - START) * 2n) / DAY}`)
            .join(' '),
        )
        return Promise.resolve([])
      },
    })
  const withoutMargin = new CachedAggregates(db, { maxRows: 1_000, marginMicros: 0n })
  await list(withoutMargin)
  await list(withoutMargin)
  expect(read.splice(0)).toEqual(['1-9', '1-2 8-9'])
  const started_at = new Date(Number((START + 3n * DAY) / 1000n)).toISOString()
  await complete('acme/cached', [{ ...callAt('acme/cached', 900, 1), started_at }])
  await list(withoutMargin)
  expect(read.splice(0)).toEqual(['1-2 6-9'])
  // All rows were written just now: an insert that started then could still be in progress, so nothing is cached.
  const withMargin = new CachedAggregates(db)
  await list(withMargin)
  await list(withMargin)
  expect(read.splice(0)).toEqual(['1-9', '1-9'])
})

test(
  'cached aggregates stay correct while calls are written, sent again and deleted',
  { timeout: 300_000 },
  async () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant('complete' as const), n: fc.nat(99), tokens: fc.nat(1_000) }),
      fc.record({ kind: fc.constant('delete' as const), n: fc.nat(99), tokens: fc.constant(0) }),
      fc.record({ kind: fc.constant('merge' as const), n: fc.constant(0), tokens: fc.constant(0) }),
    )
    const buckets = fc.constantFrom(
      days(0n, 5n * DAY),
      days(DAY / 3n, 4n * DAY),
      days(0n, 5n * DAY, 'Asia/Kathmandu'),
      { ...days(0n, 5n * DAY), seconds: 7_200 },
    )
    let projects = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(change, buckets), { minLength: 3, maxLength: 12 }),
        async (steps) => {
          const project_id = `acme/cached-${projects++}`
          const aggregates = new CachedAggregates(server.heddle.deps.db, { maxRows: 200, marginMicros: 0n })
          for (const [{ kind, n, tokens }, requested] of steps) {
            if (kind === 'complete') await complete(project_id, [callAt(project_id, n, tokens)])
            if (kind === 'delete') await server.post('/calls/delete', { project_id, call_ids: [`call-${n}`] })
            if (kind === 'merge') await server.heddle.deps.db.ddl('OPTIMIZE TABLE calls FINAL')
            expect(await readSums(aggregates, project_id, requested)).toEqual(
              await readSums(undefined, project_id, requested),
            )
          }
        },
      ),
      { numRuns: 12 },
    )
  },
)
