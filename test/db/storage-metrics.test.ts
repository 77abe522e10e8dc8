import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverHost } from '../../src/store/database/every-server.ts'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'
import { startTestServer, type TestServer } from '../harness.ts'

/** Metrics of ingest and of ClickHouse in `/metrics`. */

let proxy: FaultProxy
let server: TestServer

beforeAll(async () => {
  proxy = await startFaultProxy(process.env['HEDDLE_TEST_CLICKHOUSE_URL'] ?? '')
  server = await startTestServer(
    { clickhouseUrl: proxy.url, cluster: await clusterThrough(proxy.url), metricsProjects: 1 },
    { hasLargeRequestThread: true },
  )
})

afterAll(async () => {
  proxy.restore()
  await server.stop()
  await proxy.stop()
})

/** With `--cluster`, the file of a cluster whose first server is behind the proxy. */
async function clusterThrough(url: string): Promise<string | undefined> {
  const original = process.env['HEDDLE_TEST_CLUSTER']
  if (original === undefined) return undefined
  const topology = JSON.parse(await readFile(original, 'utf8')) as {
    shards: { replicas: { url: string }[] }[]
  }
  topology.shards[0]!.replicas[0]!.url = url
  const file = join(await mkdtemp(join(tmpdir(), 'heddle-cluster-')), 'cluster.json')
  await writeFile(file, JSON.stringify(topology))
  return file
}

/** The label of the first server, which only a cluster has. */
function serverLabel(): string {
  const { everyServer, settings } = server.heddle.deps.db
  return everyServer.length === 1 ? '' : `,server="${serverHost(settings.url)}"`
}

const start = (project_id: string, id: string, text = '') => ({
  start: { project_id, id, op_name: 'op', started_at: '2026-11-01T00:00:00Z', inputs: { text } },
})

async function metric(line: string): Promise<number | undefined> {
  const { status, text } = await server.send('/metrics')
  expect(status).toBe(200)
  const found = text.split('\n').find((other) => other.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

test('records and bytes are counted for the projects with series of their own, and together for others', async () => {
  await server.post('/call/start', start('acme/first', 'a'))
  await server.post('/call/start', start('acme/second', 'b'))
  await server.post('/call/start', start('acme/third', 'c'))
  expect(await metric('heddle_ingest_records_total{project="acme/first"}')).toBe(1)
  expect(await metric('heddle_ingest_records_total{project="other"}')).toBe(2)
  const bytes = JSON.stringify(start('acme/first', 'a')).length
  expect(await metric('heddle_ingest_bytes_total{project="acme/first"}')).toBe(bytes)
})

test('records that the thread for large requests stores are counted', async () => {
  const before = await metric('heddle_ingest_records_total{project="acme/first"}')
  await server.post('/call/start', start('acme/first', 'large', 'x'.repeat(3_000_000)))
  expect(await metric('heddle_http_large_requests_total{operation="call_start"}')).toBe(1)
  expect(await metric('heddle_ingest_records_total{project="acme/first"}')).toBe((before ?? 0) + 1)
})

test('parts and disks of ClickHouse are gauges', async () => {
  expect(await metric(`heddle_clickhouse_parts{table="projects"${serverLabel()}}`)).toBeGreaterThan(0)
  const free = await metric(`heddle_disk_free_bytes{disk="default"${serverLabel()}}`)
  expect(free).toBeGreaterThan(0)
  expect(await metric(`heddle_disk_total_bytes{disk="default"${serverLabel()}}`)).toBeGreaterThan(free ?? 0)
})

test('a repeated statement is a retry; metrics respond while ClickHouse does not', async () => {
  expect(await metric('heddle_clickhouse_retries_total')).toBe(0)
  const { db } = server.heddle.deps
  const id = ['d', 'e', 'f', 'g', 'h', 'i', 'j', 'k'].find(
    (each) => db.shardOfNewCall('acme/first', each) === 0,
  )
  proxy.disconnect()
  const write = server.post('/call/start', start('acme/first', id ?? ''))
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(await metric('heddle_clickhouse_retries_total')).toBeGreaterThan(0)
  proxy.restore()
  await write
})
