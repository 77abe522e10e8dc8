import { beforeAll, describe, expect, test } from 'vitest'
import { createAccess } from '../../src/service/access/access.ts'
import { setQuota } from '../../src/service/access/quota-admin.ts'
import { ProjectDeletions } from '../../src/service/access/project-deletions.ts'
import { listMembers } from '../../src/store/access/members.ts'
import { listQuotas } from '../../src/store/access/quotas.ts'
import { NO_RETENTION } from '../../src/core/retention/retention-policy.ts'
import { setPolicy } from '../../src/service/retention/retention.ts'
import { recordDeletions } from '../../src/store/retention/call-deletions.ts'
import { writeSpend } from '../../src/store/models/spend.ts'
import { TENANT_TABLES } from '../../src/store/query/scope.ts'
import { identifier, sql } from '../../src/store/query/sql.ts'
import { projectNames, startTestServer, type TestServer, useServer } from '../harness.ts'
import { fill, readAll, type KnownIds } from '../tenants.ts'
import { waitUntil } from '../wait-until.ts'

/** The display name and the deletion of projects. */

const server = useServer()
const newProject = projectNames('org/p')

/** Up to fourteen mutations, on a machine that runs other tests too. */
const DELETION_MS = 60_000

const path = (project_id: string): string => `/api/v1/projects/${project_id}`
const remove = (project_id: string, send: TestServer['send'] = server.as(server.authorization)) =>
  send(path(project_id), undefined, { method: 'DELETE' })
const rename = (project_id: string, display_name: unknown, send = server.as(server.authorization)) =>
  send(path(project_id), { display_name }, { method: 'PUT' })

interface Listed {
  readonly project_id: string
  readonly display_name: string
  readonly is_deleting: boolean
}

const find = async (project_id: string, at: TestServer = server): Promise<Listed | undefined> =>
  ((await at.send('/api/v1/projects')).json['projects'] as Listed[]).find(
    (each) => each.project_id === project_id,
  )

const untilDeleted = (project_id: string) =>
  waitUntil(async () => (await find(project_id)) === undefined, DELETION_MS)

const start = (project_id: string, id: string, send: TestServer['send'] = server.as(server.authorization)) =>
  send('/call/start', {
    start: { project_id, id, op_name: 'op', started_at: '2026-11-01T00:00:00Z', inputs: { old: 1 } },
  })

/** Stored rows of the project by table on all shards, all versions of them. */
async function rowsByTable(project_id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of TENANT_TABLES) {
    counts[table] = 0
    for (const shard of server.heddle.deps.db.shards) {
      const [row] = await shard.rows<{ n: string }>(
        sql`SELECT count() AS n FROM ${identifier(table)} WHERE project_id = ${project_id}`,
        { name: 'test', kind: 'scan' },
      )
      counts[table] += Number(row?.n)
    }
  }
  return counts
}

/** Every kind of record, also a queue with a claimed item. */
async function fillProject(project_id: string, canary: string): Promise<KnownIds> {
  const ids = await fill(server, { project_id, canary, authorization: server.authorization })
  const queue = await server.post<{ id: string }>(`${path(project_id)}/queues`, { name: canary })
  await server.post(`${path(project_id)}/queues/${queue.id}/items`, { call_ids: [ids.call] })
  await server.post(`${path(project_id)}/queues/${queue.id}/next`, {})
  const { db } = server.heddle.deps
  const retention = { ...NO_RETENTION, calls_max_age_seconds: 3_650 * 86_400 }
  await setPolicy(server.heddle.deps, project_id, retention, 'admin')
  const secret = { value: canary, origins: ['https://api.openai.com'] }
  await server.send(`${path(project_id)}/secrets/KEY`, secret, { method: 'PUT' })
  await server.send(`${path(project_id)}/model_budget`, { dollars_per_day: 1 }, { method: 'PUT' })
  await writeSpend(db, project_id, new Date().toISOString().slice(0, 10), {
    id: 'a',
    kind: 'reserve',
    amount: 1n,
    limit: 1n,
  })
  await recordDeletions(db, [{ project_id, run_id: 'run', reason: 'retention', calls: 1, payloads: 0 }])
  return ids
}

