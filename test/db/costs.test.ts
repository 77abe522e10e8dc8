import { beforeAll, expect, test } from 'vitest'
import { RawJson } from '../../src/contract/raw-json.ts'
import { callCosts } from '../../src/core/costs/cost.ts'
import { parseTime } from '../../src/core/time/time.ts'
import { syncDefaultPrices } from '../../src/service/costs/default-prices.ts'
import { findPrices } from '../../src/store/costs/prices.ts'
import { projectNames, useServer } from '../harness.ts'

const server = useServer()

type Row = Record<string, unknown>

interface Created {
  ids: [string, string][]
}

const JANUARY = '2026-01-01T00:00:00.000000Z'

const newProject = projectNames('acme/costs')

function cost(extra: Row = {}): Row {
  return { prompt_token_cost: 0.1, completion_token_cost: 0.2, ...extra }
}

async function create(project_id: string, costs: Row): Promise<[string, string][]> {
  return (await server.post<Created>('/cost/create', { project_id, costs })).ids
}

async function query(project_id: string, extra: Row = {}): Promise<Row[]> {
  return (await server.post<{ results: Row[] }>('/cost/query', { project_id, ...extra })).results
}

async function status(path: string, body: unknown): Promise<number> {
  return (await server.send(path, body)).status
}

const byId = (id: string) => ({ $eq: [{ $getField: 'id' }, { $literal: id }] })

beforeAll(async () => {
  await server.heddle.deps.defaultPrices.ready()
})

test('creating a price returns [id, llm_id]; the list has every field of the contract', async () => {
  const project_id = newProject()
  const [[id, llm_id] = ['', '']] = await create(project_id, {
    'my-model': cost({ effective_date: JANUARY }),
  })
  expect(llm_id).toBe('my-model')
  expect(await query(project_id)).toEqual([
    {
      id,
      llm_id: 'my-model',
      prompt_token_cost: 0.1,
      completion_token_cost: 0.2,
      cache_read_input_token_cost: 0,
      cache_creation_input_token_cost: 0,
      prompt_token_cost_unit: 'USD',
      completion_token_cost_unit: 'USD',
      effective_date: JANUARY,
      provider_id: 'default',
    },
  ])
})

test('a price without a date is effective from now; null means absent', async () => {
  const project_id = newProject()
  const nothing = { effective_date: null, provider_id: null, prompt_token_cost_unit: null }
  await create(project_id, { m: cost({ ...nothing, cache_read_input_token_cost: null }) })
  const [price] = await query(project_id)
  expect(price).toMatchObject({ provider_id: 'default', prompt_token_cost_unit: 'USD' })
  expect(Math.abs(Date.now() - Date.parse(String(price?.['effective_date'])))).toBeLessThan(60_000)
})

test('a price is returned as it was sent, digit for digit', async () => {
  const project_id = newProject()
  const body = `{"project_id":"${project_id}","costs":{"m":{"prompt_token_cost":0.000000123456789012345678,"completion_token_cost":1.50e-6}}}`
  expect((await server.send('/cost/create', body)).status).toBe(200)
  const { text } = await server.send('/cost/query', { project_id })
  expect(text).toContain('"prompt_token_cost":0.000000123456789012345678,"completion_token_cost":1.50e-6')
})

test('a dated price sent again is the same price', async () => {
  const project_id = newProject()
  const costs = { m: cost({ effective_date: JANUARY, provider_id: 'p' }) }
  const first = await create(project_id, costs)
  expect(await create(project_id, costs)).toEqual(first)
  expect(await query(project_id)).toHaveLength(1)
  const other = await create(project_id, {
    m: cost({ effective_date: JANUARY, provider_id: 'p', prompt_token_cost: 3 }),
  })
  expect(other).not.toEqual(first)
  expect(await query(project_id)).toHaveLength(2)
})

test('only the requested fields are returned; an unknown field is rejected', async () => {
  const project_id = newProject()
  await create(project_id, { m: cost({ effective_date: JANUARY }) })
  expect(await query(project_id, { fields: ['llm_id', 'prompt_token_cost'] })).toEqual([
    { llm_id: 'm', prompt_token_cost: 0.1 },
  ])
  for (const fields of [['nope'], ['id; DROP TABLE prices'], ['__proto__']]) {
    expect(await status('/cost/query', { project_id, fields })).toBe(422)
  }
  expect(await status('/cost/query', { project_id, limit: -1 })).toBe(422)
  expect(await status('/cost/query', { project_id, offset: -1 })).toBe(422)
})

