import { createHash, randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { repairWritten } from '../../src/store/calls/write/unreconciled.ts'
import { erase, type ErasureReceipt } from '../../src/service/retention/erasure.ts'
import { TENANT_TABLES } from '../../src/store/query/scope.ts'
import { identifier, sql } from '../../src/store/query/sql.ts'
import { listErasures } from '../../src/store/retention/erasures.ts'
import { projectNames, useServer } from '../harness.ts'
import { recentPeriod } from './recent-period.ts'

/** `heddle erase`: what it removes, and its receipt. test/ops/retention.ts checks the files on disk. */

const server = useServer({ retentionIntervalSeconds: 0 })
const newProject = projectNames('org/erased')

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A trace of two calls; only the root names the user. Returns the ids: root, child. */
async function writeTrace(project_id: string, user_id: string): Promise<[string, string]> {
  const [root, child] = [randomUUID(), randomUUID()]
  const call = { project_id, trace_id: root, op_name: 'chat', started_at: '2026-10-03T00:00:00Z' }
  const ended = { ended_at: '2026-10-03T00:00:01Z', output: `words of ${user_id}`, summary: {} }
  const [entity, project] = project_id.split('/')
  await server.post(`/v2/${entity}/${project}/calls/complete`, {
    batch: [
      { ...call, ...ended, id: root, attributes: { user_id }, inputs: { text: `words of ${user_id}` } },
      {
        ...call,
        ...ended,
        id: child,
        parent_id: root,
        attributes: {},
        inputs: { text: `words of ${user_id}` },
      },
    ],
  })
  return [root, child]
}

async function ids(project_id: string): Promise<string[]> {
  const { calls } = await server.post<{ calls: { id: string }[] }>('/calls/query', {
    project_id,
    columns: ['id'],
  })
  return calls.map(({ id }) => id).sort()
}

/** Stored rows of all tables with data of the project that mention the text, all versions of them. */
async function rowsWith(project_id: string, text: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const shard of server.heddle.deps.db.shards) {
    for (const table of TENANT_TABLES) {
      const row = await shard.first<{ n: string }>(
        sql`SELECT count() AS n FROM ${identifier(table)} AS t WHERE project_id = ${project_id} AND position(toString(tuple(t.*)), ${text}) > 0`,
        { name: 'test', kind: 'scan' },
      )
      if (row?.n !== '0') found[table] = (found[table] ?? 0) + Number(row?.n)
    }
  }
  return found
}

test('erasing a user removes whole traces with feedback and queue items, in all projects, and nobody else', async () => {
  const [one, two] = [newProject(), newProject()]
  const [root, child] = await writeTrace(one, 'anna')
  const other = await writeTrace(one, 'bert')
  await writeTrace(two, 'anna')
  const weave_ref = `weave:///${one}/call/${child}`
  await server.post('/feedback/create', {
    project_id: one,
    weave_ref,
    feedback_type: 'custom',
    payload: { of: 'anna' },
  })
  const queue = await server.post<{ id: string }>(`/api/v1/projects/${one}/queues`, { name: 'Review' })
  await server.post(`/api/v1/projects/${one}/queues/${queue.id}/items`, { call_ids: [root] })
  const source = { source_kind: 'call', source_id: child, source_trace_id: '' }
  await server.post('/dataset_sources/link', {
    project_id: one,
    dataset_object_id: 'questions',
    dataset_digest: 'abc',
    links: [{ row_digest: 'row', sources: [source], link_metadata: { of: 'anna' } }],
  })
  await server.post('/call/update', { project_id: one, call_id: root, display_name: 'of anna' })
  // Deleted through the API before: its text must go as well.
  const [deleted] = await writeTrace(one, 'anna')
  await server.post('/calls/delete', { project_id: one, call_ids: [deleted] })
  const receipt = await erase(
    server.heddle.deps,
    { kind: 'user', end_user: 'anna', project_id: undefined },
    'privacy team',
  )
  expect(await ids(one)).toEqual([...other].sort())
  expect(await ids(two)).toEqual([])
  expect([await rowsWith(one, 'anna'), await rowsWith(two, 'anna')]).toEqual([{}, {}])
  expect(Object.keys(await rowsWith(one, 'bert'))).toContain('calls')
  expect(receipt).toMatchObject({
    requested: { kind: 'user', end_user_sha256: sha256('anna') },
    requested_by: 'privacy team',
    projects: [
      { project_id: one, rows: { feedback: 1, queue_items: 1, dataset_sources: 1 }, table_rows_with_refs: 0 },
      { project_id: two, calls: 2, ids_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ],
  })
  const stored = (await listErasures(server.heddle.deps.db)).find(
    ({ erasure_id }) => erasure_id === receipt.erasure_id,
  )
  expect(JSON.parse(stored?.receipt ?? '')).toEqual(receipt)
  expect(stored?.receipt).not.toContain('anna')
})

test('calls that a sweep indexes and logs again during the erasure leave nothing', async () => {
  const { db, callWriter } = server.heddle.deps
  const project_id = newProject()
  const traces = await Promise.all(Array.from({ length: 4 }, () => writeTrace(project_id, 'frida')))
  for (const shard of db.shards) {
    const command = shard.command.bind(shard)
    vi.spyOn(shard, 'command').mockImplementation(async (...args) => {
      if (args[1] === 'erase calls') await repairWritten(shard, callWriter, recentPeriod())
      await command(...args)
    })
  }
  await erase(server.heddle.deps, { kind: 'user', end_user: 'frida', project_id }, 'test').finally(() =>
    vi.restoreAllMocks(),
  )
  for (const id of traces.flat()) expect(await rowsWith(project_id, id)).toEqual({})
})

test('erasing traces removes exactly them; the receipt has the hash of their ids', async () => {
  const project_id = newProject()
  const gone = await writeTrace(project_id, 'carl')
  const stays = await writeTrace(project_id, 'carl')
  await server.post('/table/create', {
    table: { project_id, rows: [{ from: `weave:///${project_id}/call/${gone[1]}` }, { from: 'nowhere' }] },
  })
  const request = { kind: 'traces', trace_ids: [gone[0]], project_id } as const
  const receipt = await erase(server.heddle.deps, request, 'me')
  expect(await ids(project_id)).toEqual([...stays].sort())
  expect(receipt.projects).toMatchObject([
    {
      calls: 2,
      ids_sha256: sha256([...gone].sort().join('\n')),
      rows: { calls: 2, call_ids: 2 },
      table_rows_with_refs: 1,
    },
  ])
})

test('erasing a project leaves no row of it, but the receipt', async () => {
  const project_id = newProject()
  await writeTrace(project_id, 'dora')
  const receipt: ErasureReceipt = await erase(server.heddle.deps, { kind: 'project', project_id }, 'me')
  expect(receipt).toMatchObject({
    total_calls: 2,
    projects: [{ project_id, rows: { calls: 2, call_ids: 2 } }],
  })
  expect(await rowsWith(project_id, '')).toEqual({})
  await expect(erase(server.heddle.deps, { kind: 'project', project_id }, 'me')).rejects.toThrow(/no project/)
})
