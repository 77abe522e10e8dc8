import { beforeAll, expect, test } from 'vitest'
import { useServer } from '../harness.ts'

const server = useServer()
const PROJECT = 'acme/metrics'

type Json = Record<string, unknown>

interface Group {
  key: Record<string, string | null>
  totals: Record<string, number | null>
  series: Record<string, (number | null)[]>
  unpriced: string[]
}

interface Metrics {
  start: string
  end: string
  bucket: string
  timezone: string
  timestamps: string[]
  groups: Group[]
  other: Group | null
}

function call(id: string, started_at: string, ms: number | null, extra: Json = {}): Json {
  const ended_at = ms === null ? null : new Date(Date.parse(started_at) + ms).toISOString()
  const rest = { attributes: {}, inputs: {}, summary: {}, ...extra }
  return { project_id: PROJECT, id, trace_id: `t-${id}`, op_name: 'op', started_at, ended_at, ...rest }
}

const queryMetrics = (extra: Json): Promise<Metrics> =>
  server.post<Metrics>(`/api/v1/projects/${PROJECT}/metrics`, {
    start: '2026-02-01T00:00:00Z',
    end: '2026-02-04T00:00:00Z',
    ...extra,
  })

const usage = (model: string, counts: Json): Json => ({ usage: { [model]: counts } })

beforeAll(async () => {
  const price = (prompt_token_cost: number, effective_date: string) =>
    server.post('/cost/create', {
      project_id: PROJECT,
      costs: {
        m: { prompt_token_cost, completion_token_cost: 1, cache_read_input_token_cost: 0.01, effective_date },
      },
    })
  await price(0.1, '2026-01-01')
  await price(0.2, '2026-02-02T12:00:00Z')
  const batch = [
    call('a', '2026-02-01T10:00:00Z', 100, {
      op_name: `weave:///${PROJECT}/op/answer:abc`,
      attributes: { env: 'prod' },
      summary: usage('m', { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 }),
    }),
    call('b', '2026-02-02T10:00:00Z', 300, {
      op_name: `weave:///${PROJECT}/op/answer:def`,
      attributes: { env: 'prod' },
      exception: 'ValueError: no',
      summary: {
        usage: {
          m: { input_tokens: 20, input_tokens_details: { cached_tokens: 5 } },
          unpriced: { prompt_tokens: 4, total_cost: 0.25 },
        },
      },
    }),
    call('c', '2026-02-02T13:00:00Z', 500, {
      attributes: { env: 'dev', gen_ai: { usage: { cost: 1.9 } } },
      summary: { ...usage('m', { prompt_tokens: 10 }), status_counts: { error: 1 } },
    }),
    call('d', '2026-02-02T13:30:00Z', 700, { attributes: { env: ['a list'] } }),
    call('out', '2026-02-04T00:00:00Z', 1),
  ]
  // Everything is sent twice, as by clients that got no response; one call is deleted, and one is running.
  for (let i = 0; i < 2; i++) {
    await server.post('/v2/acme/metrics/calls/complete', {
      batch: [
        ...batch,
        call('gone', '2026-02-02T13:30:00Z', 900, { summary: usage('m', { prompt_tokens: 9 }) }),
      ],
    })
    const { ended_at: _, summary: __, ...running } = call('e', '2026-02-03T01:00:00Z', null)
    await server.post('/call/start', { start: running })
  }
  await server.post('/calls/delete', { project_id: PROJECT, call_ids: ['gone'] })
})

test('calls are counted per day, without repeated and deleted ones', async () => {
  const response = await queryMetrics({
    bucket: 'day',
    measures: ['count', 'errors', 'running', 'p50_latency_ms', 'p99_latency_ms', 'total_tokens', 'cost'],
  })
  expect(response).toEqual({
    start: '2026-02-01T00:00:00.000000Z',
    end: '2026-02-04T00:00:00.000000Z',
    bucket: 'day',
    timezone: 'UTC',
    timestamps: ['2026-02-01T00:00:00+00:00', '2026-02-02T00:00:00+00:00', '2026-02-03T00:00:00+00:00'],
    groups: [
      {
        key: {},
        totals: {
          count: 5,
          errors: 1,
          running: 1,
          p50_latency_ms: 400,
          p99_latency_ms: expect.closeTo(694, 6),
          total_tokens: 46,
          // 10 at 0.1 and 2 at 1; 15 at 0.1 and 5 cached at 0.01; 10 at 0.2.
          cost: 6.55,
        },
        series: {
          count: [1, 3, 1],
          errors: [0, 1, 0],
          running: [0, 0, 1],
          p50_latency_ms: [100, 500, null],
          p99_latency_ms: [100, expect.closeTo(696, 6), null],
          total_tokens: [12, 34, 0],
          cost: [3, 3.55, 0],
        },
        unpriced: ['unpriced'],
      },
    ],
    other: null,
  })
})

