import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ClickHouseCluster, startClickHouseCluster } from '../../scripts/clickhouse-cluster.ts'
import { PartialResult } from '../../src/core/concurrency/partial-result.ts'
import { ReadSlot } from '../../src/core/concurrency/read-slot.ts'
import { inRequest } from '../../src/core/concurrency/request-scope.ts'
import { Directory } from '../../src/service/access/directory.ts'
import { CachedAggregates } from '../../src/store/calls/read/cached-aggregates.ts'
import { inTimeRange, timeBucket } from '../../src/store/metrics/project-stats.ts'
import { from } from '../../src/store/query/scope.ts'
import { join as joinSql, sql } from '../../src/store/query/sql.ts'
import { assertsDuration } from '../duration.ts'
import { parseJsonLines, startTestServer, type TestResponse, type TestServer } from '../harness.ts'
import { waitUntil } from '../wait-until.ts'

/**
 * What clients get while a shard of a cluster is down: two shards as real processes of this file, killed (SIGKILL) or
 * paused (SIGSTOP).
 */

const PROJECT = 'acme/outage'
const CALLS_PER_SHARD = 20
const RETRY_WINDOW_MS = 15_000
/** A paused shard is noticed within this time: two pings of 3 s after 2 s, and some for a busy machine. */
const PAUSE_NOTICED_MS = 14_000
/** What does not wait for the shard that is down takes milliseconds; a busy machine needs more. */
const UNDELAYED_MS = 8_000
const ACCEPTS = { headers: { 'heddle-accept-partial': 'true' } }

let directory: string
let cluster: ClickHouseCluster
let settings: Parameters<typeof startTestServer>[0]
let server: TestServer

const call = (id: string, started_at = '2026-11-01T10:00:00Z') => ({
  project_id: PROJECT,
  id,
  trace_id: `trace-${id}`,
  op_name: 'op',
  started_at,
  ended_at: '2026-11-01T10:00:01Z',
  inputs: { a: 1 },
  output: 2,
})

/** Ids of calls that belong to this shard, from 0. */
function idsOf(shard: number, prefix: string, count: number): string[] {
  const { db } = server.heddle.deps
  const ids: string[] = []
  for (let n = 0; ids.length < count; n++)
    if (db.shardOfNewCall(PROJECT, `${prefix}-${n}`) === shard) ids.push(`${prefix}-${n}`)
  return ids
}

const write = (ids: readonly string[]): Promise<TestResponse> =>
  server.send(`/v2/${PROJECT}/calls/complete`, { batch: ids.map((id) => call(id)) })

async function store(ids: readonly string[]): Promise<void> {
  const { status, text } = await write(ids)
  if (status !== 200) throw new Error(text)
}

const read = (id: string, init?: RequestInit): Promise<TestResponse> =>
  server.send('/call/read', { project_id: PROJECT, id }, init)

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now()
  return [await work, performance.now() - startedAt]
}

async function restart(index: number): Promise<void> {
  await cluster.restart(index)
  await allUp()
}

const allUp = (): Promise<void> =>
  waitUntil(() => server.heddle.deps.db.unavailableShards.length === 0, 20_000)

const listed = async (init?: RequestInit): Promise<{ response: TestResponse; ids: string[] }> => {
  const response = await server.send('/calls/stream_query', { project_id: PROJECT }, init)
  const ids = response.status === 200 ? parseJsonLines<{ id: string }>(response.text).map(({ id }) => id) : []
  return { response, ids: ids.sort() }
}

/** A histogram, which is cached by time bucket. */
const histogram = async (): Promise<{ response: TestResponse; total: number }> => {
  const response = await server.send(
    `/api/v1/projects/${PROJECT}/metrics`,
    { start: '2026-11-01T00:00:00Z', end: '2026-11-02T00:00:00Z', bucket: 'hour', measures: ['count'] },
    ACCEPTS,
  )
  expect(response.status, response.text).toBe(200)
  const [group] = response.json['groups'] as { totals: { count: number } }[]
  return { response, total: group?.totals.count ?? 0 }
}

const HOURS = { start: 1_793_491_200_000_000n, end: 1_793_577_600_000_000n, seconds: 3_600, timezone: 'UTC' }

