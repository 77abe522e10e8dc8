import { describe, expect, test } from 'vitest'
import type { Queue, QueueItem } from '../../src/contract/queues/queues.ts'
import { claimItem, findHolders } from '../../src/store/queues/queue-claims.ts'
import { type TestServer, useServer } from '../harness.ts'

const server = useServer()

type Send = TestServer['send']

const admin: Send = (...request) => server.send(...request)

const queuesPath = (project_id: string, rest = ''): string => `/api/v1/projects/${project_id}/queues${rest}`

async function sendJson<T>(send: Send, path: string, body?: unknown, method?: string): Promise<T> {
  const response = await send(path, body, method === undefined ? {} : { method })
  expect([path, response.status, response.text.slice(0, 300)]).toEqual([path, 200, expect.anything()])
  return response.json as T
}

/** Creates a project with calls and a queue of them. */
async function createQueue(project_id: string, count: number) {
  const ids = Array.from({ length: count }, (_, i) => `call-${String(i).padStart(3, '0')}`)
  const batch = ids.map((id, i) => ({
    project_id,
    id,
    trace_id: id,
    op_name: 'answer',
    started_at: new Date(1_790_000_000_000 + i * 1000).toISOString(),
    ended_at: new Date(1_790_000_000_500 + i * 1000).toISOString(),
    attributes: {},
    inputs: { n: i },
    output: i,
    summary: {},
  }))
  await server.post(`/v2/${project_id}/calls/complete`, { batch })
  const queue = await server.post<Queue>(queuesPath(project_id), { name: 'Refunds', scores: ['correct'] })
  const added = await server.post(queuesPath(project_id, `/${queue.id}/items`), { call_ids: ids })
  expect(added).toEqual({ added: count, already: 0, missing: 0 })
  const path = queuesPath(project_id, `/${queue.id}`)
  return {
    id: queue.id,
    path,
    ids,
    item: (call_id: string, action: string) => `${path}/items/${call_id}/${action}`,
  }
}

interface Next extends Record<string, unknown> {
  readonly item: QueueItem | null
}

describe('a queue', () => {
  test('is created, changed, listed with its progress, and deleted', async () => {
    const { id, path, ids, item } = await createQueue('acme/created', 3)
    await sendJson(admin, item(ids[0]!, 'state'), { state: 'done' })
    await sendJson(admin, item(ids[1]!, 'state'), { state: 'skipped' })
    const changed = await sendJson<Queue>(admin, path, { name: 'Returns' }, 'PUT')
    expect(changed).toMatchObject({ name: 'Returns', scores: ['correct'], created_by: 'admin' })
    const { queues } = await sendJson<{ queues: Queue[] }>(admin, queuesPath('acme/created'))
    expect(queues).toEqual([changed])
    expect(changed).toMatchObject({ id, total: 3, done: 1, skipped: 1 })
    await sendJson(admin, path, undefined, 'DELETE')
    expect((await server.send(path)).status).toBe(404)
    expect((await server.send(`${path}/items`)).status).toBe(404)
    expect((await server.send(`${path}/next`, {})).status).toBe(404)
    expect(await sendJson(admin, queuesPath('acme/created'))).toEqual({ queues: [] })
  })

  test('adds calls by id in the given order, by query newest first, and each once', async () => {
    const { path, ids } = await createQueue('acme/chosen', 4)
    const again = await server.post(`${path}/items`, { call_ids: [ids[2], 'nowhere', ids[2]] })
    expect(again).toEqual({ added: 0, already: 1, missing: 1 })
    const other = await server.post<Queue>(queuesPath('acme/chosen'), { name: 'By filter' })
    const query = { $expr: { $gt: [{ $getField: 'inputs.n' }, { $literal: 0 }] } }
    const path2 = queuesPath('acme/chosen', `/${other.id}`)
    expect(await server.post(`${path2}/items`, { query, limit: 2 })).toMatchObject({ added: 2 })
    expect(await server.post(`${path2}/items`, { query })).toMatchObject({ added: 1, already: 2 })
    const { items } = await sendJson<{ items: QueueItem[] }>(admin, `${path2}/items`)
    expect(items.map(({ call_id }) => call_id)).toEqual([ids[3], ids[2], ids[1]])
    expect((await server.send(`${path2}/items`, { query, call_ids: ids })).status).toBe(400)
  })

  test('a removed call can be added again, as a new item', async () => {
    const { path, ids, item } = await createQueue('acme/lost', 2)
    await sendJson(admin, item(ids[0]!, 'state'), { state: 'done' })
    await sendJson(admin, `${path}/items/${ids[0]}`, undefined, 'DELETE')
    expect((await server.send(item(ids[0]!, 'claim'), {})).status).toBe(404)
    expect(await server.post(`${path}/items`, { call_ids: [ids[0]] })).toMatchObject({ added: 1 })
    const { items } = await sendJson<{ items: QueueItem[] }>(admin, `${path}/items`)
    expect(items.map(({ call_id, done_by }) => [call_id, done_by])).toEqual([
      [ids[1], null],
      [ids[0], null],
    ])
  })

  test('of another project is not found', async () => {
    const { id, ids } = await createQueue('acme/here', 1)
    const elsewhere = queuesPath('acme/elsewhere', `/${id}`)
    expect((await server.send(elsewhere)).status).toBe(404)
    expect((await server.send(`${elsewhere}/items/${ids[0]}/claim`, {})).status).toBe(404)
  })
})

