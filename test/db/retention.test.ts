import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { NO_RETENTION, type RetentionPolicy } from '../../src/core/retention/retention-policy.ts'
import { RetentionJob, type RetentionJobOptions } from '../../src/service/retention/retention-job.ts'
import { applyTableTtl, selectCallsTable } from '../../src/store/retention/table-ttl.ts'
import { sql } from '../../src/store/query/sql.ts'
import { projectNames, useServer } from '../harness.ts'

/** Retention policies: what they delete, what they keep, and that the preview says the same. */

const server = useServer({ retentionIntervalSeconds: 0 })
const newProject = projectNames('org/kept')
const DAY = 86_400
let project_id = ''

beforeEach(() => {
  project_id = newProject()
})

const api = (project: string): string => `/api/v1/projects/${project}/retention`

interface CallOptions {
  readonly days: number
  readonly trace_id?: string
  readonly parent_id?: string
  readonly attributes?: object
  readonly text?: string
  readonly exception?: string
  readonly thread_id?: string
  readonly project?: string
}

/** Writes a complete call that started the given number of days ago. */
async function write({
  days,
  project = project_id,
  text = 'a secret',
  ...rest
}: CallOptions): Promise<string> {
  const id = randomUUID()
  const started = Date.now() - days * DAY * 1000
  const [entity, name] = project.split('/')
  const { attributes = {}, trace_id = id, parent_id, thread_id, exception } = rest
  await server.post(`/v2/${entity}/${name}/calls/complete`, {
    batch: [
      {
        project_id: project,
        id,
        trace_id,
        parent_id,
        thread_id,
        op_name: 'answer',
        started_at: new Date(started).toISOString(),
        ended_at: new Date(started + 1500).toISOString(),
        attributes,
        inputs: { question: text },
        output: { answer: text },
        exception,
        summary: { usage: { 'gpt-4o': { prompt_tokens: 10, completion_tokens: 5 } }, note: text },
      },
    ],
  })
  return id
}

async function ids(project = project_id): Promise<string[]> {
  const { calls } = await server.post<{ calls: { id: string }[] }>('/calls/query', {
    project_id: project,
    columns: ['id'],
  })
  return calls.map(({ id }) => id).sort()
}

interface ReadCall {
  readonly [name: string]: unknown
  readonly attributes: Record<string, unknown>
  readonly summary: { usage: object; weave: Record<string, unknown>; note?: string }
}

const read = async (id: string): Promise<ReadCall | null> =>
  (await server.post<{ call: ReadCall | null }>('/call/read', { project_id, id, include_costs: true })).call

const policy = (fields: Partial<RetentionPolicy>): RetentionPolicy => ({ ...NO_RETENTION, ...fields })

async function setPolicy(fields: Partial<RetentionPolicy>, project = project_id): Promise<void> {
  const response = await server.send(api(project), policy(fields), { method: 'PUT' })
  expect([response.status, response.text]).toEqual([200, expect.anything()])
}

interface Preview {
  readonly calls: { count: number; bytes: number; before: string | null }
  readonly payloads: { count: number; bytes: number; before: string | null }
  readonly kept_calls: number
}

const preview = (fields: Partial<RetentionPolicy>): Promise<Preview> =>
  server.post<Preview>(`${api(project_id)}/preview`, policy(fields))

function newJob(options: Partial<RetentionJobOptions> = {}): RetentionJob {
  const onError = (error: unknown): void => {
    throw error
  }
  const defaults = {
    intervalSeconds: 3600,
    diskWarnPercent: 0,
    diskDeletePercent: 0,
    onError,
    onDiskWarning: () => {},
  }
  return new RetentionJob(server.heddle.deps, { ...defaults, ...options })
}

/** Stored rows of the calls in each table, of whatever version. */
async function storedRows(table: 'calls' | 'call_ids' | 'call_parts', id: string): Promise<number> {
  const { db } = server.heddle.deps
  const from = { calls: sql`calls`, call_ids: sql`call_ids`, call_parts: sql`call_parts` }[table]
  const row = await db.first<{ n: string }>(sql`SELECT count() AS n FROM ${from} WHERE id = ${id}`, {
    name: 'test',
    kind: 'scan',
  })
  return Number(row?.n)
}

