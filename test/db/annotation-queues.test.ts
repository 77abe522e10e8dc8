import { describe, expect, test } from 'vitest'
import type { AnnotationQueue, AnnotationQueueItem } from '../../src/contract/queues/annotation-queues.ts'
import type { Queue, QueueItem } from '../../src/contract/queues/queues.ts'
import { parseJsonLines, type TestServer, useServer } from '../harness.ts'

/** Weave's annotation queues are review queues: each API shows what the other one stored. */

const server = useServer()

const admin: TestServer['send'] = (...request) => server.send(...request)

const own = (project_id: string, rest = ''): string => `/api/v1/projects/${project_id}/queues${rest}`
const ref = (project_id: string, name: string, digest = 'abc'): string =>
  `weave:///${project_id}/object/${name}:${digest}`

async function createCalls(project_id: string, count: number): Promise<string[]> {
  const batch = Array.from({ length: count }, (_, i) => ({
    project_id,
    id: `call-${i}`,
    trace_id: `trace-${i}`,
    op_name: i === 0 ? 'first' : 'answer',
    started_at: new Date(1_790_000_000_000 + i * 1000).toISOString(),
    ended_at: new Date(1_790_000_000_500 + i * 1000).toISOString(),
    attributes: {},
    inputs: { n: i },
    output: i,
    summary: {},
  }))
  await server.post(`/v2/${project_id}/calls/complete`, { batch })
  return batch.map(({ id }) => id)
}

async function get<T>(path: string): Promise<T> {
  const { status, json } = await server.send(path)
  expect([path, status]).toEqual([path, 200])
  return json as T
}

/** A queue of as many new calls. */
async function createQueue(project_id: string, count: number) {
  const call_ids = await createCalls(project_id, count)
  const { id } = await server.post<{ id: string }>('/annotation_queues', {
    project_id,
    name: 'Refunds',
    description: 'Was it right?',
    scorer_refs: [ref(project_id, 'correct')],
  })
  const path = `/annotation_queues/${id}`
  const added = await server.post(`${path}/items`, { project_id, call_ids, display_fields: ['inputs.n'] })
  expect(added).toEqual({ added_count: count, duplicates: 0 })
  return {
    id,
    path,
    call_ids,
    items: async (body: object = {}): Promise<AnnotationQueueItem[]> => {
      const request = { project_id, ...body }
      return (await server.post<{ items: AnnotationQueueItem[] }>(`${path}/items/query`, request)).items
    },
    progress: (call_id: string, annotation_state: string, send: TestServer['send'] = admin) =>
      send(`${path}/items/${call_id}/progress`, { project_id, annotation_state }),
  }
}

async function listQueues(project_id: string, body: object = {}): Promise<AnnotationQueue[]> {
  const { text, status } = await server.send('/annotation_queues/query', { project_id, ...body })
  expect(status).toBe(200)
  return parseJsonLines(text)
}

async function callsInQueue(project_id: string, condition: object): Promise<unknown> {
  const query = { $expr: condition }
  const { text } = await server.send('/calls/stream_query', { project_id, query, columns: ['id'] })
  return parseJsonLines<{ id: string }>(text).map(({ id }) => id)
}

const QUEUE_ID = { $getField: 'annotation_queue_items.queue_id' }