test('calls are grouped by op, model, user, status, day and any field path', async () => {
  const counts = async (group_by: string[], extra: Json = {}): Promise<[Json, number | null][]> => {
    const { groups } = await queryMetrics({ group_by, bucket: 'none', ...extra })
    return groups.map(({ key, totals }) => [key, totals['count'] ?? null])
  }
  expect(await counts(['op'])).toEqual([
    [{ op: 'op' }, 3],
    [{ op: 'answer' }, 2],
  ])
  expect(await counts(['model'])).toEqual([
    [{ model: 'm' }, 3],
    [{ model: null }, 2],
    [{ model: 'unpriced' }, 1],
  ])
  expect(await counts(['status'])).toEqual([
    [{ status: 'success' }, 2],
    [{ status: 'descendant_error' }, 1],
    [{ status: 'error' }, 1],
    [{ status: 'running' }, 1],
  ])
  expect(await counts(['attributes.env'])).toEqual([
    [{ 'attributes.env': 'prod' }, 2],
    [{ 'attributes.env': null }, 1],
    [{ 'attributes.env': '["a list"]' }, 1],
    [{ 'attributes.env': 'dev' }, 1],
  ])
  expect(await counts(['day', 'op'], { timezone: 'America/New_York' })).toEqual(
    expect.arrayContaining([[{ day: '2026-02-02', op: 'op' }, 3]]),
  )
  expect((await counts(['user'])).length).toBe(1)
  expect(await counts(['op_name', 'inputs.missing'], { filter: { op_names: ['op'] } })).toEqual([
    [{ op_name: 'op', 'inputs.missing': null }, 3],
  ])
})

test('groups beyond `top` are merged into `other`, with its own percentiles', async () => {
  const { groups, other } = await queryMetrics({
    group_by: ['attributes.env'],
    bucket: 'none',
    measures: ['count', 'p50_latency_ms', 'input_tokens', 'cost'],
    top: 1,
    rank_by: 'cost',
  })
  expect(groups).toEqual([
    {
      key: { 'attributes.env': 'prod' },
      totals: { count: 2, p50_latency_ms: 200, input_tokens: 34, cost: 4.55 },
      series: { count: [], p50_latency_ms: [], input_tokens: [], cost: [] },
      unpriced: ['unpriced'],
    },
  ])
  expect(other).toMatchObject({
    key: {},
    totals: { count: 3, p50_latency_ms: 600, input_tokens: 10, cost: 2 },
    unpriced: [],
  })
})

test('the cost is null if no model has a price', async () => {
  const { groups } = await queryMetrics({ group_by: ['model'], bucket: 'none', measures: ['cost'] })
  expect(groups.map(({ key, totals }) => [key['model'], totals['cost']])).toEqual([
    ['m', 6.55],
    [null, 0],
    ['unpriced', null],
  ])
})

test('buckets follow the calendar of the time zone', async () => {
  const times = async (extra: Json): Promise<string[]> => (await queryMetrics(extra)).timestamps
  const year = { start: '2026-01-15T00:00:00Z', end: '2026-04-02T00:00:00Z', timezone: 'Europe/Berlin' }
  expect(await times({ ...year, bucket: 'month' })).toEqual([
    '2025-12-31T23:00:00+00:00',
    '2026-01-31T23:00:00+00:00',
    '2026-02-28T23:00:00+00:00',
    '2026-03-31T22:00:00+00:00',
  ])
  const weeks = await times({ ...year, start: '2026-03-20T00:00:00Z', bucket: 'week' })
  expect(weeks).toEqual([
    '2026-03-15T23:00:00+00:00',
    '2026-03-22T23:00:00+00:00',
    '2026-03-29T22:00:00+00:00',
  ])
  const { groups } = await queryMetrics({ ...year, bucket: 'month' })
  expect(groups[0]?.series['count']).toEqual([0, 6, 0, 0])
})