/** Counts calls by hour through a cache, in a request that accepts a partial result. */
async function countCached(aggregates: CachedAggregates): Promise<number> {
  const { db } = server.heddle.deps
  const start = Number(HOURS.start / 1_000_000n)
  const scope = {
    request_id: 'r',
    user_id: 'u',
    project_id: PROJECT,
    signal: undefined,
    slot: new ReadSlot(),
    partial: new PartialResult(),
  }
  const rows = await inRequest(scope, () =>
    aggregates.list({
      project_id: PROJECT,
      buckets: HOURS,
      bucketStarts: Array.from({ length: 24 }, (_, hour) => start + hour * HOURS.seconds),
      statement: () => sql`calls by hour`,
      read: (ranges) => {
        const times = ranges.map((range) => inTimeRange(sql`started_at`, range))
        const statement = sql`SELECT ${timeBucket(sql`started_at`, HOURS)} AS bucket, count() AS count
${from(PROJECT, 'calls')} AND (${joinSql(times, ' OR ')}) GROUP BY bucket`
        return db.rows<{ bucket: string; count: string }>(statement, { name: 'calls by hour', kind: 'scan' })
      },
    }),
  )
  scope.slot.close()
  return rows.reduce((sum, { count }) => sum + Number(count), 0)
}

/** Without a margin: rows inserted before the last reading are not read again, so a cached partial count would stay. */
let cachedOnce: CachedAggregates

let first: string[]
let second: string[]

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-shards-'))
  cluster = await startClickHouseCluster(directory, 2)
  settings = {
    cluster: cluster.file,
    clickhouseUser: 'default',
    clickhousePassword: '',
    retryWindowMs: RETRY_WINDOW_MS,
  }
  server = await startTestServer(settings)
  first = idsOf(0, 'c', CALLS_PER_SHARD)
  second = idsOf(1, 'c', CALLS_PER_SHARD)
  await store([...first, ...second])
  await server.post('/obj/create', { obj: { project_id: PROJECT, object_id: 'o', val: { a: 1 } } })
})

afterAll(async () => {
  await server?.stop()
  await cluster?.stop()
  await rm(directory, { recursive: true, force: true })
})

test('with all shards, nothing is marked', async () => {
  const { response, ids } = await listed(ACCEPTS)
  expect(ids).toEqual([...first, ...second].sort())
  expect(response.headers.get('heddle-partial')).toBeNull()
  const stats = await server.send('/calls/query_stats', { project_id: PROJECT }, ACCEPTS)
  expect(stats.json).not.toHaveProperty('partial')
  expect((await histogram()).total).toBe(2 * CALLS_PER_SHARD)
})

