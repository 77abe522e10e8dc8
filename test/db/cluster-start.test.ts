import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClickHouseCluster, startClickHouseCluster } from '../../scripts/clickhouse-cluster.ts'
import { uuidv7 } from '../../src/core/time/ids.ts'
import { systemClock } from '../../src/core/time/time.ts'
import { startTestServer } from '../harness.ts'
import { waitUntil } from '../wait-until.ts'

/** Two shards of its own, because it stops them. */
let directory: string
let cluster: ClickHouseCluster

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-cluster-start-'))
  cluster = await startClickHouseCluster(directory, 2)
})

afterAll(async () => {
  await cluster.stop()
  await rm(directory, { recursive: true, force: true })
})

test('a node starts while a shard is down, and prepares it when it is back', async () => {
  await cluster.servers[1]?.kill()
  const server = await startTestServer({
    cluster: cluster.file,
    clickhouseUrl: undefined,
    clickhouseUser: 'default',
    clickhousePassword: '',
    retryWindowMs: 1_000,
  })
  const { db } = server.heddle.deps
  const write = async (shard: number) => {
    const id = newIdOn(shard)
    const start = {
      project_id: 'acme/demo',
      id,
      trace_id: id,
      op_name: 'test',
      started_at: '2026-11-17T10:00:00Z',
    }
    const { status } = await server.send('/call/start', { start: { ...start, attributes: {}, inputs: {} } })
    return { id, status }
  }
  const newIdOn = (shard: number): string => {
    for (;;) {
      const id = uuidv7(systemClock())
      if (db.shardOfNewCall('acme/demo', id) === shard) return id
    }
  }
  const first = await write(0)
  expect(first.status).toBe(200)
  expect((await server.send('/call/read', { project_id: 'acme/demo', id: first.id })).status).toBe(200)
  expect((await write(1)).status).toBe(503)

  await cluster.restart(1)
  await waitUntil(async () => (await db.shards[1]?.ping()) === true, 30_000)
  await waitUntil(async () => (await write(1)).status === 200, 30_000)
  const { status, json } = await server.send('/calls/query_stats', { project_id: 'acme/demo' })
  expect(status).toBe(200)
  expect(json['count']).toBeGreaterThanOrEqual(2)
  await server.heddle.stop()
})