test('prices are filtered, sorted as numbers and paged', async () => {
  const project_id = newProject()
  const rates = [0.5, 10, 2]
  for (const rate of rates) await create(project_id, { [`m${rate}`]: cost({ prompt_token_cost: rate }) })
  const sort_by = [{ field: 'prompt_token_cost', direction: 'desc' }]
  const fields = ['prompt_token_cost']
  expect(await query(project_id, { sort_by, fields })).toEqual(
    [10, 2, 0.5].map((n) => ({ prompt_token_cost: n })),
  )
  expect(await query(project_id, { sort_by, fields, limit: 1, offset: 1 })).toEqual([
    { prompt_token_cost: 2 },
  ])
  const above = { $expr: { $gt: [{ $getField: 'prompt_token_cost' }, { $literal: 0.7 }] } }
  expect(await query(project_id, { query: above })).toHaveLength(2)
  const one = { $expr: { $eq: [{ $getField: 'llm_id' }, { $literal: 'm2' }] } }
  expect(await query(project_id, { query: one, fields: ['llm_id'] })).toEqual([{ llm_id: 'm2' }])
  const all = { $expr: { $and: [{ $eq: [{ $literal: '1' }, { $literal: '1' }] }] } }
  expect(await query(project_id, { query: all })).toHaveLength(3)
})

test('the price that include_costs used is found by its id and level, built-in or not', async () => {
  const project_id = newProject()
  await create(project_id, { 'my-model': cost({ effective_date: JANUARY }) })
  const usage = { 'gpt-4o': { prompt_tokens: 3, completion_tokens: 4 }, 'my-model': { prompt_tokens: 1 } }
  const start = { project_id, id: 'priced', op_name: 'x', started_at: '2026-02-01T00:00:00Z' }
  await server.post('/call/start', { start })
  const end = { project_id, id: 'priced', ended_at: '2026-02-01T00:00:01Z', summary: { usage } }
  await server.post('/call/end', { end })
  const read = { project_id, id: 'priced', include_costs: true }
  interface Cost {
    readonly price_id: string
    readonly pricing_level: string
    readonly total_tokens: number
  }
  const { call } = await server.post<{ call: { summary: { weave: { costs: Record<string, Cost> } } } }>(
    '/call/read',
    read,
  )
  const { costs } = call.summary.weave
  // The sum, because the sender gave no total.
  expect(costs['gpt-4o']?.total_tokens).toBe(7)
  const equals = (field: string, value: string | undefined) => ({
    $eq: [{ $getField: field }, { $literal: value }],
  })
  const find = async ($expr: object) =>
    (await query(project_id, { query: { $expr }, fields: ['id', 'llm_id'] })) as unknown as {
      llm_id: string
    }[]
  for (const model of ['gpt-4o', 'my-model']) {
    const byId = equals('id', costs[model]?.price_id)
    expect(await find(byId)).toEqual([{ id: costs[model]?.price_id, llm_id: model }])
    const level = equals('pricing_level', costs[model]?.pricing_level)
    expect((await find({ $and: [level, equals('llm_id', model)] })).length).toBeGreaterThan(0)
  }
  // Other queries find the prices of the project only.
  expect(await find(equals('llm_id', 'gpt-4o'))).toEqual([])
  expect(await find({ $not: [equals('id', 'x')] })).toHaveLength(1)
  expect(await find({ $or: [equals('id', 'x'), equals('llm_id', 'gpt-4o')] })).toEqual([])
})

test('built-in prices are listed only on request, and are filtered and paged like the prices of the project', async () => {
  const project_id = newProject()
  await create(project_id, { 'gpt-4o': cost({ effective_date: JANUARY }) })
  expect(await query(project_id)).toHaveLength(1)
  const known = { $expr: { $eq: [{ $getField: 'llm_id' }, { $literal: 'gpt-4o' }] } }
  const found = await query(project_id, { include_defaults: true, query: known })
  expect(found).toContainEqual(
    expect.objectContaining({ provider_id: 'openai', prompt_token_cost: 0.0000025 }),
  )
  expect(found).toContainEqual(expect.objectContaining({ provider_id: 'default', prompt_token_cost: 0.1 }))
  expect(await query(project_id, { include_defaults: true, limit: 5, offset: 3 })).toHaveLength(5)
  expect((await query(project_id, { include_defaults: true })).length).toBeGreaterThan(1000)
})

test('the built-in prices are written once: a second sync writes nothing', async () => {
  expect(await syncDefaultPrices(server.heddle.deps)).toBe(0)
})

test('a modified or extra built-in price is corrected at the next start', async () => {
  const { db } = server.heddle.deps
  const columns = {
    project_id: 'default',
    pricing_level: 'default',
    llm_id: 'old',
    version: '1',
    is_deleted: 0,
  }
  await db.insert('prices', [{ ...columns, id: 'gone', prompt_token_cost: '1', created_by: 'system' }])
  expect(await syncDefaultPrices(server.heddle.deps)).toBe(1)
  expect(await syncDefaultPrices(server.heddle.deps)).toBe(0)
})

