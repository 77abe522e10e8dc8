import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { NO_RETENTION, type RetentionPolicy } from '../../src/core/retention/retention-policy.ts'
import { erase } from '../../src/service/retention/erasure.ts'
import { RetentionJob } from '../../src/service/retention/retention-job.ts'
import { identifier, type Sql, sql } from '../../src/store/query/sql.ts'
import { projectNames, useServer } from '../harness.ts'
import { waitUntil } from '../wait-until.ts'

/**
 * ClickHouse may execute a mutation long after it was created, and evaluates its condition only then. Whatever happens in between, a
 * deletion removes what was selected, or nothing.
 */

const server = useServer({ retentionIntervalSeconds: 0 })
const newProject = projectNames('org/late')
const DAY_SECONDS = 86_400
let project_id = ''

beforeEach(() => {
  project_id = newProject()
})

/** Writes complete calls of one day ago each, with a tag that the policy keeps or without. */
async function write(
  count: number,
  options: { daysAgo?: number; tags?: string[]; user_id?: string } = {},
): Promise<string[]> {
  const { daysAgo = 40, tags = [], user_id } = options
  const ids = Array.from({ length: count }, () => randomUUID())
  const started = Date.now() - daysAgo * DAY_SECONDS * 1000
  const batch = ids.map((id, index) => ({
    project_id,
    id,
    trace_id: id,
    op_name: 'op',
    started_at: new Date(started + index).toISOString(),
    ended_at: new Date(started + index + 1).toISOString(),
    attributes: { tags, user_id },
    inputs: { text: 'secret' },
    output: 'secret',
    summary: {},
  }))
  await server.post(`/v2/${project_id}/calls/complete`, { batch })
  return ids
}

async function ids(): Promise<string[]> {
  const { calls } = await server.post<{ calls: { id: string }[] }>('/calls/query', {
    project_id,
    columns: ['id'],
  })
  return calls.map(({ id }) => id).sort()
}

async function setPolicy(fields: Partial<RetentionPolicy>): Promise<void> {
  const policy = { ...NO_RETENTION, keep_tags: ['golden'], ...fields }
  await server.send(`/api/v1/projects/${project_id}/retention`, policy, { method: 'PUT' })
}

/** Runs retention and returns its error, if it failed. */
async function run(): Promise<string> {
  const errors: unknown[] = []
  const job = new RetentionJob(server.heddle.deps, {
    intervalSeconds: 3600,
    diskWarnPercent: 0,
    diskDeletePercent: 0,
    onDiskWarning: () => {},
    onError: (error) => errors.push(error),
  })
  await job.run().catch((error: unknown) => errors.push(error))
  return errors.map(String).join('\n')
}

async function onEveryServer(statement: Sql): Promise<void> {
  for (const db of server.heddle.deps.db.everyServer) await db.command(statement, 'test')
}

type HeldTable = 'calls' | 'call_ids'

/** Mutations of the table that have not been executed. */
async function heldMutations(table: HeldTable): Promise<number> {
  const rows = await Promise.all(
    server.heddle.deps.db.everyServer.map((db) =>
      db.rows(
        sql`SELECT 1 FROM system.mutations WHERE database = currentDatabase() AND table = ${table} AND NOT is_done`,
        { name: 'test', kind: 'point' },
      ),
    ),
  )
  return rows.flat().length
}

/** Begins the work, does something else while its mutations of the table are held, and returns its result. */
async function whileHeld<T>(
  work: () => Promise<T>,
  meanwhile: () => Promise<void>,
  table: HeldTable = 'calls',
): Promise<T> {
  await onEveryServer(sql`SYSTEM STOP MERGES ${identifier(table)}`)
  try {
    const result = work()
    await waitUntil(async () => (await heldMutations(table)) > 0, 20_000)
    await meanwhile()
    await onEveryServer(sql`SYSTEM START MERGES ${identifier(table)}`)
    return await result
  } finally {
    await onEveryServer(sql`SYSTEM START MERGES ${identifier(table)}`)
  }
}

