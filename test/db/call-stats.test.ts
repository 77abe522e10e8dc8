import { beforeAll, expect, test } from 'vitest'
import { useServer } from '../harness.ts'

const server = useServer()
const PROJECT = 'acme/stats'

type Json = Record<string, unknown>

interface Stats {
  start: string
  end: string
  granularity: number
  timezone: string
  usage_buckets: Json[]
  call_buckets: Json[]
}

function call(id: string, started_at: string, ms: number | null, extra: Json = {}): Json {
  const ended_at = ms === null ? null : new Date(Date.parse(started_at) + ms).toISOString()
  const rest = { attributes: {}, inputs: {}, summary: {}, ...extra }
  return { project_id: PROJECT, id, trace_id: `t-${id}`, op_name: 'op', started_at, ended_at, ...rest }
}

const stats = (extra: Json): Promise<Stats> =>
  server.post<Stats>('/calls/stats', { project_id: PROJECT, ...extra })

const HOURS = { start: '2026-02-01T00:00:00Z', end: '2026-02-01T03:00:00Z', granularity: 3600 }

beforeAll(async () => {
  const price = (prompt_token_cost: number, effective_date: string) =>
    server.post('/cost/create', {
      project_id: PROJECT,
      costs: {
        m: { prompt_token_cost, completion_token_cost: 1, cache_read_input_token_cost: 0.01, effective_date },
      },
    })
  await price(0.1, '2026-01-01')
  await price(0.2, '2026-02-01T00:45:00Z')
  const batch = [
    call('a', '2026-02-01T00:10:00Z', 100, {
      summary: { usage: { m: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } } },
    }),
    call('b', '2026-02-01T00:50:00Z', 300, {
      exception: 'ValueError: no',
      summary: {
        usage: {
          m: { input_tokens: 20, input_tokens_details: { cached_tokens: 5 } },
          unpriced: { prompt_tokens: 4 },
        },
      },
    }),
    call('child', '2026-02-01T00:50:30Z', 50, {
      parent_id: 'b',
      summary: { usage: { m: { prompt_tokens: 1 } } },
    }),
    call('late', '2026-02-01T03:00:00Z', 1),
    call('early', '2026-01-31T23:59:59.999999Z', 1),
  ]
  for (let i = 0; i < 2; i++) {
    await server.post('/v2/acme/stats/calls/complete', { batch })
    const { ended_at: _, ...running } = call('c', '2026-02-01T02:00:00Z', null)
    await server.post('/call/start', { start: running })
  }
})

test('calls are counted once per time bucket although sent twice, and empty buckets are returned', async () => {
  const response = await stats({
    ...HOURS,
    call_metrics: [
      { metric: 'call_count' },
      { metric: 'error_count', aggregations: ['sum'] },
      { metric: 'latency_ms', aggregations: ['avg', 'min', 'max', 'count'], percentiles: [50, 99.5] },
    ],
  })
  const empty = { min_latency_ms: null, max_latency_ms: null, p50_latency_ms: null, 'p99.5_latency_ms': null }
  expect(response).toEqual({
    start: '2026-02-01T00:00:00.000000Z',
    end: '2026-02-01T03:00:00.000000Z',
    granularity: 3600,
    timezone: 'UTC',
    usage_buckets: [],
    call_buckets: [
      {
        timestamp: '2026-02-01T00:00:00+00:00',
        sum_call_count: 3,
        sum_error_count: 1,
        avg_latency_ms: 150,
        min_latency_ms: 50,
        max_latency_ms: 300,
        count_latency_ms: 3,
        p50_latency_ms: 100,
        'p99.5_latency_ms': expect.closeTo(298, 6),
        count: 3,
      },
      {
        timestamp: '2026-02-01T01:00:00+00:00',
        sum_call_count: 0,
        sum_error_count: 0,
        avg_latency_ms: 0,
        count_latency_ms: 0,
        ...empty,
        count: 0,
      },
      {
        timestamp: '2026-02-01T02:00:00+00:00',
        sum_call_count: 1,
        sum_error_count: 0,
        avg_latency_ms: 0,
        count_latency_ms: 0,
        ...empty,
        count: 1,
      },
    ],
  })
})

