import { randomUUID } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { lostPartsProbe } from '../../src/app/lost-parts.ts'
import type { Shard } from '../../src/core/cluster/topology.ts'
import { NO_RETENTION, type RetentionPolicy } from '../../src/core/retention/retention-policy.ts'
import { erase } from '../../src/service/retention/erasure.ts'
import { RetentionJob } from '../../src/service/retention/retention-job.ts'
import { openCluster } from '../../src/store/cluster/cluster-database.ts'
import { serverHost } from '../../src/store/database/every-server.ts'
import type { Database } from '../../src/store/database/database.ts'
import { TENANT_TABLES, type TenantTable } from '../../src/store/query/scope.ts'
import { identifier, type Sql, sql } from '../../src/store/query/sql.ts'
import { readDiskPercent } from '../../src/store/retention/disk.ts'
import { countReplacedParts } from '../../src/store/retention/reclaim.ts'
import { clusterEnvironment, projectNames, useServer } from '../harness.ts'
import { runCli } from '../run-cli.ts'
import { waitUntil } from '../wait-until.ts'

/**
 * Deletion looks at each shard's own tables: what was forgotten on one shard is not noticed by tests with one call. With
 * `--cluster` there are several shards; otherwise the only server is examined.
 */
const server = useServer({ retentionIntervalSeconds: 0 })
const newProject = projectNames('org/sharded')
const isCluster = process.env['HEDDLE_TEST_CLUSTER'] !== undefined
const DAY_MS = 86_400_000

const shards = (): readonly Database[] => server.heddle.deps.db.shards

/** Stored rows of the project on each shard. */
function rowsOnShards(project_id: string, table: TenantTable, condition: Sql = sql`1`): Promise<number[]> {
  const statement = sql`SELECT count() AS n FROM ${identifier(table)} WHERE project_id = ${project_id} AND ${condition}`
  return Promise.all(
    shards().map(async (shard) =>
      Number((await shard.first<{ n: string }>(statement, { name: 'test', kind: 'scan' }))?.n),
    ),
  )
}

const nowhere = (): number[] => shards().map(() => 0)

interface WrittenCalls {
  readonly project_id: string
  readonly daysAgo: number
  readonly count: number
  /** Together in one trace; the first is the root. */
  readonly trace_id?: string
  readonly user_id?: string
  readonly text?: string
}

/** Writes the given number of complete calls and renames each, so that they also have rows in `call_parts`. Returns their ids. */
async function write(options: WrittenCalls): Promise<string[]> {
  const { project_id, daysAgo, count, trace_id, user_id, text = 'secret' } = options
  const ids = Array.from({ length: count }, () => randomUUID())
  const started = Date.now() - daysAgo * DAY_MS
  const [entity, project] = project_id.split('/')
  const batch = ids.map((id, index) => ({
    project_id,
    id,
    trace_id: trace_id ?? id,
    op_name: 'op',
    started_at: new Date(started + index * 1000).toISOString(),
    ended_at: new Date(started + index * 1000 + 500).toISOString(),
    attributes: user_id !== undefined && index === 0 ? { user_id } : {},
    inputs: { text },
    output: text,
    summary: {},
  }))
  await server.post(`/v2/${entity}/${project}/calls/complete`, { batch })
  await Promise.all(
    ids.map((call_id) => server.post('/call/update', { project_id, call_id, display_name: 'A name' })),
  )
  return ids
}

async function listIds(project_id: string): Promise<string[]> {
  const { calls } = await server.post<{ calls: { id: string }[] }>('/calls/query', {
    project_id,
    columns: ['id'],
  })
  return calls.map(({ id }) => id).sort()
}

const expectOnEveryShard = (counts: readonly number[]): void =>
  expect(counts.filter((count) => count === 0)).toEqual([])

test('a deleted project has no row left in any table of any shard', async () => {
  const [project_id, other] = [newProject(), newProject()]
  await write({ project_id, daysAgo: 1, count: 20 })
  await write({ project_id: other, daysAgo: 1, count: 20 })
  for (const table of ['calls', 'call_ids', 'call_parts', 'live_log'] as const)
    expectOnEveryShard(await rowsOnShards(project_id, table))
  const before = await listIds(other)
  await server.send(`/api/v1/projects/${project_id}`, undefined, { method: 'DELETE' })
  await waitUntil(async () => {
    const { projects } = (await server.send('/api/v1/projects')).json as {
      projects: { project_id: string }[]
    }
    return !projects.some((each) => each.project_id === project_id)
  }, 60_000)
  for (const table of TENANT_TABLES)
    expect([table, await rowsOnShards(project_id, table)]).toEqual([table, nowhere()])
  // Not its rows, which ClickHouse may have merged meanwhile.
  expect(await listIds(other)).toEqual(before)
})