test('a mutation that is executed when its list is gone deletes nothing', async () => {
  const kept = await write(5, { tags: ['golden'] })
  await write(3)
  await setPolicy({ calls_max_age_seconds: 30 * DAY_SECONDS })
  await whileHeld(run, () => onEveryServer(sql`TRUNCATE TABLE selected_calls`))
  const left = await ids()
  expect(left.filter((id) => kept.includes(id))).toEqual([...kept].sort())
  expect(await run()).toBe('')
  expect(await ids()).toEqual([...kept].sort())
})

test('a run that loses its list after it deleted calls leaves no id of them, though the project is within its limit again', async () => {
  await write(3)
  const [kept] = await write(1, { daysAgo: 1 })
  await setPolicy({ calls_max_bytes: 50 })
  expect(await whileHeld(run, () => onEveryServer(sql`TRUNCATE TABLE selected_calls`), 'call_ids')).toBe('')
  expect(await ids()).toEqual([kept])
  const located = await Promise.all(
    server.heddle.deps.db.shards.map((shard) =>
      shard.rows<{ id: string }>(
        sql`SELECT id FROM call_ids WHERE project_id = ${project_id} AND is_part = 0`,
        { name: 'test', kind: 'scan' },
      ),
    ),
  )
  expect(located.flat().map(({ id }) => id)).toEqual([kept])
})

test('calls that arrive after the selection stay, whenever its mutations are executed', async () => {
  const kept = await write(2, { tags: ['golden'] })
  await write(3)
  await setPolicy({ calls_max_age_seconds: 30 * DAY_SECONDS })
  let late: string[] = []
  const error = await whileHeld(run, async () => {
    late = await write(2, { tags: ['golden'] })
  })
  expect(error).toBe('')
  expect(await ids()).toEqual([...kept, ...late].sort())
  for (const id of late)
    expect(await server.post('/call/read', { project_id, id })).toMatchObject({ call: { id } })
})

test('a killed mutation is reported, and the next run completes what was selected', async () => {
  const kept = await write(2, { tags: ['golden'] })
  await write(3)
  await setPolicy({ calls_max_age_seconds: 30 * DAY_SECONDS })
  const kill = sql`KILL MUTATION WHERE database = currentDatabase() AND NOT is_done SYNC`
  expect(await whileHeld(run, () => onEveryServer(kill))).toContain('it was killed')
  expect(await run()).toBe('')
  expect(await ids()).toEqual([...kept].sort())
})

test('an erasure whose list is gone removes nothing and gives no receipt; repeated, it removes everything', async () => {
  const others = await write(3)
  await write(3, { user_id: 'greta' })
  const request = { kind: 'user', end_user: 'greta', project_id } as const
  const begin = () => erase(server.heddle.deps, request, 'test').then(String, String)
  const result = await whileHeld(begin, () => onEveryServer(sql`TRUNCATE TABLE selected_calls`))
  expect(result).toContain('the list of calls')
  expect(await ids()).toHaveLength(6)
  expect((await erase(server.heddle.deps, request, 'test')).total_calls).toBe(3)
  expect(await ids()).toEqual([...others].sort())
})

test('an erasure that was interrupted is completed by the next run of retention', async () => {
  const others = await write(3)
  await write(3, { user_id: 'greta' })
  const { shards } = server.heddle.deps.db
  const spies = shards.map((shard) => {
    const command = shard.command.bind(shard)
    return vi.spyOn(shard, 'command').mockImplementation(async (...args) => {
      if (args[1] === 'erase calls') throw new Error('the process was killed')
      await command(...args)
    })
  })
  const request = { kind: 'user', end_user: 'greta', project_id } as const
  await expect(erase(server.heddle.deps, request, 'test')).rejects.toThrow('the process was killed')
  for (const spy of spies) spy.mockRestore()
  expect(await run()).toBe('')
  expect(await ids()).toEqual([...others].sort())
})

test('lists are removed after their run', async () => {
  await write(2, { tags: ['golden'] })
  await write(3)
  await setPolicy({ calls_max_age_seconds: 30 * DAY_SECONDS })
  expect(await run()).toBe('')
  for (const shard of server.heddle.deps.db.shards)
    expect(await shard.rows(sql`SELECT run_id FROM selected_calls`, { name: 'test', kind: 'scan' })).toEqual(
      [],
    )
})
