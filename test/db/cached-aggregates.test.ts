import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { TimeBuckets } from '../../src/core/metrics/time-buckets.ts'
import { KeptSums } from '../../src/store/calls/cached-aggregates.ts'
import { listPricedUsage, type PricedRow } from '../../src/store/calls/stats.ts'
import { listBuckets } from '../../src/store/metrics/project-stats.ts'
import { useServer } from '../harness.ts'

/** Sums that are kept are those that would be worked out, whatever is written in between. */
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

/** In an order, and with what is apart for one place put together. */
function summed(rows: readonly PricedRow[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const { bucket, model, prompt_sum, count } of rows) {
    const key = `${bucket} ${model}`
    const [, , prompt, calls] = sums.get(key) ?? ['', '', 0, 0]
    sums.set(key, [bucket, model, prompt + Number(prompt_sum), calls + Number(count)])
  }
  return [...sums.values()].toSorted((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1))
}

async function ask(sums: KeptSums | undefined, project_id: string, buckets: TimeBuckets): Promise<Sum[]> {
  const { db } = server.heddle.deps
  const times = await listBuckets(db, buckets)
  const selection = { project_id, filter: undefined, buckets, changes: [START + DAY] }
  return summed(await listPricedUsage(db, selection, sums && { sums, times }))
}

const complete = (project: string, batch: object[]): Promise<unknown> =>
  server.post(`/v2/${project}/calls/complete`, { batch })

beforeAll(async () => {
  await complete(
    'acme/kept',
    Array.from({ length: 60 }, (_, n) => callAt('acme/kept', n, 10)),
  )
})

test('only what is new, and what lies at the ends, is read again', async () => {
  const { db } = server.heddle.deps
  const read: string[] = []
  const buckets = days(DAY / 2n, 4n * DAY + DAY / 2n)
  const times = await listBuckets(db, buckets)
  const list = (sums: KeptSums): Promise<unknown> =>
    sums.list({
      project_id: 'acme/kept',
      buckets,
      times,
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
  const settled = new KeptSums(db, { maxRows: 1_000, margin: 0n })
  await list(settled)
  await list(settled)
  expect(read.splice(0)).toEqual(['1-9', '1-2 8-9'])
  const started_at = new Date(Number((START + 3n * DAY) / 1000n)).toISOString()
  await complete('acme/kept', [{ ...callAt('acme/kept', 900, 1), started_at }])
  await list(settled)
  expect(read.splice(0)).toEqual(['1-2 6-9'])
  // All of it was written just now: an insert that began then could still be under way.
  const usual = new KeptSums(db)
  await list(usual)
  await list(usual)
  expect(read.splice(0)).toEqual(['1-9', '1-9'])
})

test('while calls begin, end late, are sent again and are deleted', { timeout: 300_000 }, async () => {
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
    fc.asyncProperty(fc.array(fc.tuple(change, buckets), { minLength: 3, maxLength: 12 }), async (steps) => {
      const project_id = `acme/kept-${projects++}`
      const sums = new KeptSums(server.heddle.deps.db, { maxRows: 200, margin: 0n })
      for (const [{ kind, n, tokens }, asked] of steps) {
        if (kind === 'complete') await complete(project_id, [callAt(project_id, n, tokens)])
        if (kind === 'delete') await server.post('/calls/delete', { project_id, call_ids: [`call-${n}`] })
        if (kind === 'merge') await server.heddle.deps.db.ddl('OPTIMIZE TABLE calls FINAL')
        expect(await ask(sums, project_id, asked)).toEqual(await ask(undefined, project_id, asked))
      }
    }),
    { numRuns: 12 },
  )
})