describe('reviewing', () => {
  test('goes from one call to the next, returns to the claimed one, and records who completed each', async () => {
    const { path, ids, item } = await createQueue('acme/order', 4)
    const next = (body: object = {}) => sendJson<Next>(admin, `${path}/next`, body)
    expect((await next()).item).toMatchObject({ call_id: ids[0], held_by: 'admin' })
    expect((await next()).item).toMatchObject({ call_id: ids[0] })
    expect(await sendJson(admin, item(ids[0]!, 'state'), { state: 'done' })).toMatchObject({
      done_by: 'admin',
      done_at: expect.any(String),
      held_by: null,
    })
    expect((await next({ after: ids[0] })).item).toMatchObject({ call_id: ids[1] })
    await sendJson(admin, item(ids[1]!, 'state'), { state: 'skipped' })
    expect((await next({ after: ids[1] })).item).toMatchObject({ call_id: ids[2] })
    await sendJson(admin, item(ids[2]!, 'state'), { state: 'done' })
    await sendJson(admin, item(ids[3]!, 'state'), { state: 'done' })
    expect(await next({ after: ids[3] })).toEqual({ item: null, total: 4, done: 3, skipped: 1, held: 0 })
    expect((await next({ include_skipped: true })).item).toMatchObject({ call_id: ids[1] })
    await sendJson(admin, item(ids[0]!, 'state'), { state: 'open' })
    expect((await next({ after: ids[3] })).item).toMatchObject({ call_id: ids[0], done_by: null })
  })

  test('an item skipped by one user is still offered to others', async () => {
    const { path, ids, item } = await createQueue('acme/skips', 1)
    const ann = server.as(await server.user('ann', { acme: 'write' }))
    await sendJson(admin, item(ids[0]!, 'state'), { state: 'skipped' })
    expect((await sendJson<Next>(admin, `${path}/next`, {})).item).toBeNull()
    expect((await sendJson<Next>(ann, `${path}/next`, {})).item).toMatchObject({
      call_id: ids[0],
      skipped_by: ['admin'],
    })
  })

  test('a claimed item is skipped by others, cannot be completed by them, and is free after its release', async () => {
    const { path, ids, item } = await createQueue('acme/locked', 2)
    const bob = server.as(await server.user('bob', { acme: 'write' }))
    await sendJson(bob, item(ids[0]!, 'claim'), {})
    expect(await sendJson(admin, item(ids[0]!, 'claim'), {})).toMatchObject({ held_by: 'bob' })
    const rejected = await server.send(item(ids[0]!, 'state'), { state: 'done' })
    expect([rejected.status, rejected.json]).toEqual([409, expect.objectContaining({ held_by: 'bob' })])
    expect(await sendJson<Next>(admin, `${path}/next`, {})).toMatchObject({
      item: { call_id: ids[1] },
      held: 1,
    })
    // Releasing a claim of another user does nothing.
    expect(await sendJson(admin, item(ids[0]!, 'release'), {})).toMatchObject({ held_by: 'bob' })
    expect(await sendJson(bob, item(ids[0]!, 'release'), {})).toMatchObject({ held_by: null })
    expect(await sendJson(admin, item(ids[0]!, 'claim'), {})).toMatchObject({ held_by: 'admin' })
  })

  test('a completed item cannot be completed by another user unless it is reopened', async () => {
    const { id, ids, item } = await createQueue('acme/owned', 1)
    const { db } = server.heddle.deps
    const cleo = server.as(await server.user('cleo', { acme: 'write' }))
    await sendJson(admin, item(ids[0]!, 'state'), { state: 'done' })
    const claim = { project_id: 'acme/owned', queue_id: id, call_id: ids[0]!, user_id: 'admin', seconds: 0 }
    await claimItem(db, claim)
    const rejected = await cleo(item(ids[0]!, 'state'), { state: 'done' })
    expect([rejected.status, rejected.json]).toEqual([409, expect.objectContaining({ done_by: 'admin' })])
    await sendJson(cleo, item(ids[0]!, 'state'), { state: 'open' })
    expect(await sendJson(cleo, item(ids[0]!, 'state'), { state: 'done' })).toMatchObject({ done_by: 'cleo' })
  })

  test('a claim that is not renewed expires', async () => {
    const { id, ids } = await createQueue('acme/leases', 1)
    const { db } = server.heddle.deps
    const claim = { project_id: 'acme/leases', queue_id: id, call_id: ids[0]!, seconds: 1 }
    const holder = async (): Promise<string | undefined> =>
      (await findHolders(db, 'acme/leases', id)).get(ids[0]!)?.user_id
    await claimItem(db, { ...claim, user_id: 'gone' })
    expect(await holder()).toBe('gone')
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(await holder()).toBeUndefined()
    await claimItem(db, { ...claim, user_id: 'here', seconds: 60 })
    // A late claim does not take the item away.
    await claimItem(db, { ...claim, user_id: 'gone', seconds: 60 })
    expect(await holder()).toBe('here')
  })
})

