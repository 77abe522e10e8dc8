import { describe, expect, test } from 'vitest'
import { useServer } from '../harness.ts'

/** Validation errors: status, `reason` and `detail` are the same for every operation. */

const server = useServer()

const project_id = 'acme/validation'

interface Detail {
  loc: unknown[]
  msg: string
  type: string
}

async function rejection(path: string, body: unknown, method = 'POST') {
  const response = method === 'GET' ? await server.send(path) : await server.send(path, body, { method })
  const detail = (response.json['detail'] ?? []) as Detail[]
  return { status: response.status, reason: response.json['reason'], detail }
}

describe('a missing field', () => {
  test.each<[string, object, (string | number)[]]>([
    ['/call/start', {}, ['start']],
    ['/call/start', { start: { project_id } }, ['start', 'op_name']],
    ['/call/end', { end: { id: 'x' } }, ['end', 'project_id']],
    ['/call/upsert_batch', {}, ['batch']],
    ['/call/upsert_batch', { batch: [{ req: {} }] }, ['batch', 0, 'mode']],
    ['/call/upsert_batch', { batch: [{ mode: 'start' }] }, ['batch', 0, 'req']],
    ['/call/upsert_batch', { batch: [{ mode: 'end', req: {} }] }, ['batch', 0, 'req', 'end']],
    ['/call/read', { id: 'x' }, ['project_id']],
    ['/obj/read', { project_id, object_id: 'o' }, ['digest']],
    ['/obj/create', { obj: { project_id, object_id: 'o' } }, ['obj', 'val']],
    ['/table/query', { project_id }, ['digest']],
    ['/objs/query', { project_id, sort_by: [{ direction: 'asc' }] }, ['sort_by', 0, 'field']],
    ['/feedback/query', { project_id, query: {} }, ['query', '$expr']],
    ['/feedback/replace', { project_id, feedback_id: 'f', feedback_type: 't', payload: {} }, ['item_ref']],
    [
      '/feedback/replace',
      { project_id, feedback_id: 'f', feedback_type: 't', item_ref: 'weave:///a/b/call/c' },
      ['payload'],
    ],
    [
      '/cost/create',
      { project_id, costs: { m: { prompt_token_cost: 1 } } },
      ['costs', 'm', 'completion_token_cost'],
    ],
  ])('%s %j', async (path, body, loc) => {
    const { status, reason, detail } = await rejection(path, body)
    expect([status, detail[0]]).toEqual([
      422,
      { loc: ['body', ...loc], msg: expect.stringMatching(/^missing required field/), type: 'missing' },
    ])
    expect(reason).toBe(`${loc.join('.')}: ${detail[0]?.msg}`)
  })
})

test.each<[string, unknown, string, string]>([
  ['limit', '3', 'must be a number, not a string', 'invalid_type'],
  ['limit', 1.5, 'must be an integer', 'invalid_type'],
  ['limit', true, 'must be a number, not true or false', 'invalid_type'],
  ['limit', [], 'must be a number, not an array', 'invalid_type'],
  ['limit', -1, 'Too small: expected number to be >=0', 'too_small'],
  ['offset', -1, 'Too small: expected number to be >=0', 'too_small'],
])('every list rejects %s %j in the same way', async (field, value, msg, type) => {
  const bodies: Record<string, object> = {
    '/objs/query': { project_id },
    '/cost/query': { project_id },
    '/table/query': { project_id, digest: 'x' },
    '/feedback/query': { project_id },
    '/calls/query': { project_id },
    '/calls/stream_query': { project_id },
    '/threads/stream_query': { project_id },
    '/v2/acme/validation/eval_results/query': {},
  }
  if (field === 'limit') bodies['/calls/query_stats'] = { project_id }
  for (const [path, body] of Object.entries(bodies)) {
    const { status, reason, detail } = await rejection(path, { ...body, [field]: value })
    expect([path, status, reason, detail]).toEqual([
      path,
      422,
      `${field}: ${msg}`,
      [{ loc: ['body', field], msg, type }],
    ])
  }
})

test.each<[string, string, object | undefined, unknown[]]>([
  ['GET', '/v2/acme/validation/datasets?limit=x', undefined, ['query', 'limit']],
  ['GET', '/v2/acme/validation/datasets?limit=-1', undefined, ['query', 'limit']],
  ['GET', `/v2/${'x'.repeat(300)}/validation/datasets`, undefined, ['path', 'entity']],
  ['POST', `/v2/acme/validation/calls/complete`, { batch: {} }, ['body', 'batch']],
  ['POST', `/v2/${'x'.repeat(300)}/validation/calls/complete`, { batch: [] }, ['path', 'entity']],
  [
    'POST',
    '/calls/query',
    { project_id, sort_by: [{ field: 'id' }, { field: 'nope' }] },
    ['body', 'sort_by', 1, 'field'],
  ],
  ['POST', '/feedback/query', { project_id, sort_by: [{ field: 'a..b' }] }, ['body', 'sort_by', 0, 'field']],
  ['POST', '/cost/query', { project_id, fields: ['id', 'nope'] }, ['body', 'fields', 1]],
  ['POST', '/feedback/query', { project_id, fields: ['id', 'nope'] }, ['body', 'fields', 1]],
  [
    'POST',
    '/feedback/query',
    { project_id, query: { $expr: { $ne: [] } } },
    ['body', 'query', '$expr', '$ne'],
  ],
])('%s %s: the location begins with the part of the request', async (method, path, body, loc) => {
  const { status, reason, detail } = await rejection(path, body, method)
  expect([status, detail[0]?.loc]).toEqual([422, loc])
  expect(reason).toBe(`${loc.slice(1).join('.')}: ${detail[0]?.msg}`)
})