describe('deletion', () => {
  const [gone, kept] = ['org/gone', 'org/kept']
  let keptIds: KnownIds

  beforeAll(async () => {
    await fillProject(gone, 'sparrow')
    keptIds = await fillProject(kept, 'goldfinch')
  })

  test('removes every row of the project and nothing of another', async () => {
    await server.user('guest', { [gone]: 'write', [kept]: 'write' })
    await setQuota(server.heddle.deps, { subject: gone, calls_per_second: 1_000, bytes_per_second: null })
    const before = await rowsByTable(gone)
    // Otherwise the zeros below would prove nothing. Lists of calls exist during a run of retention only.
    expect(Object.keys(before).filter((table) => before[table] === 0)).toEqual(['selected_calls'])
    const others = [await rowsByTable(kept), await readAll(server, server.authorization, keptIds)]
    expect((await remove(gone)).status).toBe(200)
    expect(await find(gone)).toMatchObject({ is_deleting: true })
    await untilDeleted(gone)
    expect(await rowsByTable(gone)).toEqual(Object.fromEntries(TENANT_TABLES.map((table) => [table, 0])))
    expect([await rowsByTable(kept), await readAll(server, server.authorization, keptIds)]).toEqual(others)
    const members = (await listMembers(server.heddle.deps.db)).filter(({ user_id }) => user_id === 'guest')
    expect(members.map(({ project }) => project)).toEqual(['kept'])
    expect((await listQuotas(server.heddle.deps.db)).map(({ subject }) => subject)).not.toContain(gone)
    expect((await remove(gone)).status).toBe(404)
  })

  test('requests are refused until it is complete; a later write creates a new project without the old data', async () => {
    const project_id = newProject()
    await start(project_id, 'call-1')
    await remove(project_id)
    for (const refused of [
      await start(project_id, 'call-2'),
      await server.send('/calls/query_stats', { project_id }),
    ]) {
      expect([refused.status, refused.json['code']]).toEqual([503, 'unavailable'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    await untilDeleted(project_id)
    // The start of this end was deleted, also from the memory of the process that stored it.
    const end = { project_id, id: 'call-1', ended_at: '2026-11-01T00:00:01Z', summary: {} }
    expect((await server.send('/call/end', { end })).status).toBe(200)
    expect((await server.send('/calls/query_stats', { project_id })).json).toMatchObject({ count: 0 })
    expect((await start(project_id, 'call-3')).status).toBe(200)
    expect((await server.send('/calls/query_stats', { project_id })).json).toMatchObject({ count: 1 })
    expect(await find(project_id)).toMatchObject({ is_deleting: false, display_name: '' })
  })

  test('writes that arrive all the time end up in no table, or whole in the new project', async () => {
    const project_id = newProject()
    await start(project_id, 'first')
    const over = new AbortController()
    const stored: string[] = []
    let n = 0
    const write = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const id = `call-${n++}`
        const isStored = (await start(project_id, id)).status === 200
        if (isStored) stored.push(id)
        else await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const writers = Array.from({ length: 4 }, write)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await remove(project_id)
    const atDeletion = stored.length
    await waitUntil(() => stored.length > atDeletion + 20, DELETION_MS)
    over.abort()
    await Promise.all(writers)
    const listed = (await server.post<{ calls: { id: string }[] }>('/calls/query', { project_id })).calls
    const found = new Set(listed.map(({ id }) => id))
    // Each listed call is also found by its id, so its rows in the other tables were not deleted.
    for (const id of found)
      expect((await server.post<{ call: unknown }>('/call/read', { project_id, id })).call).not.toBeNull()
    expect(found.has('first')).toBe(false)
    expect(stored.slice(-20).every((id) => found.has(id))).toBe(true)
    expect(await find(project_id)).toMatchObject({ is_deleting: false })
  })

  test('another node that knew the project records it again after the deletion', async () => {
    const project_id = newProject()
    const other = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
    await start(project_id, 'a', other.as(other.authorization))
    await remove(project_id)
    await untilDeleted(project_id)
    other.heddle.access.invalidate()
    expect((await start(project_id, 'b', other.as(other.authorization))).status).toBe(200)
    expect(await find(project_id)).toMatchObject({ is_deleting: false })
    await other.heddle.stop()
  })

  test('is completed by another process if the one that began it was stopped', async () => {
    const project_id = newProject()
    await start(project_id, 'a')
    const { deps } = server.heddle
    const stopped = new ProjectDeletions(deps, createAccess(deps), () => {})
    await stopped.begin(project_id)
    // A process whose clock is two minutes ahead: the deletion is overdue.
    const later = { ...deps, now: () => deps.now() + 120_000_000n }
    const access = createAccess(later)
    await access.authenticate(server.authorization)
    const errors: unknown[] = []
    const second = new ProjectDeletions(later, access, (error) => errors.push(error))
    second.start()
    await untilDeleted(project_id)
    second.stop()
    expect(errors).toEqual([])
    expect(Object.values(await rowsByTable(project_id)).every((rows) => rows === 0)).toBe(true)
    server.heddle.access.invalidate()
    expect((await start(project_id, 'b')).status).toBe(200)
  })

  test('needs the role admin in this project', async () => {
    const project_id = newProject()
    await start(project_id, 'a')
    const writer = server.as(await server.user('writer', { [project_id]: 'write' }))
    const boss = server.as(await server.user('boss', { [newProject()]: 'admin' }))
    for (const send of [writer, boss]) {
      expect((await remove(project_id, send)).status).toBe(403)
      expect((await rename(project_id, 'Mine', send)).status).toBe(403)
    }
    expect(await find(project_id)).toMatchObject({ is_deleting: false, display_name: '' })
  })
})

describe('the display name', () => {
  test('is listed, can be changed and removed, and leaves the id as it is', async () => {
    const project_id = newProject()
    await start(project_id, 'a')
    expect((await rename(project_id, '  Support bot ')).status).toBe(200)
    expect(await find(project_id)).toMatchObject({ project_id, display_name: 'Support bot' })
    expect((await start(project_id, 'b')).status).toBe(200)
    expect((await rename(project_id, '')).status).toBe(200)
    expect(await find(project_id)).toMatchObject({ display_name: '' })
    expect((await rename('org/nothing', 'x')).status).toBe(404)
    expect((await rename(project_id, 'two\nlines')).status).toBe(422)
  })
})