describe('the second shard is killed', () => {
  beforeAll(async () => {
    // Stored after the cache of the histogram was filled, and before the outage.
    const late = idsOf(1, 'late', 3)
    second.push(...late)
    await store(late)
    await cluster.servers[1]?.kill()
  })
  afterAll(async () => restart(1))

  test(
    'a list without the header waits for the shard, then fails and names it',
    assertsDuration,
    async () => {
      const [{ response }, ms] = await timed(listed())
      expect(response.status).toBe(503)
      expect(response.json['reason']).toMatch(/shard 2 is unavailable.*Heddle-Accept-Partial: true/)
      expect(response.json['unavailable_shards']).toEqual([2])
      expect(ms).toBeLessThan(2 * RETRY_WINDOW_MS)
      // A shard that has been down for that long is not waited for.
      const [again, againMs] = await timed(listed())
      expect(again.response.status).toBe(503)
      expect(againMs).toBeLessThan(UNDELAYED_MS)
    },
  )

  test('calls of the first shard are written and read as always', assertsDuration, async () => {
    const [id = ''] = idsOf(0, `w${performance.now()}`, 1)
    const [written, writtenMs] = await timed(write([id]))
    expect(written.status, written.text).toBe(200)
    first.push(id)
    expect(writtenMs).toBeLessThan(UNDELAYED_MS)
    const [found, foundMs] = await timed(read(id))
    expect(found.json['call']).toMatchObject({ id })
    expect(found.headers.get('heddle-partial')).toBeNull()
    expect(foundMs).toBeLessThan(UNDELAYED_MS)
  })

  test('a call of the second shard is unavailable, not missing', assertsDuration, async () => {
    for (const init of [{}, ACCEPTS]) {
      const [found, ms] = await timed(read(second[0] ?? '', init))
      expect(found.status).toBe(503)
      expect(found.json['reason']).toMatch(/^shard 2 is unavailable; retry the request/)
      expect(ms).toBeLessThan(UNDELAYED_MS)
    }
  })

  test('a list with the header is exactly the first shard, and marked', assertsDuration, async () => {
    const [{ response, ids }, ms] = await timed(listed(ACCEPTS))
    expect(response.status, response.text).toBe(200)
    expect(response.headers.get('heddle-partial')).toBe('2')
    expect(ids).toEqual([...first].sort())
    expect(ms).toBeLessThan(UNDELAYED_MS)
  })

  test('a JSON document is marked by a field too', async () => {
    const stats = await server.send('/calls/query_stats', { project_id: PROJECT }, ACCEPTS)
    expect(stats.headers.get('heddle-partial')).toBe('2')
    expect(stats.json).toMatchObject({ count: first.length, partial: { unavailable_shards: [2] } })
  })

  test('aggregates are marked, and not from the cache of complete ones', async () => {
    const { response, total } = await histogram()
    expect(response.json['partial']).toEqual({ unavailable_shards: [2] })
    expect(total).toBe(first.length)
  })

  test('what only the first shard has is complete', async () => {
    const objects = await server.send('/objs/query', { project_id: PROJECT }, ACCEPTS)
    expect(objects.status).toBe(200)
    expect(objects.headers.get('heddle-partial')).toBeNull()
    expect(objects.json['objs']).toHaveLength(1)
  })

  test('an export and a deletion are never partial', async () => {
    const path = `/api/v1/projects/${PROJECT}/export`
    const exported = await server.send(`${path}?what=calls&format=jsonl`, undefined, ACCEPTS)
    expect(exported.status, exported.text).toBe(503)
    const deleted = await server.send(
      '/calls/delete',
      { project_id: PROJECT, call_ids: [second[1]] },
      ACCEPTS,
    )
    expect(deleted.status, deleted.text).toBe(503)
  })

  test('of a mixed batch, the calls of the first shard are stored', assertsDuration, async () => {
    const [mine = ''] = idsOf(0, `m${performance.now()}`, 1)
    const [theirs = ''] = idsOf(1, 'm', 1)
    const writing = timed(write([mine, theirs]))
    // Others are not delayed.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const [other = ''] = idsOf(0, `n${performance.now()}`, 1)
    const [otherWritten, otherMs] = await timed(write([other]))
    expect(otherWritten.status).toBe(200)
    first.push(mine, other)
    expect(otherMs).toBeLessThan(UNDELAYED_MS)
    expect((await read(mine)).json['call']).toMatchObject({ id: mine })
    const [written, ms] = await writing
    expect(written.status).toBe(503)
    expect(ms).toBeGreaterThan(RETRY_WINDOW_MS - 5_000)
    expect(ms).toBeLessThan(2 * RETRY_WINDOW_MS)
  })

  test('the server is ready and names the shard', async () => {
    const ready = await server.send('/readyz')
    expect(ready.status).toBe(200)
    expect(ready.json).toEqual({ status: 'ready', unavailable_shards: [2] })
    const { text } = await server.send('/metrics')
    expect(text).toContain('heddle_shard_up{shard="1"} 1')
    expect(text).toContain('heddle_shard_up{shard="2"} 0')
  })

  // The last one: calls that are written later would make the cache read their hour again.
  test('a partial aggregate is not cached', async () => {
    cachedOnce = new CachedAggregates(server.heddle.deps.db, { maxRows: 1_000, marginMicros: 0n })
    expect(await countCached(cachedOnce)).toBe(first.length)
  })
})

test('when the shard is back, everything is complete again', async () => {
  const { response, ids } = await listed(ACCEPTS)
  expect(response.headers.get('heddle-partial')).toBeNull()
  expect(ids).toEqual([...first, ...second].sort())
  // Also what was stored there between the last reading of the cache and the outage.
  expect(await countCached(cachedOnce)).toBe(first.length + second.length)
  const { response: metrics, total } = await histogram()
  expect(metrics.json).not.toHaveProperty('partial')
  expect(total).toBe(first.length + second.length)
  expect((await server.send('/readyz')).json).toEqual({ status: 'ready' })
})

