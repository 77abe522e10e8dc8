import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseJsonLines, startTestServer, useServer } from '../harness.ts'
import { sqlRunner } from '../sql.ts'
import { CallSet } from './call-set.ts'
import { anyCalls } from './random-calls.ts'
import { storeCalls, type VisibleCall } from './stored-calls.ts'

/** Named fields of calls: the same values in filters, sort orders, groups and SQL. */
const server = useServer({ listTimeoutSeconds: 600, scanTimeoutSeconds: 600 })

const runSql = sqlRunner(server)

const PROJECT = 'acme/fields'
const FIELDS = [
  'op',
  'error_type',
  'model',
  'provider',
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'time_to_first_token',
  'tags',
  'end_user',
  'session',
  'environment',
] as const

let calls: readonly VisibleCall[]

beforeAll(async () => {
  const [randomCalls = []] = fc.sample(
    fc
      .array(anyCalls, { minLength: 2, maxLength: 2 })
      .map((sets) =>
        sets.flat().map((call, n) => ({ ...call, id: `${call.id}-${n}`, parent_id: '', isTimed: true })),
      ),
    { numRuns: 1, seed: 20_261_116 },
  )
  calls = new CallSet(PROJECT, await storeCalls(server, PROJECT, randomCalls, 1)).calls
}, 300_000)

const expectedValue = (call: VisibleCall, field: string): unknown => {
  const cell = call.row.get(field)!
  const value = Object.values(cell)[0] as unknown
  return typeof value === 'bigint' ? Number(value) : value
}

test.each(FIELDS)('the SQL column %s has the value of the field', async (field) => {
  const { rows } = await runSql(PROJECT, `SELECT id, ${field} FROM calls`)
  const found = new Map(rows.map(([id, value]) => [id, value]))
  const wrong = calls.flatMap((call) => {
    const [value, expected] = [found.get(call.id), expectedValue(call, field)]
    const isSame =
      JSON.stringify(typeof expected === 'number' ? Number(value) : value) === JSON.stringify(expected)
    return isSame
      ? []
      : [
          {
            value,
            expected,
            attributes: call.row.get('attributes'),
            summary: call.row.get('summary'),
            exception: call.row.get('exception'),
          },
        ]
  })
  expect(wrong.slice(0, 2)).toEqual([])
  expect(found.size).toBe(calls.length)
})

const refOf = (type: string): object => {
  const name = type.split('.').at(-1)
  return type.startsWith('wandb.annotation.')
    ? { annotation_ref: `weave:///acme/priced/object/${name}:1` }
    : { runnable_ref: `weave:///acme/priced/object/${name}:1` }
}

