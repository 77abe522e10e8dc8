import { beforeAll, expect, test } from 'vitest'
import { parseJsonLines, useServer } from '../harness.ts'

const server = useServer()
const PROJECT = 'acme/usage'

type Json = Record<string, unknown>

interface Usage {
  call_usage: Record<string, Record<string, Json>>
  unfinished_call_ids: string[]
}

function call(id: string, parent_id: string | null, usage: unknown, extra: Json = {}): Json {
  return {
    project_id: PROJECT,
    id,
    parent_id,
    trace_id: 'tree',
    op_name: 'op',
    started_at: '2026-03-01T00:00:00Z',
    ended_at: '2026-03-01T00:00:01Z',
    attributes: {},
    inputs: {},
    summary: usage === undefined ? {} : { usage },
    ...extra,
  }
}

const usage = (path: string, extra: Json): Promise<Usage> =>
  server.post<Usage>(path, { project_id: PROJECT, ...extra })

beforeAll(async () => {
  await server.post('/cost/create', {
    project_id: PROJECT,
    costs: {
      m: {
        prompt_token_cost: 0.1,
        completion_token_cost: 0.2,
        cache_read_input_token_cost: 0.01,
        cache_creation_input_token_cost: 0.3,
        effective_date: '2026-01-01',
      },
    },
  })
  const batch = [
    call('root', null, undefined),
    call('left', 'root', { m: { prompt_tokens: 10, completion_tokens: 1, requests: 1, total_tokens: 11 } }),
    call('leaf', 'left', { m: { input_tokens: 3, output_tokens: 2, cache_read_input_tokens: 1 } }),
    call('right', 'root', { unpriced: { prompt_tokens: 5 }, odd: 3, zero: { prompt_tokens: 0 } }),
    call('other', null, { m: { prompt_tokens: 1000 } }, { trace_id: 'other' }),
    call('orphan', 'not-here', { m: { prompt_tokens: 7 } }, { trace_id: 'orphans' }),
  ]
  for (let i = 0; i < 2; i++) await server.post('/v2/acme/usage/calls/complete', { batch })
  await server.post('/call/start', { start: call('running', 'root', undefined) })
})

const none = {
  prompt_tokens_total_cost: null,
  completion_tokens_total_cost: null,
  cache_read_input_tokens_total_cost: null,
  cache_creation_input_tokens_total_cost: null,
}

test('counts that are sent as text are summed', async () => {
  const project_id = 'acme/text-counts'
  const sent = {
    requests: '1',
    prompt_tokens: '10',
    completion_tokens: '4',
    total_tokens: '15',
    cache_read_input_tokens: '2',
  }
  const odd = {
    prompt_tokens: 'many',
    completion_tokens: '',
    total_tokens: '1e3',
    input_tokens: '1234567890123456',
  }
  const record = (id: string, models: Json): Json => ({ ...call(id, null, models), project_id, trace_id: id })
  const batch = [
    record('number', { m: { prompt_tokens: 1, completion_tokens: 1 } }),
    record('text', { m: sent, odd }),
    // A count beyond 32 bits is read from the summary.
    record('large', { m: sent, n: { prompt_tokens: '5000000000', total_tokens: '5000000007' } }),
  ]
  await server.post(`/v2/${project_id}/calls/complete`, { batch })
  const { call_usage } = await server.post<Usage>('/calls/usage', {
    project_id,
    call_ids: ['number', 'text', 'large'],
  })
  const counts = {
    requests: 1,
    prompt_tokens: 10,
    completion_tokens: 4,
    total_tokens: 15,
    cache_read_input_tokens: 2,
  }
  expect(call_usage['text']).toEqual({ m: expect.objectContaining(counts) })
  expect(call_usage['large']).toEqual({
    m: expect.objectContaining(counts),
    n: expect.objectContaining({ prompt_tokens: 5_000_000_000, total_tokens: 5_000_000_007 }),
  })
  const { usage_buckets } = await server.post<{ usage_buckets: Json[] }>('/calls/stats', {
    project_id,
    start: '2026-03-01T00:00:00Z',
    end: '2026-03-01T01:00:00Z',
    granularity: 3600,
    usage_metrics: ['input_tokens', 'output_tokens', 'total_tokens', 'cache_read_input_tokens'].map(
      (metric) => ({
        metric,
      }),
    ),
  })
  const sums = {
    sum_input_tokens: 21,
    sum_output_tokens: 9,
    sum_total_tokens: 32,
    sum_cache_read_input_tokens: 4,
  }
  expect(usage_buckets.find(({ model }) => model === 'm')).toMatchObject(sums)
  const lines = await server.send(`/api/v1/projects/${project_id}/sql`, {
    query:
      "SELECT model, requests, prompt_tokens, total_tokens, cache_read_tokens FROM usage WHERE call_id = 'text' ORDER BY model",
  })
  expect(parseJsonLines<Json>(lines.text)).toEqual([
    expect.anything(),
    { row: ['m', '1', '10', '15', '2'] },
    { row: ['odd', '0', '0', '0', '0'] },
    expect.anything(),
  ])
  const query = { $expr: { $eq: [{ $getField: 'total_tokens' }, { $literal: 15 }] } }
  expect(await server.post('/calls/query_stats', { project_id, query })).toMatchObject({ count: 1 })
})