test('of 20,001 groups the largest by count, tokens or cost are found, and the rest is summed', async () => {
  const project_id = 'acme/many'
  await server.post('/cost/create', {
    project_id,
    costs: { m: { prompt_token_cost: 0.5, completion_token_cost: 0, effective_date: '2026-01-01' } },
  })
  const calls = Array.from({ length: 20_004 }, (_, n) => ({
    ...call(`call-${n}`, '2026-02-02T00:00:00Z', 10),
    project_id,
    // Three customers have two calls each, the first of them the most tokens.
    attributes: { customer: `c${n % 20_001}` },
    summary: n % 20_001 < 3 ? usage('m', { prompt_tokens: 10 - (n % 20_001) }) : {},
  }))
  for (let from = 0; from < calls.length; from += 5000)
    await server.post('/v2/acme/many/calls/complete', { batch: calls.slice(from, from + 5000) })
  const largest = async (rank_by: string) => {
    const { groups, other } = await server.post<Metrics>('/api/v1/projects/acme/many/metrics', {
      start: '2026-02-01T00:00:00Z',
      end: '2026-02-04T00:00:00Z',
      bucket: 'none',
      group_by: ['attributes.customer'],
      measures: ['count', 'input_tokens', 'cost', 'p50_latency_ms'],
      top: 2,
      rank_by,
    })
    return [...groups, other].map((group) => [
      group?.key['attributes.customer'],
      ...Object.values(group?.totals ?? {}),
    ])
  }
  const expected = [
    ['c0', 2, 20, 10, 10],
    ['c1', 2, 18, 9, 10],
    [undefined, 20_000, 16, 8, 10],
  ]
  for (const rank of ['count', 'input_tokens', 'cost']) expect(await largest(rank)).toEqual(expected)
})

test('invalid parameters are rejected', async () => {
  const status = async (extra: Json): Promise<number> =>
    (
      await server.send(`/api/v1/projects/${PROJECT}/metrics`, {
        start: '2026-02-01T00:00:00Z',
        end: '2026-02-04T00:00:00Z',
        ...extra,
      })
    ).status
  expect(await status({ end: '2026-01-01' })).toBe(400)
  expect(await status({ start: '2020-01-01', bucket: 'minute' })).toBe(400)
  expect(await status({ group_by: ['nothing'] })).toBe(422)
  expect(await status({ measures: ['id'] })).toBe(422)
  expect(await status({ rank_by: 'p50_latency_ms' })).toBe(422)
  expect(await status({ timezone: "UTC') --" })).toBe(422)
})

interface Explanation {
  terms: Json[]
  prices: Json[]
  cost: number
  unpriced: Json[]
  reported: Json | null
}

test('a cost explanation lists each term, its price, and the difference to the reported cost', async () => {
  const response = await server.post<Explanation>(`/api/v1/projects/${PROJECT}/costs`, {})
  expect(response.cost).toBe(6.55)
  expect(response.terms.map((term) => [term['kind'], term['arithmetic']])).toEqual([
    ['prompt', '25 × 0.1 = 2.5'],
    ['completion', '2 × 1 = 2'],
    ['cache_read', '5 × 0.01 = 0.05'],
    ['prompt', '10 × 0.2 = 2'],
  ])
  expect(response.prices).toMatchObject([
    { llm_id: 'm', source: 'own', effective_date: '2026-01-01T00:00:00.000000Z' },
    { llm_id: 'm', source: 'own', effective_date: '2026-02-02T12:00:00.000000Z' },
  ])
  expect(response.unpriced).toEqual([
    {
      model: 'unpriced',
      prompt_tokens: 4,
      completion_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    },
  ])
  expect(response.reported).toEqual({ cost: 2.15, computed: 2, difference: 0.15, unpriced: ['unpriced'] })
})

test('the cost of one call is explained in the same way', async () => {
  const explain = (id: string) => server.send(`/api/v1/projects/${PROJECT}/calls/${id}/cost`)
  expect((await explain('c')).json).toMatchObject({
    terms: [{ model: 'm', kind: 'prompt', tokens: 10, cost_per_token: 0.2, cost: 2, unit: 'USD' }],
    cost: 2,
    reported: { cost: 1.9, computed: 2, difference: -0.1 },
  })
  expect((await explain('d')).json).toEqual({ terms: [], prices: [], cost: 0, unpriced: [], reported: null })
  expect((await explain('gone')).status).toBe(404)
})

