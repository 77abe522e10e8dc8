import { beforeAll, describe, expect, test } from 'vitest'
import { monthOf } from '../../src/store/calls/write/months.ts'
import { parseTime } from '../../src/core/time/time.ts'
import { fromAllVersions } from '../../src/store/query/scope.ts'
import { sql } from '../../src/store/query/sql.ts'
import { assertsDuration } from '../duration.ts'
import { type TestResponse, useServer } from '../harness.ts'

/** Calls of many months: each month is a part for ClickHouse, so they must not delay those who write the present one. */

const server = useServer()

const MONTHS = Array.from(
  { length: 360 },
  (_, i) => `${2020 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}-05T00:00:00Z`,
)

const start = (project_id: string, id: string, started_at: string) => ({
  project_id,
  id,
  op_name: 'op',
  started_at,
})

function everyMonth(project_id: string, prefix = ''): object {
  return {
    batch: MONTHS.map((started_at, i) => ({
      mode: 'start',
      req: { start: start(project_id, `${prefix}${i}`, started_at) },
    })),
  }
}

async function count(project_id: string): Promise<number> {
  return (await server.post<{ count: number }>('/calls/query_stats', { project_id })).count
}

test('the month of a call is its partition', async () => {
  const times = [
    ...MONTHS,
    '1900-01-01T00:00:00Z',
    '2019-12-31T23:59:59.999999Z',
    '2050-01-01T00:00:00Z',
    '2299-12-31T00:00:00Z',
  ]
  await server.post('/call/upsert_batch', {
    batch: times.map((time, i) => ({ mode: 'start', req: { start: start('acme/months', `${i}`, time) } })),
  })
  const rows = await server.heddle.deps.db.rows<{ id: string; month: string }>(
    sql`SELECT id, _partition_id AS month ${fromAllVersions('acme/months', 'calls')}`,
    { name: 'test', kind: 'scan' },
  )
  expect(rows).toHaveLength(times.length)
  for (const { id, month } of rows) expect(monthOf(parseTime(times[Number(id)]!)!)).toBe(Number(month))
})

test('ends and deletions of calls of many months are stored', async () => {
  const project_id = 'acme/changed-months'
  const months = MONTHS.slice(0, 40)
  const ids = months.map((_, i) => `${i}`)
  await server.post('/call/upsert_batch', {
    batch: ids.map((id, i) => ({ mode: 'start', req: { start: start(project_id, id, months[i]!) } })),
  })
  const end = (id: string) => ({ project_id, id, ended_at: '2050-01-01T00:00:00Z', output: id })
  await server.post('/call/upsert_batch', {
    batch: ids.map((id) => ({ mode: 'end', req: { end: end(id) } })),
  })
  const { calls } = await server.post<{ calls: { id: string; output: string }[] }>('/calls/query', {
    project_id,
  })
  expect(calls.map(({ output }) => output).sort()).toEqual([...ids].sort())
  await server.post('/calls/delete', { project_id, call_ids: ids })
  expect(await count(project_id)).toBe(0)
})

describe('a storm of calls of many months', () => {
  const NEIGHBOUR = 'acme/neighbour'
  const now = new Date().toISOString()
  let serial = 0

  /** The slowest of single writes for so long, in ms. */
  async function slowestWrite(ms: number): Promise<number> {
    let slowest = 0
    for (const until = performance.now() + ms; performance.now() < until;) {
      const began = performance.now()
      await server.post('/call/start', { start: start(NEIGHBOUR, `n${serial++}`, now) })
      slowest = Math.max(slowest, performance.now() - began)
    }
    return slowest
  }

  beforeAll(async () => {
    await slowestWrite(500)
  })

  test('does not delay its neighbours', assertsDuration, async () => {
    const project_id = `acme/storm-${serial++}`
    const began = performance.now()
    const storm = { ms: 0 }
    const sendStorm = async (): Promise<void> => {
      await server.post('/call/upsert_batch', everyMonth(project_id))
      storm.ms = performance.now() - began
    }
    const stored = sendStorm()
    let slowest = 0
    while (storm.ms === 0) slowest = Math.max(slowest, await slowestWrite(100))
    await stored
    expect(await count(project_id)).toBe(MONTHS.length)
    // All in one insert, the neighbour waits as long as the storm.
    expect(slowest).toBeLessThan(storm.ms / 3)
  })

  test('is refused for a while if it goes on, and the neighbour is not', async () => {
    const project_id = 'acme/storms'
    const storms: Promise<TestResponse>[] = []
    for (const prefix of ['a-', 'b-']) {
      storms.push(server.send('/call/upsert_batch', everyMonth(project_id, prefix)))
      // Two writes later the batch with the storm has begun.
      for (let i = 0; i < 2; i++)
        await server.post('/call/start', { start: start(NEIGHBOUR, `after-${prefix}${i}`, now) })
    }
    const next = await server.send('/call/upsert_batch', everyMonth(project_id, 'next-'))
    expect(next.status).toBe(429)
    expect(Number(next.headers.get('retry-after'))).toBeGreaterThan(0)
    // Its calls of the present are stored.
    await server.post('/call/start', { start: start(project_id, 'now', now) })
    await server.post('/call/start', { start: start(NEIGHBOUR, 'old', '2021-01-05T00:00:00Z') })
    const stored = (await Promise.all(storms)).filter(({ status }) => status === 200).length
    expect(stored).toBeGreaterThan(0)
    expect(await count(project_id)).toBeGreaterThanOrEqual(stored * MONTHS.length + 1)
  })
})