test('each call of a trace has its own tokens plus those of its descendants', async () => {
  const response = await usage('/trace/usage', { filter: { trace_ids: ['tree'] } })
  const leaf = {
    requests: 0,
    prompt_tokens: 3,
    completion_tokens: 2,
    total_tokens: 5,
    cache_read_input_tokens: 1,
    cache_creation_input_tokens: 0,
    ...none,
  }
  const left = { ...leaf, requests: 1, prompt_tokens: 13, completion_tokens: 3, total_tokens: 16 }
  const unpriced = {
    ...leaf,
    prompt_tokens: 5,
    completion_tokens: 0,
    total_tokens: 5,
    cache_read_input_tokens: 0,
  }
  expect(response).toEqual({
    call_usage: {
      root: { m: left, unpriced },
      left: { m: left },
      leaf: { m: leaf },
      right: { unpriced },
      running: {},
    },
    unfinished_call_ids: ['running'],
  })
})

test('costs are summed exactly; a model without a price has cost null, not 0', async () => {
  const { call_usage } = await usage('/calls/usage', {
    call_ids: ['root', 'other', 'nobody'],
    include_costs: true,
  })
  expect(call_usage).toMatchObject({
    root: {
      m: {
        // 10 and 3 tokens, one of them cached.
        prompt_tokens_total_cost: 1.2,
        completion_tokens_total_cost: 0.6,
        cache_read_input_tokens_total_cost: 0.01,
        cache_creation_input_tokens_total_cost: 0,
      },
      unpriced: none,
    },
    other: { m: { prompt_tokens_total_cost: 100 } },
    nobody: {},
  })
  expect(Object.keys(call_usage)).toEqual(['root', 'other', 'nobody'])
})

test('a call in the middle of a trace includes its descendants', async () => {
  const { call_usage } = await usage('/calls/usage', { call_ids: ['left'] })
  expect(call_usage).toMatchObject({ left: { m: { prompt_tokens: 13 } } })
  expect(await usage('/calls/usage', { call_ids: [] })).toEqual({ call_usage: {}, unfinished_call_ids: [] })
})

test('only matching calls are summed, up to the limit', async () => {
  const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'left' }] } }
  const { call_usage } = await usage('/trace/usage', { query })
  expect(call_usage).toMatchObject({ left: { m: { prompt_tokens: 10 } } })
  expect(Object.keys((await usage('/trace/usage', { limit: 2 })).call_usage)).toHaveLength(2)
})

test('with include_costs a call names its price and the models without a price', async () => {
  const [price] = (await server.post<{ results: Json[] }>('/cost/query', { project_id: PROJECT })).results
  const read = async (id: string, include_costs: boolean): Promise<Json> => {
    const { call: found } = await server.post<{ call: { summary: { weave: Json } } }>('/call/read', {
      project_id: PROJECT,
      id,
      include_costs,
    })
    return found.summary.weave
  }
  expect(await read('left', true)).toMatchObject({ costs: { m: { price_id: price?.['id'] } } })
  expect(await read('left', true)).not.toHaveProperty('unpriced')
  expect(await read('right', true)).toMatchObject({ unpriced: ['unpriced', 'zero'] })
  expect(await read('right', true)).not.toHaveProperty('costs')
  expect(await read('right', false)).not.toHaveProperty('unpriced')
})
