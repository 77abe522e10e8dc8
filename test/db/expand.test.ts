import { beforeAll, expect, test } from 'vitest'
import { parseJsonLines, useServer } from '../harness.ts'

/** Queries and sort orders through expanded refs, and optional parts of a call: sizes and usernames. */

const server = useServer()
const PROJECT = 'acme/expand'

type Json = Record<string, unknown>

async function publish(object_id: string, val: unknown): Promise<string> {
  const obj = { project_id: PROJECT, object_id, val }
  const { digest } = await server.post<{ digest: string }>('/obj/create', { obj })
  return `weave:///${PROJECT}/object/${object_id}:${digest}`
}

let serial = 0

async function log(name: string, extra: Json): Promise<void> {
  const started_at = `2026-05-01T00:00:${String(serial++).padStart(2, '0')}.000000Z`
  await server.post('/v2/acme/expand/calls/complete', {
    batch: [
      {
        project_id: PROJECT,
        id: name,
        trace_id: `trace-of-${name}`,
        op_name: 'answer',
        started_at,
        ended_at: started_at,
        attributes: {},
        inputs: {},
        summary: {},
        ...extra,
      },
    ],
  })
}

const field = (name: string) => ({ $getField: name })
const literal = (value: unknown) => ({ $literal: value })
const eq = (name: string, value: unknown) => ({ $eq: [field(name), literal(value)] })

async function read(extra: Json): Promise<Json[]> {
  const response = await server.send('/calls/stream_query', { project_id: PROJECT, ...extra })
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`)
  return parseJsonLines<Json>(response.text)
}

async function ids(query: object, expand_columns: string[], extra: Json = {}): Promise<unknown[]> {
  const request = {
    query: { $expr: query },
    expand_columns,
    return_expanded_column_values: false,
    ...extra,
  }
  const { count } = await server.post<{ count: number }>('/calls/query_stats', {
    project_id: PROJECT,
    ...request,
  })
  const found = (await read(request)).map((call) => call['id'])
  const paged = (await read({ ...request, limit: 100 })).map((call) => call['id'])
  expect(paged).toEqual(found)
  expect(count).toBe(found.length)
  return found
}

beforeAll(async () => {
  const prompt = await publish('prompt', { content: 'Be brief', tone: { level: 3 } })
  const rude = await publish('prompt', { content: 'Be rude', tone: { level: 1 } })
  const cool = await publish('model', { temperature: 0.5, name: 'cool', prompt })
  const hot = await publish('model', {
    temperature: 1.5,
    name: 'hot',
    prompt: rude,
    tags: ['a', { deep: 7 }],
  })
  const gone = await publish('gone', { temperature: 9, name: 'gone' })
  await server.post('/obj/delete', {
    project_id: PROJECT,
    object_id: 'gone',
    digests: [gone.split(':').at(-1)],
  })
  const rows = [
    { question: 'Why?', score: 1 },
    { question: 'How?', score: 2 },
  ]
  const table = await server.post<{ digest: string; row_digests: string[] }>('/table/create', {
    table: { project_id: PROJECT, rows },
  })
  const data = await publish('data', { rows: `weave:///${PROJECT}/table/${table.digest}` })
  const row = (n: number): string => `${data}/attr/rows/id/${table.row_digests[n]}`
  await log('cool', { inputs: { model: cool, example: row(0) }, output: hot })
  await log('hot', { inputs: { model: hot, example: row(1) }, output: { name: 'plain' } })
  await log('inline', { inputs: { model: { temperature: 1, name: 'inline', prompt } } })
  await log('gone', { inputs: { model: gone } })
  await log('foreign', { inputs: { model: cool.replace(PROJECT, 'acme/other') } })
  await log('part', { inputs: { model: `${hot}/attr/tags/index/1`, example: `${row(0)}/key/question` } })
  await log('none', { inputs: {} })
})

test('a query resolves a ref in an expanded column, and only there', async () => {
  expect(await ids(eq('inputs.model.name', 'cool'), ['inputs.model'])).toEqual(['cool'])
  expect(await ids(eq('inputs.model.name', 'cool'), [])).toEqual([])
  expect(await ids(eq('inputs.model.name', 'cool'), ['inputs.mod'])).toEqual([])
  expect(await ids({ $gt: [field('inputs.model.temperature'), literal(0.7)] }, ['inputs.model'])).toEqual([
    'hot',
    'inline',
  ])
})

test('a value that is not a ref is compared as it is', async () => {
  expect(await ids(eq('inputs.model.name', 'inline'), ['inputs.model'])).toEqual(['inline'])
  expect(await ids(eq('output.name', 'plain'), ['output'])).toEqual(['hot'])
  expect(await ids(eq('output.name', 'hot'), ['output'])).toEqual(['cool'])
})

test('the expanded column itself is the ref', async () => {
  const has = (substr: string) => ({ $contains: { input: field('inputs.model'), substr: literal(substr) } })
  const ref = { $and: [has('/object/'), { $not: [has('{')] }] }
  expect(await ids(ref, ['inputs.model'])).toEqual(['cool', 'hot', 'gone', 'foreign', 'part'])
})

test('a deleted object, another project and a missing value have no value', async () => {
  const exists = { $convert: { input: field('inputs.model.name'), to: 'exists' } }
  expect(await ids({ $and: [exists] }, ['inputs.model'])).toEqual(['cool', 'hot', 'inline'])
  expect(await ids({ $not: [exists] }, ['inputs.model'])).toEqual(['gone', 'foreign', 'part', 'none'])
  // Comparing text with a number is neither true nor false, also through a ref.
  const above = { $gt: [field('inputs.model.name'), literal(1)] }
  expect(await ids({ $or: [above, { $not: [above] }] }, ['inputs.model'])).toEqual([])
})

