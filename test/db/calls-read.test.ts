import { beforeAll, expect, test } from 'vitest'
import { parseJsonLines, useServer } from '../harness.ts'

const server = useServer()
const project_id = 'acme/reads'

type Call = Record<string, unknown> & { id: string; summary: Record<string, unknown> }

const ref = (id: string): string => `weave:///${project_id}/call/${id}`

function complete(id: string, extra: Record<string, unknown> = {}) {
  return {
    project_id,
    id,
    trace_id: 'trace',
    op_name: `weave:///${project_id}/op/answer:v1`,
    started_at: `2026-11-01T00:00:0${id.length}Z`,
    ended_at: '2026-11-01T00:01:00Z',
    attributes: { kind: 'test' },
    inputs: { n: id.length },
    output: id,
    summary: {},
    ...extra,
  }
}

async function query(body: Record<string, unknown> = {}): Promise<Call[]> {
  const response = await server.send('/calls/stream_query', { project_id, ...body })
  expect(response.status, response.text).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/jsonl')
  return parseJsonLines<Call>(response.text)
}

let digest = ''

beforeAll(async () => {
  const model = { project_id, object_id: 'model', val: { _type: 'Model', temperature: 0.5 } }
  ;({ digest } = await server.post<{ digest: string }>('/obj/create', { obj: model }))
  const usage = { 'gpt-4o': { prompt_tokens: 1000, completion_tokens: 100, requests: 1, total_tokens: 1100 } }
  await server.post(`/v2/${project_id}/calls/complete`, {
    batch: [
      complete('ccc', { inputs: { n: 3, model: `weave:///${project_id}/object/model:${digest}` } }),
      complete('a', { exception: 'boom', parent_id: 'ccc' }),
      complete('bb', {
        summary: { usage, status_counts: { error: 1 }, weave: { status: 'stale', mine: 1.0 } },
      }),
    ],
  })
  await server.post('/feedback/create', {
    project_id,
    weave_ref: ref('bb'),
    feedback_type: 'wandb.note.1',
    payload: { note: 'good' },
  })
})

test('the default order is by start time, without a limit', async () => {
  expect((await query()).map((call) => call.id)).toEqual(['a', 'bb', 'ccc'])
})

test('an empty result is an empty body', async () => {
  expect((await server.send('/calls/stream_query', { project_id: 'acme/nothing' })).text).toBe('')
})

test('sorted pages have no gaps and no repeats', async () => {
  const sort_by = [{ field: 'inputs.n', direction: 'desc' }]
  expect((await query({ sort_by })).map((call) => call.id)).toEqual(['ccc', 'bb', 'a'])
  const pages = []
  for (const offset of [0, 1, 2, 3]) pages.push(...(await query({ sort_by, limit: 1, offset })))
  expect(pages.map((call) => call.id)).toEqual(['ccc', 'bb', 'a'])
  expect((await server.send('/calls/stream_query', { project_id, limit: -1 })).status).toBe(422)
})

test('summary.weave is computed at each read, not taken from the stored summary', async () => {
  const [a, bb, ccc] = await query()
  expect(a?.summary).toMatchObject({ weave: { status: 'error', trace_name: 'answer', latency_ms: 59_000 } })
  expect(bb?.summary).toMatchObject({ weave: { status: 'descendant_error', mine: 1 } })
  expect(ccc?.summary).toMatchObject({ weave: { status: 'success' } })
})

test('columns select by their first part; other columns are empty', async () => {
  const [call] = await query({ columns: ['inputs.n', 'summary'], limit: 1 })
  expect(call).toMatchObject({
    id: 'a',
    trace_id: 'trace',
    inputs: { n: 1 },
    attributes: {},
    output: null,
    exception: 'boom',
    ended_at: '2026-11-01T00:01:00.000000Z',
    wb_user_id: null,
  })
})

test('costs are returned for usage with a price, and only on request', async () => {
  await server.post('/cost/create', {
    project_id,
    costs: {
      'gpt-4o': { prompt_token_cost: 0.001, completion_token_cost: 0.01, effective_date: '2026-01-01' },
    },
  })
  const [, priced] = await query({ include_costs: true })
  expect(priced?.summary['weave']).toMatchObject({
    costs: {
      'gpt-4o': { prompt_tokens_total_cost: 1, completion_tokens_total_cost: 1, pricing_level: 'project' },
    },
  })
  const [, plain] = await query()
  expect(plain?.summary['weave']).not.toHaveProperty('costs')
  const read = await server.post<{ call: Call }>('/call/read', { project_id, id: 'bb', include_costs: true })
  expect(read.call.summary['weave']).toHaveProperty('costs')
})

test('feedback is returned with its call, or [] if there is none', async () => {
  const [a, bb] = await query({ include_feedback: true })
  expect(a?.summary['weave']).toMatchObject({ feedback: [] })
  expect(bb?.summary['weave']).toMatchObject({
    feedback: [{ feedback_type: 'wandb.note.1', payload: { note: 'good' }, weave_ref: ref('bb') }],
  })
})