describe('retention', () => {
  const run = async (project_id: string, limits: Partial<RetentionPolicy>) => {
    const policy = { ...NO_RETENTION, ...limits }
    await server.send(`/api/v1/projects/${project_id}/retention`, policy, { method: 'PUT' })
    const preview = await server.post(`/api/v1/projects/${project_id}/retention/preview`, policy)
    const onError = (error: unknown): void => {
      throw error
    }
    const options = {
      intervalSeconds: 3600,
      diskWarnPercent: 0,
      diskDeletePercent: 0,
      onDiskWarning: () => {},
    }
    const deleted = await new RetentionJob(server.heddle.deps, { ...options, onError }).run()
    return { preview, deleted }
  }

  test('deletes old calls on every shard, and keeps a trace over all shards for feedback on one of its calls', async () => {
    const project_id = newProject()
    await write({ project_id, daysAgo: 40, count: 20 })
    const recent = await write({ project_id, daysAgo: 1, count: 4 })
    const kept = await write({ project_id, daysAgo: 40, count: 20, trace_id: randomUUID() })
    await server.post('/feedback/create', {
      project_id,
      weave_ref: `weave:///${project_id}/call/${kept[7]}`,
      feedback_type: 'custom',
      payload: { n: 1 },
    })
    const expected = [...recent, ...kept].sort()
    const { preview, deleted } = await run(project_id, { calls_max_age_seconds: 30 * 86_400 })
    expect(preview).toMatchObject({ calls: { count: 20 }, kept_calls: 20 })
    expect(deleted).toEqual({ calls: 20, payloads: 0 })
    expect(await listIds(project_id)).toEqual(expected)
    for (const table of ['calls', 'call_ids', 'call_parts'] as const)
      expect([table, await rowsOnShards(project_id, table, sql`id NOT IN ${expected}`)]).toEqual([
        table,
        nowhere(),
      ])
  })

  test('limits bytes in total, not for each shard', async () => {
    const project_id = newProject()
    const calls = await write({ project_id, daysAgo: 2, count: 20, text: 'x'.repeat(5_000) })
    const { preview, deleted } = await run(project_id, { calls_max_bytes: 105_000 })
    expect(preview).toMatchObject({ calls: { count: 10 } })
    expect(deleted).toMatchObject({ calls: 10 })
    expect(await listIds(project_id)).toEqual(calls.slice(10).sort())
  })

  test('removes payloads on every shard', async () => {
    const project_id = newProject()
    await write({ project_id, daysAgo: 40, count: 20 })
    expectOnEveryShard(await rowsOnShards(project_id, 'call_parts', sql`position(body, 'secret') > 0`))
    const { deleted } = await run(project_id, { payloads_max_age_seconds: 30 * 86_400 })
    expect(deleted).toEqual({ calls: 0, payloads: 20 })
    expect(
      await rowsOnShards(project_id, 'calls', sql`position(concat(inputs, output), 'secret') > 0`),
    ).toEqual(nowhere())
    expect(await rowsOnShards(project_id, 'call_parts', sql`position(body, 'secret') > 0`)).toEqual(nowhere())
    expect(await listIds(project_id)).toHaveLength(20)
  })
})

describe('erasure', () => {
  const user = { kind: 'user', end_user: 'anna' } as const

  test('removes a trace from all shards, of which one has the call with the user', async () => {
    const project_id = newProject()
    await write({ project_id, daysAgo: 1, count: 20, trace_id: randomUUID(), user_id: 'anna' })
    const stays = await write({ project_id, daysAgo: 1, count: 4, user_id: 'bert' })
    const receipt = await erase(server.heddle.deps, { ...user, project_id }, 'me')
    // The renaming stored a second version of each row.
    expect(receipt.projects).toMatchObject([
      { project_id, calls: 20, rows: { call_ids: expect.any(Number) } },
    ])
    expect(receipt.projects[0]?.rows['calls']).toBeGreaterThanOrEqual(20)
    expect(receipt.servers_not_checked).toBeUndefined()
    expect(await listIds(project_id)).toEqual([...stays].sort())
    for (const table of ['calls', 'call_ids', 'call_parts', 'live_log'] as const)
      expect(await rowsOnShards(project_id, table, sql`id NOT IN ${stays}`)).toEqual(nowhere())
  })

  test.runIf(isCluster)('that failed on one shard is completed when it is repeated', async () => {
    const project_id = newProject()
    const [root = ''] = await write({
      project_id,
      daysAgo: 1,
      count: 20,
      trace_id: randomUUID(),
      user_id: 'anna',
    })
    const { db } = server.heddle.deps
    // Every shard but that of the call with the user refuses the last step.
    const failing = shards().filter((_, index) => index !== db.shardOfNewCall(project_id, root))
    const spies = failing.map((shard) => {
      const command = shard.command.bind(shard)
      return vi.spyOn(shard, 'command').mockImplementation(async (statement, name, options) => {
        if (name === 'erase calls') throw new Error('the shard is down')
        await command(statement, name, options)
      })
    })
    const request = { ...user, project_id }
    await expect(erase(server.heddle.deps, request, 'me')).rejects.toThrow('the shard is down')
    for (const spy of spies) spy.mockRestore()
    expect(await listIds(project_id)).not.toEqual([])
    await erase(server.heddle.deps, request, 'me')
    expect(await rowsOnShards(project_id, 'calls')).toEqual(nowhere())
  })
})

