import { expect, test } from 'vitest'
import { sql } from '../../src/store/query/sql.ts'
import { useServer } from '../harness.ts'
import { sqlRunner } from '../sql.ts'

const server = useServer()
let n = 0
const project_id = 'acme/calls'

function newCall(extra: Record<string, unknown> = {}) {
  const id = `call-${++n}`
  return {
    project_id,
    id,
    trace_id: `trace-${n}`,
    op_name: 'op',
    started_at: '2026-11-01T00:00:00.000001Z',
    ...extra,
  }
}

async function readCall(id: string): Promise<Record<string, unknown> | null> {
  return (await server.post<{ call: Record<string, unknown> | null }>('/call/read', { project_id, id })).call
}

async function count(trace_id: string): Promise<number> {
  return (
    await server.post<{ count: number }>('/calls/query_stats', {
      project_id,
      filter: { trace_ids: [trace_id] },
    })
  ).count
}

const end = (call: { id: string }, extra: Record<string, unknown> = {}) => ({
  project_id,
  id: call.id,
  ended_at: '2026-11-01T00:00:01.5Z',
  output: { answer: 42 },
  summary: { usage: {} },
  ...extra,
})

test('a started call is readable immediately and is running until it ends', async () => {
  const call = newCall({ inputs: { a: 1 }, attributes: { b: 2 } })
  expect(await server.post('/call/start', { start: call })).toEqual({ id: call.id, trace_id: call.trace_id })
  expect(await readCall(call.id)).toMatchObject({
    id: call.id,
    op_name: 'op',
    started_at: '2026-11-01T00:00:00.000001Z',
    inputs: { a: 1 },
    attributes: { b: 2 },
    ended_at: null,
    output: null,
    summary: { weave: { status: 'running', trace_name: 'op' } },
  })
  await server.post('/call/end', { end: end(call) })
  expect(await readCall(call.id)).toMatchObject({
    ended_at: '2026-11-01T00:00:01.500000Z',
    output: { answer: 42 },
    summary: { usage: {}, weave: { status: 'success', latency_ms: 1499, trace_name: 'op' } },
  })
  expect(await count(call.trace_id)).toBe(1)
})

test('an end without a start is not visible; the start then completes the call', async () => {
  const call = newCall({ inputs: { a: 1 } })
  await server.post('/call/end', { end: end(call) })
  expect(await readCall(call.id)).toBeNull()
  expect(await count(call.trace_id)).toBe(0)
  await server.post('/call/start', { start: call })
  expect(await readCall(call.id)).toMatchObject({ output: { answer: 42 }, inputs: { a: 1 } })
  expect(await count(call.trace_id)).toBe(1)
})

test('an end before its start in one batch is one call', async () => {
  const call = newCall()
  const response = await server.post('/call/upsert_batch', {
    batch: [
      { mode: 'end', req: { end: end(call) } },
      { mode: 'start', req: { start: call } },
    ],
  })
  expect(response).toEqual({ res: [{}, { id: call.id, trace_id: call.trace_id }] })
  expect(await readCall(call.id)).toMatchObject({ output: { answer: 42 } })
  expect(await count(call.trace_id)).toBe(1)
})

test('an empty exception is returned as sent, and is not an error', async () => {
  const ended = newCall()
  await server.post('/call/start', { start: ended })
  await server.post('/call/end', { end: end(ended, { exception: '' }) })
  const complete = newCall()
  const batch = [{ ...complete, ...end(complete, { exception: '' }), attributes: {}, inputs: {} }]
  await server.post(`/v2/${project_id}/calls/complete`, { batch })
  for (const { id, trace_id } of [ended, complete]) {
    expect(await readCall(id)).toMatchObject({
      exception: '',
      output: { answer: 42 },
      summary: { weave: { status: 'success' } },
    })
    const isStatus = (status: string) => ({
      $expr: { $eq: [{ $getField: 'summary.weave.status' }, { $literal: status }] },
    })
    const counted = (query: object) =>
      server.post('/calls/query_stats', { project_id, filter: { trace_ids: [trace_id] }, query })
    expect(await counted(isStatus('success'))).toMatchObject({ count: 1 })
    expect(await counted(isStatus('error'))).toMatchObject({ count: 0 })
    const query = 'SELECT status, exception FROM calls WHERE id = {id:String}'
    const { rows } = await sqlRunner(server)(project_id, query, { parameters: JSON.stringify({ id }) })
    expect(rows).toEqual([['success', '']])
    const logged = await server.heddle.deps.db.rows(
      sql`SELECT max(has_exception) AS has_exception FROM live_log WHERE id = ${id}`,
      { name: 'test', kind: 'export' },
    )
    expect(logged).toEqual([{ has_exception: 0 }])
  }
})