describe('the second shard is paused', () => {
  afterEach(async () => {
    cluster.servers[1]?.resume()
    await allUp()
  })

  test('a list is partial within seconds, and complete afterwards', assertsDuration, async () => {
    cluster.servers[1]?.pause()
    const reading = timed(listed(ACCEPTS))
    const byId = timed(read(second[0] ?? '', ACCEPTS))
    const [id = ''] = idsOf(0, `p${performance.now()}`, 1)
    const [written, writtenMs] = await timed(write([id]))
    expect(written.status).toBe(200)
    first.push(id)
    expect(writtenMs).toBeLessThan(UNDELAYED_MS)
    const [found, foundMs] = await timed(read(id))
    expect(found.status).toBe(200)
    expect(foundMs).toBeLessThan(UNDELAYED_MS)
    const [{ response, ids }, ms] = await reading
    expect(response.status, response.text).toBe(200)
    expect(response.headers.get('heddle-partial')).toBe('2')
    expect(ids.filter((each) => each !== id)).toEqual(first.filter((each) => each !== id).sort())
    expect(ms).toBeLessThan(PAUSE_NOTICED_MS)
    const [missing, missingMs] = await byId
    expect(missing.status).toBe(503)
    expect(missingMs).toBeLessThan(PAUSE_NOTICED_MS)
    // From now on nobody waits.
    const [next, nextMs] = await timed(listed(ACCEPTS))
    expect(next.ids).toEqual([...first].sort())
    expect(nextMs).toBeLessThan(UNDELAYED_MS)
    console.log(
      `paused shard: list ${Math.round(ms)} ms, by id ${Math.round(missingMs)} ms, next list ${Math.round(nextMs)} ms`,
    )
    cluster.servers[1]?.resume()
    await allUp()
    expect((await listed(ACCEPTS)).ids).toEqual([...first, ...second].sort())
  })
})

test(
  'the first shard is paused: requests wait until this is noticed, not for users and keys',
  assertsDuration,
  async () => {
    let nowMs = 0
    const users = new Directory(server.heddle.deps.db, () => nowMs)
    const snapshot = await users.current()
    cluster.servers[0]?.pause()
    try {
      // As after an earlier outage: too old, and not known yet that the shard is down again.
      nowMs = 60_000
      const [used, ms] = await timed(Promise.resolve(users.current()))
      expect(used).toBe(snapshot)
      expect(ms).toBeLessThan(PAUSE_NOTICED_MS)
    } finally {
      cluster.servers[0]?.resume()
      await allUp()
    }
  },
)

describe('the first shard is killed', () => {
  let nowMs = 0
  let directory: Directory
  let snapshot: unknown
  /** A node that has not had a request when the outage begins. */
  let newNode: TestServer

  beforeAll(async () => {
    newNode = await startTestServer({ ...settings, clickhouseDatabase: server.heddle.deps.db.name })
    directory = new Directory(server.heddle.deps.db, () => nowMs)
    snapshot = await directory.current()
    await cluster.servers[0]?.kill()
    await waitUntil(() => server.heddle.deps.db.unavailableShards.includes(1))
  })
  afterAll(async () => {
    // Without dropping the database.
    await newNode?.heddle.stop()
    await restart(0)
  })

  test('also a node that has just started writes calls of the second shard', assertsDuration, async () => {
    const [id = ''] = idsOf(1, `s${performance.now()}`, 1)
    const sent = newNode.send(`/v2/${PROJECT}/calls/complete`, { batch: [call(id)] })
    const [written, writtenMs] = await timed(sent)
    expect(written.status, written.text).toBe(200)
    second.push(id)
    expect(writtenMs).toBeLessThan(UNDELAYED_MS)
  })

  test('calls of the second shard are written, read and listed', assertsDuration, async () => {
    const [id = ''] = idsOf(1, `f${performance.now()}`, 1)
    const [written, writtenMs] = await timed(write([id]))
    expect(written.status, written.text).toBe(200)
    second.push(id)
    expect(writtenMs).toBeLessThan(UNDELAYED_MS)
    const [found, foundMs] = await timed(read(id))
    expect(found.json['call']).toMatchObject({ id })
    expect(foundMs).toBeLessThan(UNDELAYED_MS)
    const { response, ids } = await listed(ACCEPTS)
    expect(response.headers.get('heddle-partial')).toBe('1')
    expect(ids).toEqual([...second].sort())
  })

  test('what needs other tables is unavailable', assertsDuration, async () => {
    const feedback = { project_id: PROJECT, include_feedback: true }
    for (const [path, body] of [
      ['/calls/stream_query', feedback],
      ['/objs/query', { project_id: PROJECT }],
      ['/feedback/query', { project_id: PROJECT }],
    ] as const) {
      const [response, ms] = await timed(server.send(path, body, ACCEPTS))
      expect(response.status, path).toBe(503)
      expect(response.json['reason'], path).toMatch(/^shard 1 is unavailable/)
      expect(ms, path).toBeLessThan(UNDELAYED_MS)
    }
  })

  test('users and keys that were read before are accepted for a quarter of an hour', async () => {
    nowMs = 14 * 60_000
    expect(directory.current()).toBe(snapshot)
    nowMs = 16 * 60_000
    await expect(directory.current()).rejects.toThrow('ClickHouse is not responding')
    expect((await server.send('/readyz')).json).toEqual({ status: 'ready', unavailable_shards: [1] })
  })
})