describe('whole calls', () => {
  test('older ones are deleted from every table, newer ones and other projects stay', async () => {
    const other = newProject()
    const [old, recent] = [await write({ days: 40 }), await write({ days: 10 })]
    const foreign = await write({ days: 40, project: other })
    await setPolicy({ calls_max_age_seconds: 30 * DAY })
    expect(await preview({ calls_max_age_seconds: 30 * DAY })).toMatchObject({
      calls: { count: 1 },
      kept_calls: 0,
    })
    expect(await newJob().run()).toEqual({ calls: 1, payloads: 0 })
    expect(await ids()).toEqual([recent])
    expect(await ids(other)).toEqual([foreign])
    expect(await read(old)).toBeNull()
    for (const table of ['calls', 'call_ids', 'call_parts'] as const)
      expect(await storedRows(table, old)).toBe(0)
    expect(await newJob().run()).toEqual({ calls: 0, payloads: 0 })
  })

  test('traces with feedback, in a queue, in a dataset, linked to one, or with a chosen tag are kept completely', async () => {
    const kept: string[] = []
    const trace = async (options: Partial<CallOptions> = {}): Promise<[string, string]> => {
      const root = await write({ days: 40 })
      const child = await write({ days: 40, trace_id: root, parent_id: root, ...options })
      return [root, child]
    }
    const keep = async (options: Partial<CallOptions> = {}): Promise<string> => {
      const calls = await trace(options)
      kept.push(...calls)
      return calls[1]
    }
    const ref = (id: string): string => `weave:///${project_id}/call/${id}`
    const linkSource = async (source: object): Promise<string> => {
      const links = [{ row_digest: 'row', sources: [source] }]
      const request = { project_id, dataset_object_id: 'questions', dataset_digest: 'abc', links }
      const { entries } = await server.post<{ entries: { link_id: string }[] }>(
        '/dataset_sources/link',
        request,
      )
      return entries[0]!.link_id
    }
    const noted = await keep()
    await server.post('/feedback/create', {
      project_id,
      weave_ref: ref(noted),
      feedback_type: 'custom',
      payload: { n: 1 },
    })
    const queue = await server.post<{ id: string }>(`/api/v1/projects/${project_id}/queues`, {
      name: 'Review',
    })
    await server.post(`/api/v1/projects/${project_id}/queues/${queue.id}/items`, { call_ids: [await keep()] })
    await server.post('/table/create', {
      table: { project_id, rows: [{ source: ref(await keep()), answer: 'x' }] },
    })
    await linkSource({ source_kind: 'call', source_id: await keep(), source_trace_id: '' })
    await linkSource({ source_kind: 'conversation', source_id: 'talk', source_trace_id: '' })
    await keep({ thread_id: 'talk' })
    await keep({ attributes: { tags: ['golden', 'other'] } })
    const gone = await trace({ attributes: { tags: ['other'] } })
    const link_id = await linkSource({ source_kind: 'call', source_id: gone[1], source_trace_id: '' })
    await server.post('/dataset_sources/link_delete', { project_id, link_ids: [link_id] })
    const limits = { calls_max_age_seconds: 30 * DAY, keep_tags: ['golden'] }
    await setPolicy(limits)
    expect(await preview(limits)).toMatchObject({ calls: { count: gone.length }, kept_calls: kept.length })
    expect(await newJob().run()).toEqual({ calls: gone.length, payloads: 0 })
    expect(await ids()).toEqual(kept.sort())
  })

  test('beyond a number of bytes the oldest go first', async () => {
    const text = 'x'.repeat(10_000)
    const calls: string[] = []
    for (const days of [5, 4, 3, 2, 1]) calls.push(await write({ days, text }))
    const limits = { calls_max_bytes: 70_000 }
    await setPolicy(limits)
    expect(await preview(limits)).toMatchObject({ calls: { count: 3 } })
    expect(await newJob().run()).toEqual({ calls: 3, payloads: 0 })
    expect(await ids()).toEqual(calls.slice(3).sort())
  })

  test('a call whose start was moved leaves nothing behind and does not reappear', async () => {
    const id = randomUUID()
    const at = (days: number): string => new Date(Date.now() - days * DAY * 1000).toISOString()
    for (const days of [50, 45])
      await server.post('/call/start', {
        start: { project_id, id, op_name: 'op', started_at: at(days), inputs: { days } },
      })
    await server.post('/call/end', { end: { project_id, id, ended_at: at(44), output: 1 } })
    expect(await ids()).toEqual([id])
    await setPolicy({ calls_max_age_seconds: 30 * DAY })
    expect(await newJob().run()).toEqual({ calls: 1, payloads: 0 })
    expect(await ids()).toEqual([])
    for (const table of ['calls', 'call_ids', 'call_parts'] as const)
      expect(await storedRows(table, id)).toBe(0)
  })

  test('cached statistics forget deleted calls', async () => {
    await write({ days: 20 })
    await write({ days: 2 })
    const count = async (): Promise<number> => {
      const { usage_buckets } = await server.post<{
        usage_buckets: { count: number; [name: string]: unknown }[]
      }>('/calls/stats', {
        project_id,
        start: new Date(Date.now() - 30 * DAY * 1000).toISOString(),
        end: new Date().toISOString(),
        granularity: DAY,
        usage_metrics: [{ metric: 'input_tokens', aggregations: ['sum'] }],
      })
      return usage_buckets.reduce((sum, bucket) => sum + Number(bucket['sum_input_tokens'] ?? 0), 0)
    }
    expect(await count()).toBe(20)
    expect(await count()).toBe(20)
    await setPolicy({ calls_max_age_seconds: 10 * DAY })
    await newJob().run()
    expect(await count()).toBe(10)
  })
})