describe('concurrent reviewers', () => {
  test('of twenty concurrent claims of one item exactly one wins, and all see the same holder', async () => {
    const { id, ids } = await createQueue('acme/race', 12)
    const { db } = server.heddle.deps
    for (const call_id of ids) {
      const seen = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const claim = { project_id: 'acme/race', queue_id: id, call_id, seconds: 60 }
          return (await claimItem(db, { ...claim, user_id: `user-${i}` })).get(call_id)?.user_id
        }),
      )
      expect(new Set(seen).size).toBe(1)
      expect(seen[0]).toMatch(/^user-/)
      const holder = (await findHolders(db, 'acme/race', id)).get(call_id)
      expect(holder?.user_id).toBe(seen[0])
    }
  })

  test('the claim log keeps its order across merges', async () => {
    const { id, ids } = await createQueue('acme/merged', 1)
    const { db } = server.heddle.deps
    const claim = { project_id: 'acme/merged', queue_id: id, call_id: ids[0]!, seconds: 60 }
    const claims = Array.from({ length: 20 }, (_, i) => claimItem(db, { ...claim, user_id: `user-${i}` }))
    const winner = (await Promise.all(claims))[0]?.get(ids[0]!)?.user_id
    await db.ddl('OPTIMIZE TABLE queue_claims FINAL')
    expect((await findHolders(db, 'acme/merged', id)).get(ids[0]!)?.user_id).toBe(winner)
  })

  test('of concurrent skips of one call, every acknowledged one is recorded', async () => {
    const { path, ids, item } = await createQueue('acme/concurrent', 12)
    const names = Array.from({ length: 6 }, (_, i) => `s${i}`)
    const people = await Promise.all(
      names.map(async (name) => server.as(await server.user(name, { acme: 'write' }))),
    )
    for (const call_id of ids) {
      const responses = await Promise.all(
        people.map((send) => send(item(call_id, 'state'), { state: 'skipped' })),
      )
      const acknowledged = names.filter((_, i) => responses[i]?.status === 200)
      expect(acknowledged.length).toBeGreaterThan(0)
      const { items } = await sendJson<{ items: QueueItem[] }>(admin, `${path}/items`)
      const skipped = items.find((each) => each.call_id === call_id)?.skipped_by ?? []
      expect([...skipped].sort()).toEqual(acknowledged)
    }
  }, 120_000)

  test('twenty users who request the next call over HTTP get different calls, and each call is completed once', async () => {
    const { path, item } = await createQueue('acme/crowd', 30)
    const people = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => server.as(await server.user(`p${i}`, { acme: 'write' }))),
    )
    const completed = await Promise.all(
      people.map(async (send) => {
        const own: string[] = []
        let after: string | undefined
        for (;;) {
          const { item: next } = await sendJson<Next>(
            send,
            `${path}/next`,
            after === undefined ? {} : { after },
          )
          if (next === null) return own
          await sendJson(send, item(next.call_id, 'state'), { state: 'done' })
          own.push(next.call_id)
          after = next.call_id
        }
      }),
    )
    const all = completed.flat()
    expect(new Set(all).size).toBe(30)
    expect(all.length).toBe(30)
    const { items } = await sendJson<{ items: QueueItem[] }>(admin, `${path}/items`)
    completed.forEach((ids, i) => {
      for (const call_id of ids) expect(items.find((each) => each.call_id === call_id)?.done_by).toBe(`p${i}`)
    })
  }, 120_000)
})