describe('datetimes', () => {
  const OUT_OF_RANGE = [
    '0001-01-01T00:00:00Z',
    '1582-10-15T00:00:00Z',
    '1899-12-31T23:59:59.999999Z',
    '1900-01-01T00:00:00+00:01',
    '2300-01-01T00:00:00Z',
    '2299-12-31T23:59:59-00:01',
    '9999-12-31T23:59:59Z',
    '2024-02-30T00:00:00Z',
    'yesterday',
    '',
  ]
  const NUMBERS = [-2_208_988_801, 10_413_792_000, 2e10, 1e14, -1e14, 1e300]

  const start = (started_at: unknown) => ({ project_id, op_name: 'o', started_at })
  const end = (ended_at: unknown) => ({ project_id, id: 'x', ended_at })
  const cost = { prompt_token_cost: 1, completion_token_cost: 1 }
  const range = (field: string, time: unknown) => ({ start: '2026-01-01', [field]: time })
  const metrics = '/api/v1/projects/acme/validation/metrics'
  const stats = { project_id, usage_metrics: [], call_metrics: [] }
  const CASES: [string, (time: unknown) => object, (string | number)[]][] = [
    ['/call/start', (time) => ({ start: start(time) }), ['start', 'started_at']],
    ['/call/end', (time) => ({ end: end(time) }), ['end', 'ended_at']],
    ['/v2/acme/validation/call/start', (time) => ({ start: start(time) }), ['start', 'started_at']],
    [
      '/call/upsert_batch',
      (time) => ({ batch: [{ mode: 'start', req: { start: start(time) } }] }),
      ['batch', 0, 'req', 'start', 'started_at'],
    ],
    [
      '/call/upsert_batch',
      (time) => ({ batch: [{ mode: 'end', req: { end: end(time) } }] }),
      ['batch', 0, 'req', 'end', 'ended_at'],
    ],
    [
      '/v2/acme/validation/calls/complete',
      (time) => ({ batch: [{ ...start(time), id: 'x' }] }),
      ['batch', 0, 'started_at'],
    ],
    [
      '/v2/acme/validation/calls/complete',
      (time) => ({ batch: [{ ...start(null), ...end(time) }] }),
      ['batch', 0, 'ended_at'],
    ],
    [
      '/cost/create',
      (time) => ({ project_id, costs: { m: { ...cost, effective_date: time } } }),
      ['costs', 'm', 'effective_date'],
    ],
    ['/calls/stats', (time) => ({ ...stats, ...range('start', time) }), ['start']],
    ['/calls/stats', (time) => ({ ...stats, ...range('end', time) }), ['end']],
    [metrics, (time) => ({ measures: ['count'], ...range('end', time) }), ['end']],
    [
      '/threads/stream_query',
      (time) => ({ project_id, filter: { after_datetime: time } }),
      ['filter', 'after_datetime'],
    ],
    ['/api/v1/projects/acme/validation/search', (time) => ({ text: 'x', before: time }), ['before']],
    ['/api/v1/projects/acme/validation/calls', (time) => ({ after: time }), ['after']],
  ]

  test.each(CASES)('%s rejects what cannot be stored', async (path, body, loc) => {
    for (const time of [...OUT_OF_RANGE, ...NUMBERS]) {
      const { status, detail } = await rejection(path, body(time))
      expect([time, status, detail[0]?.loc]).toEqual([time, 422, ['body', ...loc]])
      if (typeof time === 'string') expect(detail[0]?.msg).toContain('from 1900 to 2299')
    }
  })

  test('a bound of a query may be any time', async () => {
    const query = { $expr: { $lt: [{ $getField: 'started_at' }, { $literal: '9999-12-31T00:00:00Z' }] } }
    expect(await server.post('/calls/query_stats', { project_id, query })).toMatchObject({ count: 0 })
  })
})

test('a body that is not an object is rejected at the body', async () => {
  expect(await rejection('/call/read', '[]')).toEqual({
    status: 422,
    reason: 'the body must be a JSON object',
    detail: [{ loc: ['body'], msg: 'the body must be a JSON object', type: 'invalid_type' }],
  })
})