test('a server that is down hides nothing of the others, and a receipt names it', async () => {
  const { settings } = server.heddle.deps.db
  const shard = (number: number, url: string): Shard => ({
    number,
    replicas: [{ url, native: '127.0.0.1:9000' }],
    generation: 1,
    isJoining: false,
  })
  const db = openCluster(settings, {
    shards: [shard(1, settings.url), shard(2, 'http://127.0.0.1:1')],
    replication: undefined,
  })
  const startedMs = performance.now()
  expect(await readDiskPercent(db)).toBeGreaterThan(0)
  expect(await countReplacedParts(db)).toMatchObject({ serversNotChecked: ['127.0.0.1:1'] })
  expect(await lostPartsProbe(db, undefined)()).toBeUndefined()
  // Not until the end of the retry window.
  expect(performance.now() - startedMs).toBeLessThan(settings.retryWindowMs / 2)
  await db.close()
})

describe.runIf(isCluster)('reports name the server', () => {
  const environment = (overrides: Record<string, string> = {}): Record<string, string> => {
    const { settings } = server.heddle.deps.db
    return {
      ...clusterEnvironment(),
      HEDDLE_CLICKHOUSE_USER: settings.username,
      HEDDLE_CLICKHOUSE_PASSWORD: settings.password,
      HEDDLE_CLICKHOUSE_DATABASE: settings.database,
      ...overrides,
    }
  }
  const hosts = (): string[] =>
    server.heddle.deps.db.everyServer.map(({ settings }) => serverHost(settings.url))
  const doctor = async (overrides?: Record<string, string>) => {
    const { stdout } = await runCli(['doctor', '--json'], { env: environment(overrides) })
    const { findings } = JSON.parse(stdout) as {
      findings: { check: string; level: string; message: string }[]
    }
    return findings
  }

  test('metrics have the parts and disks of every server', async () => {
    await write({ project_id: newProject(), daysAgo: 1, count: 20 })
    const { text } = await server.send('/metrics')
    for (const host of hosts()) {
      expect(text).toContain(`heddle_clickhouse_parts{table="calls",server="${host}"}`)
      expect(text).toContain(`heddle_disk_free_bytes{disk="default",server="${host}"}`)
    }
  })

  test('doctor checks every server and the cluster', async () => {
    const findings = await doctor()
    for (const check of ['clickhouse version', 'clock', 'disk', 'parts', 'detached parts', 'migrations'])
      for (const host of hosts())
        expect(
          findings.filter((each) => each.check === check && each.message.startsWith(`${host}: `)),
        ).not.toEqual([])
    const cluster = findings.filter(({ check }) => check === 'cluster')
    expect(cluster.map(({ level }) => level)).toEqual(cluster.map(() => 'ok'))
    expect(cluster.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'all servers have the same migrations',
        'the clocks of the servers agree with each other',
        ...hosts().map((host) => `${host}: reads from all shards`),
      ]),
    )
  })

  test('doctor finds a server without its migrations or tables, one that is down, and a file that is none', async () => {
    const last = server.heddle.deps.db.everyServer.at(-1)!
    const host = serverHost(last.settings.url)
    const { name } = server.heddle.deps.db
    await last.ddl('DELETE FROM schema_migrations WHERE version = 3', { lightweight_deletes_sync: '2' })
    await last.ddl(`ALTER DATABASE ${name}_cluster MODIFY COMMENT 'another'`)
    const problems = (await doctor()).filter(({ level }) => level === 'problem').map(({ message }) => message)
    expect(problems).toEqual(
      expect.arrayContaining([
        'the servers do not have the same migrations',
        expect.stringMatching(new RegExp(`^${host}: the tables over all shards are missing`)),
      ]),
    )
    const replica = { url: 'http://127.0.0.1:1', native: '127.0.0.1:2' }
    const directory = await mkdtemp(join(tmpdir(), 'heddle-cluster-'))
    const file = join(directory, 'cluster.json')
    const first = { url: server.heddle.deps.db.settings.url, native: '127.0.0.1:3' }
    await writeFile(file, JSON.stringify({ shards: [{ replicas: [first] }, { replicas: [replica] }] }))
    expect(await doctor({ HEDDLE_CLUSTER: file })).toContainEqual(
      expect.objectContaining({
        check: 'clickhouse connection',
        level: 'problem',
        message: expect.stringContaining('ClickHouse does not respond at 127.0.0.1:1'),
      }),
    )
    await writeFile(file, '{')
    expect(await doctor({ HEDDLE_CLUSTER: file })).toContainEqual(
      expect.objectContaining({
        check: 'clickhouse connection',
        level: 'problem',
        message: expect.stringContaining('HEDDLE_CLUSTER names a file that cannot be used'),
      }),
    )
  })
})