test('tokens and costs are grouped by model; each call has the price of its time, and cached tokens their own price', async () => {
  const { usage_buckets } = await stats({
    ...HOURS,
    end: '2026-02-01T01:30:00Z',
    filter: { trace_roots_only: true },
    usage_metrics: ['input_cost', 'output_cost', 'total_cost', 'total_tokens', 'cache_read_input_tokens'].map(
      (metric) => ({ metric }),
    ),
  })
  const first = { timestamp: '2026-02-01T00:00:00+00:00' }
  expect(usage_buckets).toEqual([
    {
      ...first,
      model: 'm',
      sum_input_tokens: 30,
      sum_output_tokens: 2,
      // One call without a total.
      sum_total_tokens: 32,
      sum_cache_read_input_tokens: 5,
      count: 2,
      // 10 at 0.1, 15 at 0.2, 5 from the cache at 0.01, 2 at 1.
      sum_input_cost: 4,
      sum_output_cost: 2,
      sum_total_cost: 6.05,
    },
    {
      ...first,
      model: 'unpriced',
      sum_input_tokens: 4,
      sum_output_tokens: 0,
      sum_total_tokens: 4,
      sum_cache_read_input_tokens: 0,
      count: 1,
      sum_input_cost: null,
      sum_output_cost: null,
      sum_total_cost: null,
    },
    expect.objectContaining({
      timestamp: '2026-02-01T01:00:00+00:00',
      model: 'm',
      count: 0,
      sum_total_cost: 0,
    }),
    expect.objectContaining({
      timestamp: '2026-02-01T01:00:00+00:00',
      model: 'unpriced',
      sum_total_cost: null,
    }),
  ])
  const all = await stats({ ...HOURS, usage_metrics: [{ metric: 'input_tokens', percentiles: [100] }] })
  expect(all.usage_buckets[0]).toMatchObject({ model: 'm', p100_input_tokens: 20, count: 3 })
})

test('buckets follow the requested time zone, also across a daylight-saving change', async () => {
  const { call_buckets } = await stats({
    start: '2026-03-27T23:00:00Z',
    end: '2026-03-30T22:00:00Z',
    granularity: 86_400,
    timezone: 'Europe/Berlin',
    call_metrics: [{ metric: 'call_count' }],
  })
  expect(call_buckets.map((bucket) => bucket['timestamp'])).toEqual([
    '2026-03-27T23:00:00+00:00',
    '2026-03-28T23:00:00+00:00',
    '2026-03-29T22:00:00+00:00',
  ])
})

test('the default bucket size depends on the time range, with at most 10,000 buckets', async () => {
  const seconds = async (end: string, granularity?: number): Promise<number> =>
    (await stats({ start: '2026-02-01T00:00:00Z', end, granularity })).granularity
  expect(await seconds('2026-02-01T02:00:00Z')).toBe(300)
  expect(await seconds('2026-02-01T12:00:00Z')).toBe(3600)
  expect(await seconds('2026-02-04T00:00:00Z')).toBe(21_600)
  expect(await seconds('2026-02-15T00:00:00Z')).toBe(43_200)
  expect(await seconds('2026-03-04T00:00:00Z')).toBe(86_400)
  expect(await seconds('2026-03-04T00:00:00Z', 1)).toBe(268)
})

test('invalid parameters are rejected', async () => {
  const status = async (extra: Json): Promise<number> =>
    (await server.send('/calls/stats', { project_id: PROJECT, ...HOURS, ...extra })).status
  expect(await status({ end: '2026-01-01' })).toBe(400)
  expect(await status({ end: '2026-04-01' })).toBe(400)
  expect(await status({ start: 'soon' })).toBe(422)
  expect(await status({ timezone: "UTC') --" })).toBe(422)
  expect(await status({ granularity: 0 })).toBe(422)
  expect(await status({ call_metrics: [{ metric: 'id' }] })).toBe(422)
  expect(await status({ call_metrics: [{ metric: 'latency_ms', percentiles: [101] }] })).toBe(422)
})
