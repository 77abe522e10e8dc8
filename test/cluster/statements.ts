import { ok, strictEqual } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readTopology } from '../../src/app/cluster-file.ts'
import { Placement } from '../../src/core/cluster/placement.ts'
import { uuidv7 } from '../../src/core/time/ids.ts'
import { systemClock } from '../../src/core/time/time.ts'
import { startClusterNodes } from '../cluster-nodes.ts'

/**
 * Which shards a request uses, by ClickHouse's own counters: an ingest request and a read by id use the shard of the call
 * only, a list uses every shard.
 */
const REQUESTS = 100
const LISTS = 20
const PROJECT = 'admin/statements'

/** Statements that a server has run: inserts, and selects including those that another server sent to it. */
interface Counts {
  inserts: number
  selects: number
}

export interface StatementCheck {
  readonly name: string
  readonly error: string | undefined
}

export async function checkStatements(print: (line: string) => void): Promise<StatementCheck[]> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-statements-'))
  const apiKey = `hd_${randomBytes(24).toString('hex')}`
  const cluster = await startClusterNodes({ directory, adminPassword: apiKey, apiKey })
  const [node] = cluster.nodes
  const { shards } = readTopology(cluster.clickhouse.file)
  const placement = new Placement(shards)
  const headers = { authorization: `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}` }

  const post = async (path: string, body: object): Promise<string> => {
    const response = await fetch(node.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${text}`)
    return text
  }
  const idsOf = (shard: number): string[] => {
    const ids: string[] = []
    while (ids.length < REQUESTS) {
      const id = uuidv7(systemClock())
      if (placement.newCall(PROJECT, id) === shard) ids.push(id)
    }
    return ids
  }
  /** The statements of all requests on each shard, one request after the other. */
  const countOf = async <T>(items: readonly T[], send: (item: T) => Promise<unknown>) => {
    const before = await readCounts(shards.map(({ replicas }) => replicas[0].url))
    const startedAt = performance.now()
    for (const item of items) await send(item)
    const seconds = (performance.now() - startedAt) / 1000
    const after = await readCounts(shards.map(({ replicas }) => replicas[0].url))
    const counts = after.map(({ inserts, selects }, shard) => ({
      inserts: inserts - before[shard]!.inserts,
      // One select reads the counters.
      selects: selects - before[shard]!.selects - 1,
    }))
    return { counts, seconds }
  }
  const write = (id: string): Promise<string> =>
    post(`/v2/${PROJECT}/calls/complete`, { batch: [completeCall(id)] })
  const read = (id: string): Promise<string> => post('/call/read', { project_id: PROJECT, id })
  const list = (): Promise<string> => post('/calls/query_stats', { project_id: PROJECT })

  const checks: StatementCheck[] = []
  const check = async (name: string, run: () => Promise<void>): Promise<void> => {
    const error = await run().then(
      () => undefined,
      (reason: unknown) => String(reason),
    )
    checks.push({ name, error })
    print(
      `${error === undefined ? 'ok   ' : 'FAIL '} statements: ${name}${error === undefined ? '' : `\n${error}`}`,
    )
  }
  try {
    // The first request creates the project and fills caches.
    await write(uuidv7(systemClock()))
    await list()
    const idle = await countOf([IDLE_MS], sleep)
    print(`idle: ${describe(idle.counts)} in ${IDLE_MS / 1000} s`)
    const checkOthers = (counts: readonly Counts[], shard: number, seconds: number): void => {
      for (const [other, { inserts, selects }] of counts.entries()) {
        if (other === shard) continue
        const own = (idle.counts[other]!.selects * seconds * 1000) / IDLE_MS
        const message = `shard ${other + 1} got ${inserts} inserts and ${selects} selects, idle ${own.toFixed(0)}`
        ok(inserts < REQUESTS / 10 && selects < own * 1.5 + REQUESTS / 2, message)
      }
    }
    const ids = shards.map((_, shard) => idsOf(shard))
    for (const [shard, own] of ids.entries()) {
      const label = `shard ${shard + 1}`
      await check(`${REQUESTS} writes of calls of ${label} use no other shard`, async () => {
        const { counts, seconds } = await countOf(own, write)
        print(`      ${describe(counts)} in ${seconds.toFixed(1)} s`)
        ok(counts[shard]!.inserts >= REQUESTS, `${label} got ${counts[shard]!.inserts} inserts`)
        checkOthers(counts, shard, seconds)
      })
      await check(`${REQUESTS} reads by id of ${label} use no other shard`, async () => {
        const { counts, seconds } = await countOf(own, read)
        print(`      ${describe(counts)} in ${seconds.toFixed(1)} s`)
        ok(counts[shard]!.selects >= REQUESTS, `${label} got ${counts[shard]!.selects} selects`)
        checkOthers(counts, shard, seconds)
      })
    }
    await check(`${LISTS} counts of calls use every shard`, async () => {
      const { counts, seconds } = await countOf(ids[0]!.slice(0, LISTS), list)
      print(`      ${describe(counts)} in ${seconds.toFixed(1)} s`)
      for (const { selects } of counts) ok(selects >= LISTS, `a shard got ${selects} selects`)
    })
    await check('a count has the calls of all shards', async () => {
      const { count } = JSON.parse(await list()) as { count: number }
      strictEqual(count, REQUESTS * shards.length + 1)
    })
  } finally {
    await cluster.stop()
    await rm(directory, { recursive: true, force: true })
  }
  return checks
}

/** How long it counts what nodes do without requests, such as reading users and keys. */
const IDLE_MS = 5_000

function describe(counts: readonly Counts[]): string {
  return counts
    .map(({ inserts, selects }, shard) => `shard ${shard + 1}: ${inserts} inserts, ${selects} selects`)
    .join('; ')
}

const COUNTERS = `SELECT sumIf(value, event = 'InsertQuery') AS inserts, sumIf(value, event = 'SelectQuery') AS selects
FROM system.events FORMAT JSONEachRow SETTINGS output_format_json_quote_64bit_integers = 0`

async function readCounts(urls: readonly string[]): Promise<Counts[]> {
  return Promise.all(
    urls.map(async (url) => {
      const response = await fetch(url, { method: 'POST', body: COUNTERS })
      return (await response.json()) as Counts
    }),
  )
}

function completeCall(id: string): object {
  const at = new Date().toISOString()
  const times = { started_at: at, ended_at: at }
  return {
    project_id: PROJECT,
    id,
    trace_id: id,
    op_name: 'op',
    ...times,
    attributes: {},
    inputs: { question: id },
    output: 'answer',
    summary: {},
  }
}