test('each further ref needs its own expanded column', async () => {
  const both = ['inputs.model', 'inputs.model.prompt']
  expect(await ids(eq('inputs.model.prompt.content', 'Be brief'), both)).toEqual(['cool', 'inline'])
  expect(await ids(eq('inputs.model.prompt.tone.level', 1), both.toReversed())).toEqual(['hot'])
  expect(await ids(eq('inputs.model.prompt.content', 'Be brief'), ['inputs.model'])).toEqual([])
})

test('table rows and paths after a ref are resolved', async () => {
  expect(await ids(eq('inputs.example.question', 'How?'), ['inputs.example'])).toEqual(['hot'])
  expect(await ids(eq('inputs.model.deep', 7), ['inputs.model'])).toEqual(['part'])
  const size = { $gt: [{ $size: field('inputs.model.tags') }, literal(1)] }
  expect(await ids(size, ['inputs.model'])).toEqual(['hot'])
})

test('fields of referenced objects are compared with each other and with fields of the call', async () => {
  const columns = ['inputs.model', 'inputs.example', 'output']
  const hotter = {
    $gt: [
      { $convert: { input: field('inputs.example.score'), to: 'double' } },
      { $convert: { input: field('inputs.model.temperature'), to: 'double' } },
    ],
  }
  expect(await ids(hotter, columns)).toEqual(['cool', 'hot'])
  const named = { $and: [{ $eq: [field('inputs.model.name'), field('id')] }, eq('op_name', 'answer')] }
  expect(await ids(named, columns, { filter: { call_ids: ['hot', 'inline', 'none'] } })).toEqual([
    'hot',
    'inline',
  ])
})

test('sorting resolves refs; calls without a value come last', async () => {
  const order = async (direction: string, extra: Json = {}) => {
    const sort_by = [
      { field: 'inputs.model.temperature', direction },
      { field: 'started_at', direction: 'asc' },
    ]
    const calls = await read({ sort_by, expand_columns: ['inputs.model'], columns: ['id'], ...extra })
    return calls.map((call) => call['id'])
  }
  expect(await order('asc')).toEqual(['cool', 'inline', 'hot', 'gone', 'foreign', 'part', 'none'])
  expect(await order('desc', { limit: 3 })).toEqual(['hot', 'inline', 'cool'])
  expect(await order('desc', { limit: 1, offset: 1 })).toEqual(['inline'])
})

test('expanded values are returned unless return_expanded_column_values is false', async () => {
  const request = { filter: { call_ids: ['cool'] }, expand_columns: ['inputs.model'] }
  const [expanded] = await read(request)
  expect(expanded?.['inputs']).toMatchObject({
    model: { name: 'cool', _ref: expect.stringContaining('model:') },
  })
  const [unexpanded] = await read({ ...request, return_expanded_column_values: false })
  expect(unexpanded?.['inputs']).toMatchObject({ model: expect.stringContaining('weave:///') })
})

test('more than 10 ref joins are rejected with a reason', async () => {
  const columns = Array.from({ length: 11 }, (_, n) => `inputs.c${n}`)
  const query = { $expr: { $and: columns.map((name) => eq(`${name}.x`, 1)) } }
  const response = await server.send('/calls/query_stats', {
    project_id: PROJECT,
    query,
    expand_columns: columns,
  })
  expect([response.status, response.json['reason']]).toEqual([400, expect.stringContaining('at most 10')])
})

test('sizes are payload bytes: per call, per trace on its root, and in total', async () => {
  const trace_id = 'sized'
  await log('root', { trace_id, inputs: { a: 'ü' }, output: [1], summary: {}, attributes: {} })
  await log('leaf', { trace_id, parent_id: 'root', inputs: {}, output: null })
  const request = {
    filter: { trace_ids: [trace_id] },
    include_storage_size: true,
    include_total_storage_size: true,
  }
  const own = Buffer.byteLength('{"a":"ü"}[1]{}{}')
  const calls = await read({ ...request, columns: ['id'] })
  const leaf = calls[1]?.['storage_size_bytes'] as number
  expect(leaf).toBeGreaterThanOrEqual(6)
  expect(calls).toMatchObject([
    { id: 'root', storage_size_bytes: own, total_storage_size_bytes: own + leaf },
    { id: 'leaf', total_storage_size_bytes: null },
  ])
  const one = await server.post<{ call: Json }>('/call/read', { project_id: PROJECT, id: 'root', ...request })
  expect(one.call).toMatchObject({ storage_size_bytes: own, total_storage_size_bytes: own + leaf })
  const stats = await server.post('/calls/query_stats', { project_id: PROJECT, ...request })
  expect(stats).toEqual({ count: 2, has_more: false, total_storage_size_bytes: own + leaf })
  expect((await read({ filter: request.filter }))[0]).toMatchObject({
    storage_size_bytes: null,
    total_storage_size_bytes: null,
  })
})

test('usernames are returned on request', async () => {
  const [call] = await read({ filter: { call_ids: ['cool'] }, include_usernames: true, columns: ['id'] })
  expect(call?.['wb_username']).toBe('admin')
  const [bare] = await read({ filter: { call_ids: ['cool'] } })
  expect(bare).not.toHaveProperty('wb_username')
})