describe('payloads', () => {
  test('are removed, and metrics, names, tags and status stay; the response says so', async () => {
    const attributes = {
      tags: ['golden'],
      user_id: 'anna',
      environment: 'prod',
      secret: 'a secret',
      'gen_ai.usage.cost': 0.5,
    }
    const id = await write({ days: 40, attributes, exception: 'Traceback\nValueError: a secret' })
    const before = (await read(id))!
    const limits = { payloads_max_age_seconds: 30 * DAY }
    await setPolicy(limits)
    expect(await preview(limits)).toMatchObject({ payloads: { count: 1 }, calls: { count: 0 } })
    expect(await newJob().run()).toEqual({ calls: 0, payloads: 1 })
    const after = (await read(id))!
    expect(JSON.stringify(after)).not.toContain('secret')
    expect(after).toMatchObject({
      id,
      op_name: 'answer',
      inputs: {},
      output: null,
      exception: 'ValueError',
      attributes: { tags: ['golden'], user_id: 'anna', environment: 'prod', 'gen_ai.usage.cost': 0.5 },
      summary: {
        usage: before.summary.usage,
        weave: { payload_expired: true, status: 'error', latency_ms: 1500 },
      },
    })
    expect(after.summary.weave['costs']).toEqual(before.summary.weave['costs'])
    const { calls } = await server.post<{ calls: unknown[] }>('/calls/query', {
      project_id,
      query: { $expr: { $eq: [{ $getField: 'end_user' }, { $literal: 'anna' }] } },
    })
    expect(calls).toHaveLength(1)
    expect(await newJob().run()).toEqual({ calls: 0, payloads: 0 })
  })

  test('of calls with several records go too, and a later rename brings nothing back', async () => {
    const id = await write({ days: 40, attributes: { tags: ['t'] } })
    await server.post('/call/update', { project_id, call_id: id, display_name: 'First name' })
    expect(await storedRows('call_parts', id)).toBeGreaterThan(0)
    await setPolicy({ payloads_max_age_seconds: 30 * DAY })
    expect(await newJob().run()).toEqual({ calls: 0, payloads: 1 })
    const { db } = server.heddle.deps
    const parts = await db.rows<{ body: string }>(sql`SELECT body FROM call_parts WHERE id = ${id}`, {
      name: 'test',
      kind: 'scan',
    })
    expect(parts.filter(({ body }) => body.includes('secret'))).toEqual([])
    await server.post('/call/update', { project_id, call_id: id, display_name: 'Second name' })
    const call = await read(id)
    expect(call).toMatchObject({
      display_name: 'Second name',
      attributes: { tags: ['t'] },
      summary: {
        weave: { payload_expired: true, status: 'success' },
        usage: { 'gpt-4o': { prompt_tokens: 10 } },
      },
    })
    expect(JSON.stringify(call)).not.toContain('secret')
    expect(await ids()).toEqual([id])
  })

  test('a call that is sent again is complete, until the next run', async () => {
    const id = await write({ days: 40 })
    await setPolicy({ payloads_max_age_seconds: 30 * DAY })
    await newJob().run()
    await server.post('/call/end', {
      end: { project_id, id, ended_at: new Date().toISOString(), output: { answer: 'again' } },
    })
    expect(await read(id)).toMatchObject({ output: { answer: 'again' }, inputs: {} })
    expect(await newJob().run()).toEqual({ calls: 0, payloads: 1 })
    expect(await read(id)).toMatchObject({ output: null })
  })
})

