import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { RetentionJob } from '../../src/service/retention/retention-job.ts'
import { type Sql, sql } from '../../src/store/query/sql.ts'
import { useServer } from '../harness.ts'

/**
 * Retention of many projects: the number of mutations depends on partitions, not on projects, and ingest goes on during a run. With
 * `HEDDLE_RETENTION_PROJECTS=10000 HEDDLE_RETENTION_CALLS=1000000` it prints the figures of docs/retention.md.
 */

const PROJECTS = Number(process.env['HEDDLE_RETENTION_PROJECTS'] ?? '60')
const CALLS = Number(process.env['HEDDLE_RETENTION_CALLS'] ?? '6000')
const isLong = PROJECTS >= 10_000
const INGEST_SECONDS = isLong ? 30 : 1
const MAX_SECONDS = 600
/** Ages of calls in days, from 0. */
const DAYS = 100
const isCluster = process.env['HEDDLE_TEST_CLUSTER'] !== undefined

const server = useServer({ retentionIntervalSeconds: 0 })

const command = (statement: Sql): Promise<void> => server.heddle.deps.db.command(statement, 'test')

async function count(statement: Sql): Promise<number> {
  const row = await server.heddle.deps.db.first<{ n: string }>(statement, { name: 'test', kind: 'export' })
  return Number(row?.n)
}

/** A tenth of the projects has a limit of bytes, two tenths one of payloads, the others one of calls; 1 % of the calls is kept. */
async function fill(): Promise<void> {
  await command(sql`INSERT INTO retention_policies (project_id, calls_max_age_seconds, calls_max_bytes, payloads_max_age_seconds, payloads_max_bytes, keep_tags, changed_by, changed_at)
SELECT concat('scale/p', toString(number)), if(number % 10 >= 3, 30 * 86400, NULL), if(number % 10 = 0, 1000, NULL),
  if(number % 10 IN (1, 2), 30 * 86400, NULL), NULL, ['golden'], 'test', now64(6) FROM numbers(${PROJECTS})`)
  const text = 'x'.repeat(300)
  for (let from = 0; from < CALLS; from += 100_000)
    await command(sql`INSERT INTO calls (project_id, id, started_at, trace_id, op_name, attributes, inputs, output, summary, ended_at, version, field_tags)
SELECT concat('scale/p', toString(number % ${PROJECTS})), toString(generateUUIDv4(number)), now64(6) - toIntervalSecond(intDiv(number, ${PROJECTS}) * ${Math.floor((DAYS * 86_400 * PROJECTS) / CALLS)}) AS at,
  concat('trace-', toString(number)), 'op', '{}', concat('{"text":"', ${text}, '"}'), '"done"', '{}', at, 1, if(rand(number) % 100 = 0, ['golden'], [])
FROM numbers(${from}, ${Math.min(100_000, CALLS - from)})`)
}

/** Calls per second that two clients write until `isEnded`. */
async function ingest(isEnded: () => boolean): Promise<number> {
  const startedMs = performance.now()
  let calls = 0
  const write = async (): Promise<void> => {
    while (!isEnded()) {
      const at = new Date().toISOString()
      const batch = Array.from({ length: 100 }, () => ({
        project_id: 'other/ingest',
        id: randomUUID(),
        trace_id: randomUUID(),
        op_name: 'op',
        started_at: at,
        ended_at: at,
        attributes: {},
        inputs: { text: 'x'.repeat(1000) },
        output: 'done',
        summary: {},
      }))
      await server.post('/v2/other/ingest/calls/complete', { batch })
      calls += batch.length
    }
  }
  await Promise.all([write(), write()])
  return (calls / (performance.now() - startedMs)) * 1000
}

async function ingestFor(seconds: number): Promise<number> {
  let isEnded = false
  const rate = ingest(() => isEnded)
  await sleep(seconds * 1000)
  isEnded = true
  return rate
}

async function runJob() {
  const errors: unknown[] = []
  const job = new RetentionJob(server.heddle.deps, {
    intervalSeconds: 3600,
    diskWarnPercent: 0,
    diskDeletePercent: 0,
    onDiskWarning: () => {},
    onError: (error) => errors.push(error),
  })
  const before = await mutations()
  let isEnded = false
  const rate = ingest(() => isEnded)
  const startedMs = performance.now()
  const deleted = await job.run().finally(() => {
    isEnded = true
  })
  const seconds = (performance.now() - startedMs) / 1000
  expect(errors).toEqual([])
  return { deleted, seconds, rate: await rate, mutations: (await mutations()) - before }
}

const mutations = (): Promise<number> =>
  count(
    sql`SELECT count() AS n FROM system.mutations WHERE database = currentDatabase() AND table IN ('calls', 'call_ids', 'call_parts')`,
  )

const OLD = sql`project_id LIKE 'scale/%' AND started_at < now64(6) - toIntervalDay(32)`

test.skipIf(isCluster)(
  'all projects are served by a few mutations',
  { timeout: isLong ? 3 * MAX_SECONDS * 1000 : 180_000 },
  async () => {
    await fill()
    const kept = await count(sql`SELECT count() AS n FROM calls WHERE ${OLD} AND notEmpty(field_tags)`)
    const alone = await ingestFor(INGEST_SECONDS)
    const first = await runJob()
    // As on the next day: two more days are too old.
    await command(
      sql`INSERT INTO retention_policies SELECT * REPLACE(if(calls_max_age_seconds IS NULL, NULL, 28 * 86400) AS calls_max_age_seconds, if(payloads_max_age_seconds IS NULL, NULL, 28 * 86400) AS payloads_max_age_seconds, now64(6) AS changed_at) FROM retention_policies FINAL`,
    )
    const daily = await runJob()
    const aloneAgain = await ingestFor(INGEST_SECONDS)
    const mean = (alone + aloneAgain) / 2
    const show = ({ deleted, seconds, rate, mutations: started }: typeof first): string =>
      `${seconds.toFixed(1)} s, ${started} mutations, ${deleted?.calls} calls, ${deleted?.payloads} payloads, ingest ${(rate / mean).toFixed(2)} of alone`
    console.log(
      `retention of ${PROJECTS} projects with ${CALLS} calls; ingest alone ${mean.toFixed(0)} calls/s\nfirst run: ${show(first)}\ndaily run: ${show(daily)}`,
    )
    // Whatever the number of projects: two for each month and a few for the other tables.
    expect(Math.max(first.mutations, daily.mutations)).toBeLessThan(20)
    expect(Math.max(first.seconds, daily.seconds)).toBeLessThan(MAX_SECONDS)
    expect(first.deleted?.calls).toBeGreaterThan(0)
    expect(await count(sql`SELECT count() AS n FROM calls FINAL WHERE ${OLD} AND notEmpty(field_tags)`)).toBe(
      kept,
    )
    const isLimited = sql`toUInt32(substring(project_id, 8)) % 10 >= 3`
    expect(
      await count(
        sql`SELECT count() AS n FROM calls FINAL WHERE ${OLD} AND empty(field_tags) AND ${isLimited}`,
      ),
    ).toBe(0)
    const isStripped = sql`toUInt32(substring(project_id, 8)) % 10 IN (1, 2)`
    expect(
      await count(
        sql`SELECT count() AS n FROM calls FINAL WHERE ${OLD} AND empty(field_tags) AND ${isStripped} AND inputs != '{}'`,
      ),
    ).toBe(0)
    if (isLong) expect(Math.min(first.rate, daily.rate) / mean).toBeGreaterThan(0.8)
  },
)
