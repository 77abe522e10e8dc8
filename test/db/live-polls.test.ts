import { afterEach, describe, expect, test } from 'vitest'
import type { LiveEvent } from '../../src/contract/live/live.ts'
import { formatTime } from '../../src/core/time/time.ts'
import { LiveFeed } from '../../src/service/live/live-feed.ts'
import { Database } from '../../src/store/database/database.ts'
import { sql } from '../../src/store/query/sql.ts'
import { assertsDuration } from '../duration.ts'
import { useServer } from '../harness.ts'
import { projectPath } from '../project-path.ts'
import { waitUntil } from '../wait-until.ts'

/** The cost of following many projects, and what one user's streams mean for others. */
const server = useServer()
const cleanups: (() => void | Promise<void>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** A live feed on the database of the server that counts its statements by name. */
function countingFeed(): { feed: LiveFeed; counts: Map<string, number> } {
  const counts = new Map<string, number>()
  const log = (line: object): void => {
    const { name } = line as { name: string }
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const slowQueryLog = { thresholdMs: Number.MIN_VALUE, withValues: false, log }
  const db = new Database({ ...server.heddle.deps.db.settings, slowQueryLog })
  const feed = new LiveFeed(db, { maxStreamsPerUser: 1_000 })
  cleanups.push(
    () => db.close(),
    () => feed.close(),
  )
  return { feed, counts }
}

/** Follows a project; resolves once the stream is open. */
async function follow(feed: LiveFeed, project_id: string, cursor?: string): Promise<LiveEvent[]> {
  const batches = feed
    .follow({ ...projectPath(project_id), project_id, cursor }, 'ann')
    .batches[Symbol.asyncIterator]()
  const events: LiveEvent[] = [...((await batches.next()).value as LiveEvent[])]
  void (async () => {
    for (let next = await batches.next(); next.done !== true; next = await batches.next())
      events.push(...next.value.filter(({ kind }) => kind !== 'heartbeat'))
  })()
  return events
}

const STARTED = formatTime(BigInt(Date.now()) * 1000n - 1_000_000n)

async function writeCalls(project_id: string, ids: readonly string[]): Promise<void> {
  const batch = ids.map((id) => ({
    mode: 'start',
    req: { start: { project_id, id, trace_id: 't', op_name: 'answer', started_at: STARTED, inputs: {} } },
  }))
  await server.post('/call/upsert_batch', { batch })
}

const startedIds = (events: readonly LiveEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'start' ? [event.id] : []))

const projects = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `acme/${prefix}-${i}`)

describe('statements', () => {
  test('200 streams on 200 projects open with few statements and need one poll per interval', async () => {
    const { feed, counts } = countingFeed()
    const followed = projects('many', 200)
    const streams = await Promise.all(followed.map((project_id) => follow(feed, project_id)))
    expect(counts.get('live log end')).toBeLessThanOrEqual(5)
    counts.clear()
    const startedAt = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const polls = counts.get('live log') ?? 0
    expect(polls).toBeGreaterThan(0)
    expect(polls).toBeLessThanOrEqual(Math.ceil((performance.now() - startedAt) / 250) + 1)
    expect([...counts.keys()]).toEqual(['live log'])
    // Each stream gets the events of its own project.
    const written = [3, 77, 199]
    for (const i of written) await writeCalls(followed[i]!, [`a-${i}`, `b-${i}`])
    await waitUntil(() => written.every((i) => streams[i]!.length === 3))
    expect(streams.map(startedIds)).toEqual(
      followed.map((_, i) => (written.includes(i) ? [`a-${i}`, `b-${i}`] : [])),
    )
  }, 30_000)

  test('a project with many rows is read to its end, in order, without delaying the others', async () => {
    const { feed } = countingFeed()
    const [busy, ...quiet] = projects('busy', 50)
    const [busyEvents, ...quietEvents] = await Promise.all(
      [busy!, ...quiet].map((project_id) => follow(feed, project_id)),
    )
    const rows = 6_000
    await server.heddle.deps.db.command(
      sql`INSERT INTO calls (project_id, id, started_at, version, start_version)
SELECT ${busy!}, leftPad(toString(number), 6, '0'), now64(6), 1, 1 FROM numbers(${rows})`,
      'fill',
    )
    for (const [i, project_id] of quiet.entries()) if (i % 10 === 0) await writeCalls(project_id, ['q'])
    await waitUntil(() => quiet.every((_, i) => i % 10 !== 0 || quietEvents[i]!.length === 2))
    await waitUntil(() => busyEvents!.length === rows + 1, 30_000)
    const ids = startedIds(busyEvents!)
    expect(new Set(ids).size).toBe(rows)
    expect(ids).toEqual(ids.toSorted())
  }, 60_000)

  test('streams resume from their own cursors while others follow the same project', async () => {
    const { feed } = countingFeed()
    const [project_id] = projects('resumed', 1)
    const first = await follow(feed, project_id!)
    for (let i = 0; i < 5; i++) await writeCalls(project_id!, [`r${i}`])
    await waitUntil(() => first.length === 6)
    const resumed = await Promise.all(
      first.map(async ({ cursor }, i) => {
        const events = await follow(feed, project_id!, cursor)
        await waitUntil(() => events.length === 6 - i)
        return startedIds(events)
      }),
    )
    expect(resumed).toEqual(first.map((_, i) => startedIds(first).slice(i)))
  }, 30_000)
})

describe('users', () => {
  const openLive = async (authorization: string, project: string): Promise<Response> => {
    const abort = new AbortController()
    cleanups.push(() => abort.abort())
    const url = `${server.url}/api/v1/projects/acme/${project}/live`
    return fetch(url, { headers: { authorization }, signal: abort.signal })
  }

  test('a user has 100 streams at most, over all projects; another user is not affected', async () => {
    const eve = await server.user('eve', { acme: 'read' })
    const bob = await server.user('bob', { acme: 'read' })
    const opened = await Promise.all(
      Array.from({ length: 104 }, (_, i) => openLive(eve, `limited-${i % 30}`)),
    )
    const statuses = opened.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(100)
    const rejected = opened.find(({ status }) => status === 429)
    expect(rejected?.headers.get('retry-after')).toBe('10')
    expect(await rejected?.json()).toMatchObject({
      code: 'rate_limited',
      reason: expect.stringContaining('100 live streams of this user are open') as string,
    })
    expect((await openLive(bob, 'limited-0')).status).toBe(200)
    // A closed stream can be replaced by another.
    for (const cleanup of cleanups.splice(0, 10)) await cleanup()
    await waitUntil(async () => (await openLive(eve, 'limited-0')).status === 200)
  }, 60_000)

  test(
    'a hundred streams of one user on a hundred projects do not delay the writes and reads of another',
    { ...assertsDuration, timeout: 60_000 },
    async () => {
      const eve = await server.user('mallory', { acme: 'read' })
      const write = async (): Promise<number> => {
        const startedAt = performance.now()
        await writeCalls('other/victim', ['v'])
        await server.post('/call/read', { project_id: 'other/victim', id: 'v' })
        return performance.now() - startedAt
      }
      const measure = async (): Promise<number> => {
        const times: number[] = []
        for (let i = 0; i < 9; i++) times.push(await write())
        return times.toSorted((a, b) => a - b)[4]!
      }
      await write()
      const alone = await measure()
      await Promise.all(projects('crowd', 100).map((id) => openLive(eve, id.slice('acme/'.length))))
      expect(await measure()).toBeLessThan(Math.max(500, 4 * alone))
    },
  )
})