describe('the job', () => {
  test('runs once when two nodes are due at the same time', async () => {
    for (let n = 0; n < 5; n++) await write({ days: 40 })
    await setPolicy({ calls_max_age_seconds: 30 * DAY })
    await server.heddle.deps.db.command(sql`TRUNCATE TABLE job_runs`, 'test')
    const runs = await Promise.all([newJob(), newJob(), newJob()].map((job) => job.runUnlessRecent()))
    expect(runs.filter((run) => run !== undefined)).toEqual([{ calls: 5, payloads: 0 }])
    expect(await newJob().runUnlessRecent()).toBeUndefined()
  })

  test('gives the space of deleted calls back', async () => {
    for (let n = 0; n < 3; n++) await write({ days: 40 })
    await setPolicy({ calls_max_age_seconds: 30 * DAY })
    await server.heddle.deps.db.command(sql`TRUNCATE TABLE job_runs`, 'test')
    await newJob().run()
    for (const shard of server.heddle.deps.db.shards) {
      const marked = await shard.rows(
        sql`SELECT name FROM system.parts WHERE database = currentDatabase() AND table = 'calls' AND active AND has_lightweight_delete`,
        { name: 'test', kind: 'scan' },
      )
      expect(marked).toEqual([])
    }
  })

  test('warns when the disk is full, and deletes the oldest day first if that is enabled', async () => {
    const [first, second, recent] = [
      await write({ days: 300 }),
      await write({ days: 299 }),
      await write({ days: 0 }),
    ]
    const warnings: number[] = []
    const onDiskWarning = (percent: number): number => warnings.push(percent)
    await newJob({ diskWarnPercent: 80, onDiskWarning, diskPercent: async () => 85 }).run()
    expect([warnings, await ids()]).toEqual([[85], [first, second, recent].sort()])
    const percents = [95, 80]
    const options = { diskDeletePercent: 90, onDiskWarning, diskPercent: async () => percents.shift() ?? 0 }
    expect(await newJob(options).run()).toEqual({ calls: 1, payloads: 0 })
    expect(await ids()).toEqual([second, recent].sort())
  })
})

describe('the maximum for all projects', () => {
  test('is a TTL that drops whole parts; applying it again changes nothing; 0 removes it', async () => {
    const db = server.heddle.deps.db.everyServer.at(-1)!
    const table = async (): Promise<string> => {
      const row = await db.first<{ engine_full: string }>(selectCallsTable, { name: 'test', kind: 'point' })
      return row?.engine_full ?? ''
    }
    const mutations = async (): Promise<number> => {
      const rows = await db.rows(
        sql`SELECT mutation_id FROM system.mutations WHERE database = currentDatabase() AND table = 'calls'`,
        {
          name: 'test',
          kind: 'scan',
        },
      )
      return rows.length
    }
    const recent = await write({ days: 1 })
    await applyTableTtl(db, { deleteAfterDays: 400 })
    expect(await table()).toMatch(/ TTL .*toIntervalDay\(400\) .*ttl_only_drop_parts = 1/)
    const before = await mutations()
    await applyTableTtl(db, { deleteAfterDays: 400 })
    expect(await mutations()).toBe(before)
    await applyTableTtl(db, { deleteAfterDays: 0 })
    expect(await table()).not.toContain(' TTL ')
    expect(await ids()).toEqual([recent])
  })
})

describe('the policy', () => {
  test('is read by everyone with access and changed by admins only', async () => {
    await write({ days: 1 })
    const reader = await server.user(`reader-${randomUUID()}`, { [project_id]: 'write' })
    const limits = policy({ calls_max_age_seconds: 30 * DAY, keep_tags: ['a'] })
    const refused = await server.as(reader)(api(project_id), limits, { method: 'PUT' })
    expect(refused.status).toBe(403)
    await setPolicy(limits)
    expect((await server.as(reader)(api(project_id))).json).toMatchObject({ ...limits, changed_by: 'admin' })
    await setPolicy({})
    expect((await server.send(api(project_id))).json).toMatchObject({ ...NO_RETENTION, changed_by: null })
  })
})