test('a project cannot read the prices of another, nor delete them or the built-in ones', async () => {
  const [mine, theirs] = [newProject(), newProject()]
  const [[id] = ['']] = await create(theirs, { m: cost({ effective_date: JANUARY, provider_id: 'secret' }) })
  await create(mine, { m: cost({ effective_date: JANUARY }) })
  const yes = { $eq: [{ $literal: 1 }, { $literal: 1 }] }
  for (const $expr of [{ $or: [byId(id), yes] }, { $not: [{ $not: [yes] }] }]) {
    expect(await query(mine, { query: { $expr }, fields: ['provider_id'] })).toEqual([
      { provider_id: 'default' },
    ])
  }
  await server.post('/cost/purge', { project_id: mine, query: { $expr: byId(id) } })
  expect(await query(theirs)).toHaveLength(1)
  const [builtIn] = await query(mine, {
    include_defaults: true,
    query: { $expr: { $eq: [{ $getField: 'provider_id' }, { $literal: 'openai' }] } },
    limit: 1,
  })
  await server.post('/cost/purge', { project_id: mine, query: { $expr: byId(String(builtIn?.['id'])) } })
  expect(await syncDefaultPrices(server.heddle.deps)).toBe(0)
  expect(await status('/cost/query', { project_id: 'default' })).toBe(422)
})

test('purge deletes prices by id and rejects any other query', async () => {
  const project_id = newProject()
  const ids = await create(project_id, { a: cost(), b: cost(), c: cost() })
  const [[a] = [''], [b] = ['']] = ids
  const purge = ($expr: Row) => server.post('/cost/purge', { project_id, query: { $expr } })
  expect(await purge({ $or: [byId(a)] })).toEqual({})
  await purge({ $in: [{ $getField: 'id' }, [{ $literal: b }]] })
  expect(await query(project_id, { fields: ['llm_id'] })).toEqual([{ llm_id: 'c' }])
  const wide = { $expr: { $eq: [{ $getField: 'llm_id' }, { $literal: 'c' }] } }
  expect(await status('/cost/purge', { project_id, query: wide })).toBe(400)
  expect(await query(project_id)).toHaveLength(1)
})

test('a price created again after its purge is listed again', async () => {
  const project_id = newProject()
  const costs = { m: cost({ effective_date: JANUARY }) }
  const [[id] = ['']] = await create(project_id, costs)
  await server.post('/cost/purge', { project_id, query: { $expr: byId(id) } })
  expect(await query(project_id)).toEqual([])
  await create(project_id, costs)
  expect(await query(project_id)).toHaveLength(1)
})

test('an invalid price is rejected with 422', async () => {
  const project_id = newProject()
  for (const extra of [
    { prompt_token_cost: 'free' },
    { prompt_token_cost: null },
    { completion_token_cost: undefined },
    { effective_date: 'soon' },
    { cache_read_input_token_cost: [1] },
  ]) {
    expect(await status('/cost/create', { project_id, costs: { m: cost(extra) } })).toBe(422)
  }
  const huge = `{"project_id":"${project_id}","costs":{"m":{"prompt_token_cost":1e999999,"completion_token_cost":1}}}`
  expect(await status('/cost/create', huge)).toBe(422)
  expect(await query(project_id)).toEqual([])
})

test('a call is priced by date; project prices take precedence, and a dated model name has the price of its model', async () => {
  const project_id = newProject()
  await create(project_id, { 'gpt-4o': cost({ effective_date: '2026-01-01', prompt_token_cost: 1 }) })
  await create(project_id, { 'gpt-4o': cost({ effective_date: '2026-06-01', prompt_token_cost: 2 }) })
  await create(newProject(), { 'gpt-4o': cost({ effective_date: '2026-02-01', prompt_token_cost: 99 }) })
  const models = ['gpt-4o', 'gpt-4o-2024-08-06', 'unheard-of']
  const book = await findPrices(server.heddle.deps.db, project_id, models)
  const usage = RawJson.fromValue(Object.fromEntries(models.map((model) => [model, { prompt_tokens: 1 }])))
  const costsAt = (time: string) =>
    JSON.parse(callCosts(usage, book, parseTime(time) ?? 0n).costs?.text ?? '{}') as Record<string, Row>
  expect(costsAt('2025-01-01')['gpt-4o']).toMatchObject({ pricing_level: 'default', provider_id: 'openai' })
  expect(costsAt('2026-03-01')['gpt-4o']).toMatchObject({
    pricing_level: 'project',
    prompt_tokens_total_cost: 1,
  })
  expect(costsAt('2026-07-01')['gpt-4o']).toMatchObject({
    pricing_level_id: project_id,
    prompt_tokens_total_cost: 2,
  })
  expect(costsAt('2026-07-01')['gpt-4o-2024-08-06']).toMatchObject({ prompt_tokens_total_cost: 0.0000025 })
  expect(costsAt('2026-07-01')['unheard-of']).toBeUndefined()
})