test('an aggregate of a score or any other field is computed per bucket, group and overall', async () => {
  const project_id = 'acme/scores'
  const score = (id: string, feedback_type: string, payload: Json) =>
    server.post('/feedback/create', {
      project_id,
      weave_ref: `weave:///${project_id}/call/${id}`,
      feedback_type,
      payload,
      ...(feedback_type.startsWith('wandb.annotation.') && {
        annotation_ref: `weave:///${project_id}/object/helpful:1`,
      }),
      ...(feedback_type.startsWith('wandb.runnable.') && {
        runnable_ref: `weave:///${project_id}/object/${feedback_type.split('.')[2]}:1`,
      }),
    })
  const inputs = [0.5, 1.5, 'warm', { deep: 1 }, 2.5, 'nan']
  await server.post('/v2/acme/scores/calls/complete', {
    batch: inputs.map((temperature, i) => ({
      ...call(`s${i}`, `2026-02-0${1 + (i >> 1)}T10:00:00Z`, (i + 1) * 100),
      project_id,
      inputs: { temperature },
      attributes: { env: i < 3 ? 'prod' : 'dev' },
      summary: usage('m', { prompt_tokens: i }),
    })),
  })
  // An older score of the same call does not count; a person's and a scorer's do alike.
  await score('s0', 'wandb.annotation.helpful', { value: 0 })
  await score('s0', 'wandb.annotation.helpful', { value: 1 })
  await score('s1', 'wandb.runnable.helpful', { output: 0.25 })
  await score('s2', 'wandb.annotation.helpful', { value: 0.5 })
  await score('s3', 'wandb.annotation.helpful', { value: 'very' })
  for (const [id, value] of [
    ['s0', true],
    ['s1', false],
    ['s2', true],
    ['s4', true],
  ] as const) {
    await score(id, 'wandb.runnable.correct', { output: { right: value } })
  }
  await score('s5', 'wandb.reaction.1', { emoji: '👍' })
  const metrics = (extra: Json) =>
    server.post<Metrics>('/api/v1/projects/acme/scores/metrics', {
      start: '2026-02-01T00:00:00Z',
      end: '2026-02-04T00:00:00Z',
      bucket: 'day',
      ...extra,
    })
  const measures = [
    'avg(scores.helpful)',
    'count(scores.helpful)',
    'avg(scores.correct.right)',
    'sum(inputs.temperature)',
    'p50(inputs.temperature)',
    'max(latency)',
    'min(total_tokens)',
    'count(reaction)',
    'avg(scores.nothing)',
  ]
  const { groups } = await metrics({ measures })
  expect(groups[0]?.series).toEqual({
    'avg(scores.helpful)': [0.625, 0.5, null],
    'count(scores.helpful)': [2, 2, 0],
    'avg(scores.correct.right)': [0.5, 1, 1],
    'sum(inputs.temperature)': [2, 0, 2.5],
    'p50(inputs.temperature)': [1, null, 2.5],
    'max(latency)': [200, 400, 600],
    'min(total_tokens)': [0, 2, 4],
    'count(reaction)': [0, 0, 1],
    'avg(scores.nothing)': [null, null, null],
  })
  expect(groups[0]?.totals).toEqual({
    'avg(scores.helpful)': expect.closeTo(1.75 / 3, 9),
    'count(scores.helpful)': 4,
    'avg(scores.correct.right)': 0.75,
    'sum(inputs.temperature)': 4.5,
    'p50(inputs.temperature)': 1.5,
    'max(latency)': 600,
    'min(total_tokens)': 0,
    'count(reaction)': 1,
    'avg(scores.nothing)': null,
  })
  const byEnv = await metrics({
    measures: ['avg(scores.helpful)', 'p50(inputs.temperature)'],
    group_by: ['attributes.env'],
    bucket: 'none',
  })
  expect(byEnv.groups.map(({ key, totals }) => [key['attributes.env'], ...Object.values(totals)])).toEqual([
    ['dev', null, 2.5],
    ['prod', expect.closeTo(1.75 / 3, 9), 1],
  ])
  const byModel = await metrics({
    measures: ['avg(scores.helpful)', 'sum(cost)'],
    group_by: ['model'],
    bucket: 'none',
    top: 1,
  })
  expect(byModel.groups.map(({ key, totals }) => [key['model'], ...Object.values(totals)])).toEqual([
    ['m', expect.closeTo(1.75 / 3, 9), 0],
  ])
  const liked = await metrics({
    measures: ['count'],
    query: { $expr: { $eq: [{ $getField: 'reaction' }, { $literal: '👍' }] } },
  })
  expect(liked.groups[0]?.series['count']).toEqual([0, 0, 1])
})

test('an unknown aggregate, field or malformed measure is rejected with what is allowed', async () => {
  const reject = (measure: string) =>
    server.send(`/api/v1/projects/${PROJECT}/metrics`, { start: '2026-02-01', measures: [measure] })
  for (const measure of ['median(latency)', 'avg()', 'avg(latency', 'avg(nothing)', 'avg(scores)']) {
    expect([measure, (await reject(measure)).status]).toEqual([measure, 422])
  }
  expect(JSON.stringify((await reject('median(latency)')).json)).toContain('avg(scores.helpful)')
  expect(JSON.stringify((await reject('avg(nothing)')).json)).toContain('unknown field')
})