test('a record sent again in any request shape is never counted twice', async () => {
  const call = newCall({ inputs: { x: [1, 2] } })
  const complete = { ...call, ...end(call), attributes: {} }
  for (let round = 0; round < 3; round++) {
    await server.post('/call/start', { start: call })
    await server.post('/call/end', { end: end(call) })
    await server.post(`/v2/${project_id}/calls/complete`, { batch: [complete, complete] })
    await server.post('/call/upsert_batch', { batch: [{ mode: 'start', req: { start: call } }] })
    expect(await count(call.trace_id)).toBe(1)
    expect(await readCall(call.id)).toMatchObject({ output: { answer: 42 }, inputs: { x: [1, 2] } })
  }
})

test('a start without a time, sent again, is one call with its first time', async () => {
  const start = { project_id, op_name: 'spec only', id: 'plain-id' }
  const first = await server.post<{ trace_id: string }>('/call/start', { start })
  const read = await readCall('plain-id')
  const second = await server.post<{ trace_id: string }>('/call/start', { start })
  expect(second).toEqual(first)
  expect(await readCall('plain-id')).toEqual(read)
  expect(await count(first.trace_id)).toBe(1)
})

test('one id with two different start times is one call', async () => {
  const call = newCall()
  await server.post('/call/start', { start: call })
  const laterCompletion = { ...call, started_at: '2026-10-01T00:00:00Z' }
  await server.post(`/v2/${project_id}/calls/complete`, { batch: [{ ...laterCompletion, ...end(call) }] })
  expect(await count(call.trace_id)).toBe(1)
  expect(await readCall(call.id)).toMatchObject({
    started_at: '2026-10-01T00:00:00.000000Z',
    output: { answer: 42 },
  })
  await server.post('/call/start', { start: call })
  expect(await count(call.trace_id)).toBe(1)
  expect(await readCall(call.id)).toMatchObject({ started_at: '2026-11-01T00:00:00.000001Z' })
})

test('the last acknowledged of two ends wins, whatever their times', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const call = newCall()
    const ends = [
      end(call, { output: 'early' }),
      end(call, { output: 'late', ended_at: '2026-11-01T00:00:09Z' }),
    ]
    await server.post('/call/start', { start: call })
    for (const i of order) await server.post('/call/end', { end: ends[i] })
    expect(await readCall(call.id)).toMatchObject({ output: order[1] === 1 ? 'late' : 'early' })
    expect(await count(call.trace_id)).toBe(1)
  }
})

test('a rename persists before the start, after the end, and when records are sent again', async () => {
  const early = newCall({ display_name: 'given' })
  await server.post('/call/update', { project_id, call_id: early.id, display_name: 'mine' })
  expect(await readCall(early.id)).toBeNull()
  await server.post('/call/start', { start: early })
  expect(await readCall(early.id)).toMatchObject({ display_name: 'mine' })
  await server.post('/call/end', { end: end(early) })
  await server.post('/call/start', { start: early })
  expect(await readCall(early.id)).toMatchObject({
    display_name: 'mine',
    output: { answer: 42 },
    summary: { weave: { display_name: 'mine' } },
  })
  await server.post('/call/update', { project_id, call_id: early.id, display_name: '' })
  expect(await readCall(early.id)).toMatchObject({ display_name: null })
  expect(await count(early.trace_id)).toBe(1)
})

test('deleting a call deletes its descendants, and they stay deleted when sent again', async () => {
  const root = newCall()
  const child = newCall({ trace_id: root.trace_id, parent_id: root.id })
  const grandchild = newCall({ trace_id: root.trace_id, parent_id: child.id })
  const other = newCall({ trace_id: root.trace_id })
  const start = async () => {
    const batch = [grandchild, child, root, other].map((call) => ({ mode: 'start', req: { start: call } }))
    await server.post('/call/upsert_batch', { batch })
  }
  await start()
  expect(await count(root.trace_id)).toBe(4)
  expect(await server.post('/calls/delete', { project_id, call_ids: [child.id] })).toEqual({ num_deleted: 2 })
  expect(await count(root.trace_id)).toBe(2)
  await start()
  await server.post('/call/end', { end: end(child) })
  expect(await count(root.trace_id)).toBe(2)
  expect(await readCall(child.id)).toBeNull()
  expect(await server.post('/calls/delete', { project_id, call_ids: [child.id, 'unknown'] })).toEqual({
    num_deleted: 0,
  })
})

test('a call deleted before its start arrives does not appear', async () => {
  const call = newCall()
  expect(await server.post('/calls/delete', { project_id, call_ids: [call.id] })).toEqual({ num_deleted: 0 })
  await server.post('/call/start', { start: call })
  expect(await readCall(call.id)).toBeNull()
  expect(await count(call.trace_id)).toBe(0)
})

test('numbers are returned with the same digits as sent', async () => {
  const call = newCall()
  const inputs =
    '{"a":1.0,"b":1e22,"c":123456789012345678901234567890,"d":-0.0,"e":1.10,"f":"\\u00e9\\ud800"}'
  const text = JSON.stringify({ start: call }).replace('"op_name"', `"inputs":${inputs},"op_name"`)
  expect((await server.send('/call/start', text)).status).toBe(200)
  const read = await server.send('/call/read', { project_id, id: call.id })
  expect(read.text).toContain(`"inputs":${inputs}`)
})
