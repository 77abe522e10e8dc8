import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ClickHouseCluster, startClickHouseCluster } from '../../scripts/clickhouse-cluster.ts'
import { type ExternalClickHouse, startExternalClickHouse } from '../../scripts/external-clickhouse.ts'
import { uuidv7 } from '../../src/core/time/ids.ts'
import { systemClock } from '../../src/core/time/time.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { eventSummary, type LiveQuery, type LiveStream, openStream } from '../live-stream.ts'
import { waitUntil } from '../wait-until.ts'

/** The live feed on two shards of its own, of which one is killed and restarted. */
let directory: string
let cluster: ClickHouseCluster
let server: TestServer
let second: ExternalClickHouse
const open: LiveStream[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-live-'))
  cluster = await startClickHouseCluster(directory, 2)
  second = cluster.servers[1]!
  const clickhouseUrl = cluster.servers[0]!.url
  const clickhouse = { clickhouseUser: 'default', clickhousePassword: '' }
  server = await startTestServer({
    ...clickhouse,
    clickhouseUrl,
    cluster: cluster.file,
    retryWindowMs: 2_000,
  })
}, 120_000)

afterEach(async () => {
  for (const stream of open.splice(0)) await stream.close()
})

afterAll(async () => {
  await server?.stop()
  await cluster?.servers[0]?.stop()
  await second?.stop()
  await rm(directory, { recursive: true, force: true })
}, 60_000)

async function follow(project_id: string, query: LiveQuery = {}): Promise<LiveStream> {
  const stream = await openStream({ ...server, project_id }, query)
  open.push(stream)
  return stream
}

/** New ids of calls that belong to this shard. */
function newIds(project_id: string, shard: number, count: number): string[] {
  const ids: string[] = []
  while (ids.length < count) {
    const id = uuidv7(systemClock())
    if (server.heddle.deps.db.shardOfNewCall(project_id, id) === shard) ids.push(id)
  }
  return ids
}

async function write(project_id: string, ids: readonly string[]): Promise<void> {
  const started_at = new Date().toISOString()
  const call = { project_id, trace_id: 't', op_name: 'op', started_at, ended_at: started_at, summary: {} }
  const batch = ids.map((id) => ({ ...call, id, inputs: {}, output: 1 }))
  await server.post(`/v2/${project_id}/calls/complete`, { batch })
}

const eventsOf = (ids: readonly string[]): string[] => ids.flatMap((id) => [`start ${id}`, `end ${id}`])
const received = ({ events }: LiveStream): string[] => events.slice(1).map(eventSummary)

async function expectOnce(stream: LiveStream, ids: readonly string[]): Promise<void> {
  const all = await stream.waitForEvents(2 * ids.length)
  expect(all.toSorted()).toEqual(eventsOf(ids).toSorted())
}

test('every event of both shards arrives once, and resumes from any cursor miss and repeat none', async () => {
  const project_id = 'acme/cursors'
  const stream = await follow(project_id)
  const ids: string[] = []
  for (let i = 0; i < 4; i++) {
    const batch = [...newIds(project_id, 0, 2), ...newIds(project_id, 1, 2)]
    await write(project_id, batch)
    ids.push(...batch)
  }
  await expectOnce(stream, ids)
  expect(stream.cursor.split('_')).toHaveLength(2)
  const all = received(stream)
  for (const [i, { cursor }] of stream.events.entries()) {
    const rest = await follow(project_id, { cursor, follow: false })
    await rest.ended
    expect(received(rest).toSorted()).toEqual(all.slice(i).toSorted())
  }
}, 60_000)

test('a cursor of a single server is valid: the second shard starts at its time', async () => {
  const project_id = 'acme/grown'
  const first = newIds(project_id, 0, 2)
  const other = newIds(project_id, 1, 2)
  const stream = await follow(project_id)
  await write(project_id, first.slice(0, 1))
  await stream.waitForEvents(2)
  const cursor = stream.cursor.replace(/_.*$/, '')
  await write(project_id, [...first.slice(1), ...other])
  const resumed = await follow(project_id, { cursor })
  await expectOnce(resumed, [...first.slice(1), ...other])
}, 60_000)

test('while a shard is down, events of the other arrive; when it is back, none was lost', async () => {
  const project_id = 'acme/down'
  const stream = await follow(project_id)
  const early = newIds(project_id, 0, 1)
  await write(project_id, early)
  await stream.waitForEvents(2)
  const cursor = stream.events[1]!.cursor
  // Stored, and most likely not yet read by the feed.
  const before = newIds(project_id, 1, 3)
  await write(project_id, before)
  await second.kill()
  const during = newIds(project_id, 0, 3)
  await write(project_id, during)
  await waitUntil(() => eventsOf(during).every((event) => received(stream).includes(event)), 20_000)
  // Streams that open now begin with the first shard.
  const openedAt = performance.now()
  const resumed = await follow(project_id, { cursor })
  const fresh = await follow(project_id)
  expect(performance.now() - openedAt).toBeLessThan(10_000)
  const later = newIds(project_id, 0, 1)
  await write(project_id, later)
  for (const each of [resumed, fresh])
    await waitUntil(() => eventsOf(later).every((event) => received(each).includes(event)), 20_000)
  const incomplete = await server.send(`/api/v1/projects/${project_id}/live?follow=false&cursor=${cursor}`)
  expect(incomplete.status).toBe(503)

  const [port, nativePort] = [second.url, `tcp://${second.native}`].map((url) => Number(new URL(url).port))
  second = await startExternalClickHouse(join(directory, 'shard-2'), { port: port!, nativePort: nativePort! })
  const after = newIds(project_id, 1, 2)
  await write(project_id, after)
  await waitUntil(() => eventsOf(after).every((event) => received(fresh).includes(event)), 30_000)
  await expectOnce(stream, [...early, ...before, ...during, ...later, ...after])
  const missing = received(resumed).filter((event) => event.endsWith(early[0]!))
  expect(missing).toEqual([`end ${early[0]}`])
  const rest = received(resumed).filter((event) => !missing.includes(event))
  expect(rest.toSorted()).toEqual(eventsOf([...before, ...during, ...later, ...after]).toSorted())
  // It began without the second shard, so it has what was stored there shortly before, too.
  expect(
    received(fresh)
      .filter((event) => !eventsOf(before).includes(event))
      .toSorted(),
  ).toEqual(eventsOf([...later, ...after]).toSorted())
}, 180_000)