test('an expanded ref is the object with its ref as `_ref`; an unresolvable ref stays a ref', async () => {
  const calls = await query({ expand_columns: ['inputs.model'] })
  expect(calls[2]).toMatchObject({
    inputs: { n: 3, model: { temperature: 0.5, _ref: `weave:///${project_id}/object/model:${digest}` } },
  })
  const gone = `weave:///${project_id}/object/model:${'x'.repeat(43)}`
  await server.post(`/v2/${project_id}/calls/complete`, {
    batch: [complete('dddd', { inputs: { model: gone } })],
  })
  const [last] = await query({ expand_columns: ['inputs.model'], filter: { call_ids: ['dddd'] } })
  expect(last).toMatchObject({ inputs: { model: gone } })
  await server.post('/calls/delete', { project_id, call_ids: ['dddd'] })
})

test('calls/query returns the same calls as one document', async () => {
  const { calls } = await server.post<{ calls: Call[] }>('/calls/query', { project_id })
  expect(calls).toEqual(await query())
})

test('filters and queries select the same calls for counts and lists', async () => {
  const cases: [Record<string, unknown>, string[]][] = [
    [{ filter: { call_ids: ['a', 'nobody'] } }, ['a']],
    [{ filter: { trace_roots_only: true } }, ['bb', 'ccc']],
    [{ filter: { parent_ids: ['ccc'] } }, ['a']],
    [{ filter: { op_names: [`weave:///${project_id}/op/answer:*`] } }, ['a', 'bb', 'ccc']],
    [{ filter: { input_refs: [`weave:///${project_id}/object/model:*`] } }, ['ccc']],
    [{ query: { $expr: { $eq: [{ $getField: 'summary.weave.status' }, { $literal: 'error' }] } } }, ['a']],
    [{ query: { $expr: { $gt: [{ $getField: 'inputs.n' }, { $literal: 1 }] } } }, ['bb', 'ccc']],
    [
      {
        query: {
          $expr: {
            $contains: { input: { $getField: 'feedback.[*].payload.note' }, substr: { $literal: 'goo' } },
          },
        },
      },
      ['bb'],
    ],
  ]
  for (const [body, ids] of cases) {
    expect(
      (await query(body)).map((call) => call.id),
      JSON.stringify(body),
    ).toEqual(ids)
    expect(await server.post('/calls/query_stats', { project_id, ...body })).toMatchObject({
      count: ids.length,
    })
  }
})

test('an unknown column is a 422 that names the known ones', async () => {
  for (const path of ['/calls/query', '/calls/stream_query', '/api/v1/projects/acme/reads/calls'])
    for (const column of ['ouput', 'id.x', '', 'inputsx', 'annotation_queue_itemsXqueue_id', 'status']) {
      const columns = ['id', column]
      const { status, json, text } = await server.send(path, {
        ...(path.startsWith('/calls') ? { project_id } : {}),
        columns,
      })
      expect([path, column, status]).toEqual([path, column, 422])
      expect(json).toMatchObject({ detail: [{ loc: ['body', 'columns', 1] }] })
      expect(text).toContain('output.*')
    }
  const names =
    'id project_id trace_id parent_id thread_id turn_id op_name display_name started_at ended_at exception wb_user_id ' +
    'wb_username sent_by wb_run_id wb_run_step wb_run_step_end deleted_at expire_at storage_size_bytes ' +
    'total_storage_size_bytes input_refs output_refs annotation_queue_items.queue_id inputs inputs.a inputs.a.0.b inputs. ' +
    'output output.x attributes.k\\.x otel_dump summary.usage summary.weave.status feedback.[*].payload.note'
  const known = [...names.split(' '), 'inputs.a\nb']
  for (const columns of [[], null, known, ...known.map((name) => [name])])
    expect(await query({ columns }), String(columns)).toHaveLength(3)
})

test('a count says whether its limit cut it', async () => {
  const cases: [limit: number | null, count: number, has_more: boolean][] = [
    [null, 3, false],
    [0, 0, true],
    [1, 1, true],
    [2, 2, true],
    [3, 3, false],
    [4, 3, false],
    [Number.MAX_SAFE_INTEGER, 3, false],
  ]
  for (const [limit, count, has_more] of cases)
    expect(await server.post('/calls/query_stats', { project_id, limit }), String(limit)).toMatchObject({
      count,
      has_more,
    })
  const trace_ids = ['no such trace']
  const none = { project_id, filter: { trace_ids }, limit: 0 }
  expect(await server.post('/calls/query_stats', none)).toMatchObject({ count: 0, has_more: false })
})

test('no query returns calls of another project', async () => {
  await server.post('/call/start', {
    start: { project_id: 'acme/other', id: 'a', op_name: 'x', trace_id: 'trace' },
  })
  const always = {
    $expr: { $or: [{ $eq: [{ $literal: 1 }, { $literal: 1 }] }, { $not: [{ $literal: false }] }] },
  }
  expect((await query({ query: always })).map((call) => call.id)).toEqual(['a', 'bb', 'ccc'])
  expect(await server.post('/calls/query_stats', { project_id: 'acme/other' })).toMatchObject({ count: 1 })
})

test('a call is one line, also for parsers that split at Unicode line separators', async () => {
  const project_id = 'acme/lines'
  const output = 'a\u0085b\u2028c\u2029d'
  await server.post(`/v2/${project_id}/calls/complete`, {
    batch: [{ ...complete('x', { output }), project_id }],
  })
  const { text } = await server.send('/calls/stream_query', { project_id })
  expect(text.trim().split(/[\n\u0085\u2028\u2029]/)).toHaveLength(1)
  expect((JSON.parse(text) as Call)['output']).toBe(output)
})