describe('cost, scores and values', () => {
  const project_id = 'acme/priced'
  const ids = async (body: object): Promise<string[]> => {
    const response = await server.send('/calls/stream_query', { project_id, columns: ['id'], ...body })
    expect(response.status, response.text).toBe(200)
    return parseJsonLines<{ id: string }>(response.text).map(({ id }) => id)
  }
  const where = (operator: string, field: string, value: unknown): object => ({
    query: { $expr: { [operator]: [{ $getField: field }, { $literal: value }] } },
  })

  beforeAll(async () => {
    const call = (id: string, day: number, usage: object): object => ({
      project_id,
      id,
      trace_id: id,
      op_name: 'f',
      started_at: `2026-03-0${day}T00:00:00Z`,
      ended_at: `2026-03-0${day}T00:00:01Z`,
      attributes: { user_id: 'ada', tags: ['x', 'y'] },
      inputs: {},
      output: null,
      summary: { usage, ttft_ms: day * 100 },
    })
    const tokens = (prompt_tokens: number, completion_tokens = 0): object => ({
      prompt_tokens,
      completion_tokens,
    })
    await server.post(`/v2/${project_id}/calls/complete`, {
      batch: [
        call('before', 1, { own: tokens(100) }),
        call('after', 5, { own: tokens(100) }),
        call('two', 6, { own: tokens(10, 10), other: tokens(1000) }),
        call('unpriced', 7, { unknown: tokens(5) }),
        call('none', 8, {}),
      ],
    })
    const price = (date: string, prompt: number): object => ({
      prompt_token_cost: prompt,
      completion_token_cost: 0.1,
      effective_date: `${date}T00:00:00Z`,
    })
    for (const costs of [
      { own: price('2026-02-01', 0.01), other: price('2026-02-01', 0.001) },
      { own: price('2026-03-03', 0.02) },
    ])
      await server.post('/cost/create', { project_id, costs })
    for (const [id, feedback_type, payload] of [
      ['before', 'wandb.annotation.helpful', { value: 0.9 }],
      ['after', 'wandb.runnable.helpful', { output: 0.2 }],
      ['after', 'wandb.annotation.helpful', { value: 0.7 }],
      ['two', 'wandb.runnable.judge', { output: { grade: 'good' } }],
    ] as const)
      await server.post('/feedback/create', {
        project_id,
        weave_ref: `weave:///${project_id}/call/${id}`,
        feedback_type,
        payload,
        ...refOf(feedback_type),
      })
  })

  test('costs are those of the responses: by the price when the call started', async () => {
    // before 100 × 0.01, after 100 × 0.02, two 10 × 0.02 + 10 × 0.1 + 1000 × 0.001
    const expected = { before: 1, after: 2, two: 2.2 }
    for (const [id, cost] of Object.entries(expected))
      expect(await ids(where('$eq', 'cost', cost))).toEqual([id])
    expect(await ids(where('$gt', 'cost', 1))).toEqual(['after', 'two'])
    expect(await ids(where('$eq', 'cost', null))).toEqual(['unpriced', 'none'])
    const sort_by = [{ field: 'cost', direction: 'desc' }]
    expect((await ids({ sort_by })).slice(0, 3)).toEqual(['two', 'after', 'before'])
    const { calls: found } = await server.post<{
      calls: { id: string; summary: { weave: { costs?: object } } }[]
    }>('/calls/query', { project_id, include_costs: true })
    for (const { id, summary } of found) {
      const costs = Object.values(summary.weave.costs ?? {}) as Record<string, number>[]
      const total = costs.reduce(
        (sum, each) => sum + each['prompt_tokens_total_cost']! + each['completion_tokens_total_cost']!,
        0,
      )
      expect(total).toBeCloseTo(expected[id as 'two'] ?? 0)
    }
  })

  test('cost filters every way to read calls, and is not a group', async () => {
    const { query } = where('$gt', 'cost', 1.5) as { query: object }
    expect(await server.post('/calls/query_stats', { project_id, query })).toMatchObject({ count: 2 })
    const span = { start: '2026-01-01T00:00:00Z', bucket: 'none', measures: ['count'] }
    const metrics = `/api/v1/projects/${project_id}/metrics`
    expect(await server.post(metrics, { ...span, query })).toMatchObject({
      groups: [{ totals: { count: 2 } }],
    })
    const exported = await server.send(
      `/api/v1/projects/${project_id}/export?what=calls&columns=id&query=${encodeURIComponent(JSON.stringify(query))}`,
    )
    expect(parseJsonLines(exported.text)).toHaveLength(2)
    expect((await server.send(metrics, { ...span, group_by: ['cost'] })).status).toBe(422)
  })

  test('the newest score of a name counts, whoever gave it', async () => {
    expect(await ids(where('$gt', 'scores.helpful', 0.5))).toEqual(['before', 'after'])
    expect(await ids(where('$lt', 'scores.helpful', 0.5))).toEqual([])
    expect(await ids(where('$eq', 'scores.judge.grade', 'good'))).toEqual(['two'])
    const sort_by = [{ field: 'scores.helpful', direction: 'asc' }]
    expect((await ids({ sort_by })).slice(0, 2)).toEqual(['after', 'before'])
  })

  test('tags are those that the app sent and those that people added', async () => {
    const tag = (call_id: string, text: string) =>
      server.post<{ id: string }>('/feedback/create', {
        project_id,
        weave_ref: `weave:///${project_id}/call/${call_id}`,
        feedback_type: 'heddle.tag.1',
        payload: { tag: text },
      })
    const records = [await tag('two', 'billing'), await tag('two', 'x'), await tag('none', 'billing')]
    expect(await ids(where('$eq', 'tags', 'billing'))).toEqual(['two', 'none'])
    const contains = { input: { $getField: 'tags' }, substr: { $literal: 'ill' } }
    expect(await ids({ query: { $expr: { $contains: contains } } })).toEqual(['two', 'none'])
    expect(await ids({ query: { $expr: { $not: [{ $contains: contains }] } } })).toHaveLength(3)
    const path = `/api/v1/projects/${project_id}/calls`
    const body = { columns: ['id'], fields: ['tags'], filter: { call_ids: ['two', 'none'] } }
    const { calls: found } = await server.post<{ calls: { fields: object }[] }>(path, body)
    expect(found.map((call) => call.fields)).toEqual([
      { tags: '["x","y","billing"]' },
      { tags: '["x","y","billing"]' },
    ])
    await server.post('/feedback/purge', {
      project_id,
      query: { $expr: { $in: [{ $getField: 'id' }, records.map(({ id }) => ({ $literal: id }))] } },
    })
    expect(await ids(where('$eq', 'tags', 'billing'))).toEqual([])
  })

  test('values of fields are returned as text', async () => {
    const fields = [
      'cost',
      'model',
      'tags',
      'end_user',
      'provider',
      'scores.helpful',
      'time_to_first_token',
      'inputs.x',
    ]
    const path = `/api/v1/projects/${project_id}/calls`
    const body = { columns: ['id'], fields, filter: { call_ids: ['two', 'before'] } }
    const { calls: found } = await server.post<{ calls: { fields: object }[] }>(path, body)
    expect(found.map((call) => call.fields)).toEqual([
      {
        cost: '2.2',
        model: '["own","other"]',
        tags: '["x","y"]',
        end_user: 'ada',
        provider: null,
        'scores.helpful': null,
        time_to_first_token: '600',
        'inputs.x': null,
      },
      {
        cost: '1',
        model: '["own"]',
        tags: '["x","y"]',
        end_user: 'ada',
        provider: null,
        'scores.helpful': '0.9',
        time_to_first_token: '100',
        'inputs.x': null,
      },
    ])
    expect((await server.send(path, { fields: ['nothing'] })).status).toBe(422)
  })

  test('the time to the first token is a measure', async () => {
    const measures = ['avg_time_to_first_token', 'p50_time_to_first_token']
    const response = await server.post(`/api/v1/projects/${project_id}/metrics`, {
      start: '2026-01-01T00:00:00Z',
      bucket: 'none',
      group_by: ['end_user'],
      measures,
    })
    expect(response).toMatchObject({
      groups: [
        { key: { end_user: 'ada' }, totals: { avg_time_to_first_token: 540, p50_time_to_first_token: 600 } },
      ],
    })
  })
})

test('the attributes of the end user are a setting', async () => {
  const other = await startTestServer({ endUserAttributes: 'customer.id, account' })
  try {
    const start = (id: string, attributes: object): object => ({
      mode: 'start',
      req: {
        start: {
          project_id: 'a/b',
          id,
          trace_id: id,
          op_name: 'f',
          started_at: '2026-03-01T00:00:00Z',
          attributes,
          inputs: {},
        },
      },
    })
    await other.post('/call/upsert_batch', {
      batch: [
        start('1', { customer: { id: 'c1' }, user_id: 'u' }),
        start('2', { 'customer.id': 'c2' }),
        start('3', { account: 7 }),
        start('4', { user_id: 'u' }),
      ],
    })
    const { calls: found } = await other.post<{ calls: { id: string; fields: object }[] }>(
      '/api/v1/projects/a/b/calls',
      {
        fields: ['end_user'],
        direction: 'asc',
      },
    )
    expect(found.map((call) => call.fields)).toEqual([
      { end_user: 'c1' },
      { end_user: 'c2' },
      { end_user: '7' },
      { end_user: null },
    ])
  } finally {
    await other.stop()
  }
})