describe('an annotation queue', () => {
  test('is a review queue with the scores of its refs', async () => {
    const project_id = 'acme/shown'
    const { id, path } = await createQueue(project_id, 2)
    const { queue } = await get<{ queue: AnnotationQueue }>(`${path}?project_id=${project_id}`)
    expect(queue).toEqual({
      id,
      project_id,
      name: 'Refunds',
      description: 'Was it right?',
      scorer_refs: [ref(project_id, 'correct')],
      created_at: expect.any(String),
      created_by: 'admin',
      updated_at: queue.created_at,
      deleted_at: null,
    })
    expect(await get<Queue>(own(project_id, `/${id}`))).toMatchObject({
      id,
      name: 'Refunds',
      description: 'Was it right?',
      scores: ['correct'],
      total: 2,
    })
  })

  test('that was created in the UI has refs of the latest versions', async () => {
    const project_id = 'acme/reverse'
    const { id } = await server.post<Queue>(own(project_id), { name: 'Tone', scores: ['tone'] })
    const [queue] = await listQueues(project_id)
    expect(queue).toMatchObject({ id, name: 'Tone', scorer_refs: [ref(project_id, 'tone', 'latest')] })
    const [call_id] = await createCalls(project_id, 1)
    await server.post(own(project_id, `/${id}/items`), { call_ids: [call_id] })
    const { items } = await server.post<{ items: AnnotationQueueItem[] }>(
      `/annotation_queues/${id}/items/query`,
      { project_id },
    )
    expect(items).toMatchObject([{ call_id, display_fields: [], annotation_state: 'unstarted' }])
  })

  test('is changed by both APIs, and deleted', async () => {
    const project_id = 'acme/changed'
    const { id, path } = await createQueue(project_id, 1)
    const sent = [ref(project_id, 'correct', 'v1'), ref(project_id, 'tone', 'v2')]
    const put = { method: 'PUT' }
    const changed = await server.send(path, { project_id, name: 'Returns', scorer_refs: sent }, put)
    expect(changed.json).toMatchObject({
      queue: { name: 'Returns', description: 'Was it right?', scorer_refs: sent },
    })
    const { queue } = changed.json as { queue: AnnotationQueue }
    expect(queue.updated_at > queue.created_at).toBe(true)
    await server.send(own(project_id, `/${id}`), { scores: ['tone', 'other'] }, put)
    expect(await listQueues(project_id)).toMatchObject([
      { scorer_refs: [sent[1], ref(project_id, 'other', 'latest')] },
    ])
    const deleted = await server.send(`${path}?project_id=${project_id}`, undefined, { method: 'DELETE' })
    expect(deleted.json).toMatchObject({ queue: { id, name: 'Returns', deleted_at: expect.any(String) } })
    expect(await listQueues(project_id)).toEqual([])
    expect((await server.send(`${path}?project_id=${project_id}`)).status).toBe(404)
    expect((await server.send(own(project_id, `/${id}`))).status).toBe(404)
    expect((await server.send(`${path}/items/query`, { project_id })).status).toBe(404)
  })

  test('is found by a part of its name, sorted and paged', async () => {
    const project_id = 'acme/listed'
    for (const name of ['Beta one', 'alpha', 'beta two'])
      await server.post('/annotation_queues', { project_id, name, scorer_refs: [] })
    const names = async (body: object) => (await listQueues(project_id, body)).map(({ name }) => name)
    expect(await names({})).toEqual(['beta two', 'alpha', 'Beta one'])
    expect(await names({ name: 'BETA' })).toEqual(['beta two', 'Beta one'])
    expect(
      await names({ sort_by: [{ field: 'created_at', direction: 'asc' }], limit: 1, offset: 1 }),
    ).toEqual(['alpha'])
    const unknown = { project_id, sort_by: [{ field: 'color', direction: 'asc' }] }
    expect((await server.send('/annotation_queues/query', unknown)).status).toBe(422)
  })

  test('of another project is not found', async () => {
    const { id, path, call_ids } = await createQueue('acme/mine', 1)
    const project_id = 'acme/other'
    const rejected = [
      await server.send(`${path}?project_id=${project_id}`),
      await server.send(`${path}/items/query`, { project_id }),
      await server.send(`${path}/items`, { project_id, call_ids, display_fields: [] }),
      await server.send(`${path}/items/${call_ids[0]}/progress`, {
        project_id,
        annotation_state: 'completed',
      }),
    ]
    expect(rejected.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(await server.post('/annotation_queues/stats', { project_id, queue_ids: [id] })).toEqual({
      stats: [],
    })
    expect(await callsInQueue(project_id, { $eq: [QUEUE_ID, { $literal: id }] })).toEqual([])
  })
})

describe('items', () => {
  test('are listed with their calls, filtered, sorted and paged', async () => {
    const project_id = 'acme/items'
    const { id, items, call_ids, progress } = await createQueue(project_id, 3)
    const [first] = await items({ include_position: true, limit: 1 })
    expect(first).toEqual({
      id: call_ids[0],
      project_id,
      queue_id: id,
      call_id: call_ids[0],
      call_started_at: '2026-09-21T14:13:20.000000Z',
      call_ended_at: '2026-09-21T14:13:20.500000Z',
      call_op_name: 'first',
      call_trace_id: 'trace-0',
      display_fields: ['inputs.n'],
      added_by: 'admin',
      annotation_state: 'unstarted',
      annotator_user_id: null,
      created_at: expect.any(String),
      created_by: 'admin',
      updated_at: expect.any(String),
      deleted_at: null,
      position_in_queue: 1,
    })
    await progress(call_ids[1]!, 'completed')
    const found = async (body: object) => (await items(body)).map(({ call_id }) => call_id)
    expect(await found({ filter: { call_op_name: 'answer' } })).toEqual(call_ids.slice(1))
    expect(await found({ filter: { call_trace_id: 'trace-2', added_by: null } })).toEqual([call_ids[2]])
    expect(await found({ filter: { id: call_ids[1], added_by: 'admin' } })).toEqual([call_ids[1]])
    expect(await found({ filter: { added_by: 'nobody' } })).toEqual([])
    expect(await found({ filter: { annotation_states: ['completed', 'skipped'] } })).toEqual([call_ids[1]])
    const newest = { sort_by: [{ field: 'call_started_at', direction: 'desc' }] }
    expect(await found(newest)).toEqual([...call_ids].reverse())
    const [second] = await items({ ...newest, limit: 1, offset: 1, include_position: true })
    expect(second).toMatchObject({ call_id: call_ids[1], position_in_queue: 2 })
    expect(second!.updated_at > second!.created_at).toBe(true)
  })

  test('are added once, unknown calls are ignored, and those of deleted calls are not listed', async () => {
    const project_id = 'acme/once'
    const { path, items, call_ids } = await createQueue(project_id, 2)
    const again = { project_id, call_ids: [call_ids[0], 'nowhere'], display_fields: ['output'] }
    expect(await server.post(`${path}/items`, again)).toEqual({ added_count: 0, duplicates: 1 })
    expect((await items()).map(({ display_fields }) => display_fields)).toEqual([['inputs.n'], ['inputs.n']])
    await server.post('/calls/delete', { project_id, call_ids: [call_ids[0]] })
    expect((await items({ include_position: true })).map((item) => item.position_in_queue)).toEqual([2])
  })

  test('have the states of review queues', async () => {
    const project_id = 'acme/states'
    const { id, items, call_ids, progress } = await createQueue(project_id, 4)
    const shown = async () =>
      (await items()).map((item) => [item.annotation_state, item.annotator_user_id] as const)
    const started = await progress(call_ids[0]!, 'in_progress')
    expect(started.json).toMatchObject({
      item: { annotation_state: 'in_progress', annotator_user_id: 'admin' },
    })
    await progress(call_ids[1]!, 'completed')
    await progress(call_ids[2]!, 'skipped')
    expect(await shown()).toEqual([
      ['in_progress', 'admin'],
      ['completed', 'admin'],
      ['skipped', 'admin'],
      ['unstarted', null],
    ])
    const review = await get<{ items: QueueItem[] }>(own(project_id, `/${id}/items`))
    expect(review.items).toMatchObject([
      { held_by: 'admin', done_by: null },
      { done_by: 'admin' },
      { skipped_by: ['admin'], done_by: null },
      { held_by: null, done_by: null, skipped_by: [] },
    ])
    const stats = { project_id, queue_ids: [id, 'unknown'] }
    expect(await server.post('/annotation_queues/stats', stats)).toEqual({
      stats: [{ queue_id: id, total_items: 4, completed_items: 2 }],
    })
    // The other way around.
    await server.post(own(project_id, `/${id}/items/${call_ids[0]}/state`), { state: 'done' })
    await server.post(own(project_id, `/${id}/items/${call_ids[1]}/state`), { state: 'open' })
    await server.post(own(project_id, `/${id}/items/${call_ids[3]}/claim`), {})
    expect(await shown()).toEqual([
      ['completed', 'admin'],
      ['unstarted', null],
      ['skipped', 'admin'],
      ['in_progress', 'admin'],
    ])
  })

  test('that another user holds or has completed are refused with 409', async () => {
    const { call_ids, progress } = await createQueue('acme/held', 2)
    const ann = server.as(await server.user('ann', { acme: 'write' }))
    await progress(call_ids[0]!, 'in_progress', ann)
    for (const state of ['in_progress', 'completed', 'skipped'])
      expect((await progress(call_ids[0]!, state)).status).toBe(409)
    expect((await progress(call_ids[0]!, 'completed', ann)).status).toBe(200)
    await progress(call_ids[1]!, 'completed', ann)
    const rejected = await progress(call_ids[1]!, 'in_progress')
    expect([rejected.status, rejected.json]).toEqual([409, expect.objectContaining({ done_by: 'ann' })])
    expect((await progress(call_ids[1]!, 'in_progress', ann)).status).toBe(409)
    expect((await progress('nowhere', 'completed')).status).toBe(404)
    expect((await progress(call_ids[0]!, 'finished')).status).toBe(422)
  })
})

test('queries on calls find those in a queue, by its id', async () => {
  const project_id = 'acme/queried'
  const { id, path, call_ids } = await createQueue(project_id, 3)
  const other = await server.post<Queue>(own(project_id), { name: 'Other' })
  await server.post(own(project_id, `/${other.id}/items`), { call_ids: call_ids.slice(1) })
  const extra = 'weave-call'
  await server.post('/call/start', {
    start: { project_id, id: extra, op_name: 'op', started_at: '2026-10-01' },
  })
  const inQueue = { $eq: [QUEUE_ID, { $literal: id }] }
  const inOther = { $in: [QUEUE_ID, [{ $literal: other.id }]] }
  expect(await callsInQueue(project_id, inQueue)).toEqual(call_ids)
  expect(await callsInQueue(project_id, { $and: [inQueue, inOther] })).toEqual(call_ids.slice(1))
  expect(await callsInQueue(project_id, { $not: [inOther] })).toEqual([call_ids[0], extra])
  const { count } = await server.post<{ count: number }>('/calls/query_stats', {
    project_id,
    query: { $expr: inQueue },
  })
  expect(count).toBe(3)
  const sorted = await server.send('/calls/stream_query', {
    project_id,
    sort_by: [{ field: 'annotation_queue_items.queue_id', direction: 'desc' }],
  })
  expect(parseJsonLines<{ id: string }>(sorted.text).at(-1)?.id).toBe(extra)
  // A deleted queue has no calls.
  await server.send(`${path}?project_id=${project_id}`, undefined, { method: 'DELETE' })
  expect(await callsInQueue(project_id, inQueue)).toEqual([])
})

test('a queue has more calls than a filter may name', async () => {
  const { items } = await createQueue('admin/large-queue', 1_001)
  expect(await items()).toHaveLength(1_001)
})
