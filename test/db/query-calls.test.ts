import { beforeAll, describe, expect, test } from 'vitest'
import { parseJsonLines, useServer } from '../harness.ts'

/** The query language and the simple filter over HTTP. */

const server = useServer()
const PREDICT = 'weave:///acme/demo/op/predict:v1'
const DATASET = 'weave:///acme/demo/object/data:abc'

interface Start {
  readonly id: string
  readonly [key: string]: unknown
}

async function record(start: Start, end?: Record<string, unknown>): Promise<void> {
  const project_id = server.project_id
  const whole = { project_id, op_name: 'plain', trace_id: 't1', attributes: {}, inputs: {}, ...start }
  await server.post('/call/start', { start: whole })
  if (end !== undefined)
    await server.post('/call/end', { end: { project_id, id: start.id, summary: {}, ...end } })
}

beforeAll(async () => {
  const { project_id } = server
  const inputs =
    '{"model": "gpt", "n": 5, "big": 123456789012345678901, "f": 1e400, "data": "' + DATASET + '"}'
  await server.send(
    '/call/start',
    `{"start": {"project_id": "${project_id}", "id": "a", "trace_id": "t1", "op_name": "${PREDICT}",
      "started_at": "2026-11-15T10:00:00.000001Z", "attributes": {}, "inputs": ${inputs}}}`,
  )
  await server.post('/call/end', {
    end: {
      project_id,
      id: 'a',
      ended_at: '2026-11-15T10:00:01.500Z',
      output: { score: 0.5, tags: ['x', 'y'] },
      summary: {},
    },
  })
  await record(
    {
      id: 'b',
      parent_id: 'a',
      started_at: '2026-11-15T10:00:02Z',
      display_name: 'Mine',
      inputs: { n: '5', list: [{ k: 'v' }] },
    },
    { ended_at: '2026-11-15T10:00:02.250Z', exception: 'boom', output: null },
  )
  await record({
    id: 'c',
    started_at: '2026-11-15T10:00:03Z',
    trace_id: 't2',
    thread_id: 'th',
    inputs: { n: 7, list: { '0': 'zero' } },
  })
  await record(
    {
      id: 'd',
      started_at: '2026-11-15T10:00:04Z',
      op_name: 'weave:///acme/demo/op/predict:v2',
      wb_run_id: 'acme/demo/run1',
    },
    {
      ended_at: '2026-11-15T10:00:05Z',
      output: { score: 2 },
      summary: { status_counts: { error: 1, success: 0 } },
    },
  )
  const feedback = (id: string, feedback_type: string, payload: object): Promise<unknown> =>
    server.post('/feedback/create', {
      project_id,
      weave_ref: `weave:///${project_id}/call/${id}`,
      feedback_type,
      payload,
    })
  await feedback('a', 'wandb.note.1', { note: 'first' })
  await feedback('a', 'wandb.note.1', { note: 'second' })
  await feedback('b', 'wandb.note.1', { note: 'zebra' })
  await feedback('c', 'quality', { score: 1 })
  await feedback('c', 'quality', { score: 2 })
})

async function ids(request: Record<string, unknown>): Promise<string[]> {
  const response = await server.send('/calls/stream_query', { project_id: server.project_id, ...request })
  if (response.status !== 200) throw new Error(response.text)
  return parseJsonLines<{ id: string }>(response.text).map(({ id }) => id)
}

const field = (name: string) => ({ $getField: name })
const literal = (value: unknown) => ({ $literal: value })
const where = (expr: unknown): Promise<string[]> => ids({ query: { $expr: expr } })
const is = (name: string, value: unknown): Promise<string[]> => where({ $eq: [field(name), literal(value)] })

describe('fields of calls', () => {
  test('the status is computed; a failed descendant takes precedence over running', async () => {
    expect(await is('summary.weave.status', 'success')).toEqual(['a'])
    expect(await is('summary.weave.status', 'error')).toEqual(['b'])
    expect(await is('summary.weave.status', 'running')).toEqual(['c'])
    expect(await is('summary.weave.status', 'descendant_error')).toEqual(['d'])
  })

  test('latency and trace name are computed', async () => {
    expect(await is('summary.weave.latency_ms', 1499)).toEqual(['a'])
    expect(await where({ $lt: [field('summary.weave.latency_ms'), literal(1000.5)] })).toEqual(['b', 'd'])
    expect(await is('summary.weave.trace_name', 'predict')).toEqual(['a', 'd'])
    expect(await is('summary.weave.trace_name', 'Mine')).toEqual(['b'])
  })

  test('an unset column equals null, and matches neither a comparison nor its $not', async () => {
    expect(await is('parent_id', null)).toEqual(['a', 'c', 'd'])
    expect(await is('ended_at', null)).toEqual(['c'])
    expect(await where({ $not: [{ $eq: [field('parent_id'), literal('zzz')] }] })).toEqual(['b'])
    expect(await is('deleted_at', null)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('times are compared with seconds, ISO texts and dates', async () => {
    const since = (value: unknown): Promise<string[]> =>
      where({ $gte: [field('started_at'), literal(value)] })
    expect(await since('2026-11-15T10:00:03Z')).toEqual(['c', 'd'])
    expect(await since('2026-11-15')).toEqual(['a', 'b', 'c', 'd'])
    expect(await since('2026-11-16')).toEqual([])
    expect(await since(Date.UTC(2026, 10, 15, 10, 0, 3) / 1000)).toEqual(['c', 'd'])
    expect(await since(Date.UTC(2026, 10, 15, 10, 0, 3) / 1000 + 0.5)).toEqual(['d'])
  })

  test('a time is not compared with a literal that is not a time', async () => {
    const compared: unknown[] = []
    for (const value of ['zzz', '', '2026-13-01', '1777626300000', 1_777_626_300_000, 1e300, true, [1], {}])
      for (const [path, name] of [
        ['/calls/stream_query', 'started_at'],
        ['/calls/query_stats', 'ended'],
        ['/feedback/query', 'created_at'],
        ['/cost/query', 'effective_date'],
      ] as const)
        for (const $expr of [
          { $gt: [field(name), literal(value)] },
          { $not: [{ $eq: [literal(value), field(name)] }] },
          { $in: [field(name), [literal('2026-11-15'), literal(value)]] },
        ]) {
          const { status, text } = await server.send(path, {
            project_id: server.project_id,
            query: { $expr },
          })
          if (status !== 422 || !text.includes('Unix seconds')) compared.push([path, $expr, status, text])
        }
    expect(compared).toEqual([])
    // A time that no call can have is a time.
    expect(await where({ $lt: [field('started_at'), literal('9999-12-31T23:59:59Z')] })).toHaveLength(4)
    expect(await where({ $gt: [field('started_at'), literal(0)] })).toHaveLength(4)
  })

  test('an integer in a path is an array index or an object key', async () => {
    expect(await is('inputs.list.0.k', 'v')).toEqual(['b'])
    expect(await is('inputs.list.0', 'zero')).toEqual(['c'])
    expect(await is('output.tags.1', 'y')).toEqual(['a'])
  })

  test('a call with numbers beyond Int64 and Float64 is found by them and by its other values', async () => {
    expect(await is('inputs.model', 'gpt')).toEqual(['a'])
    const big = `{"project_id": "${server.project_id}", "query": {"$expr": {"$eq": [{"$getField": "inputs.big"}, {"$literal": 123456789012345678901}]}}}`
    expect((await server.send('/calls/query_stats', big)).json['count']).toBe(1)
  })

  test('the type of the literal decides: 5 also matches "5", a text matches the same text', async () => {
    expect(await is('inputs.n', 5)).toEqual(['a', 'b'])
    expect(await is('inputs.n', '5')).toEqual(['a', 'b'])
    expect(await where({ $gt: [field('inputs.n'), literal(5)] })).toEqual(['c'])
    expect(
      await where({ $convert: { input: field('inputs.n'), to: 'exists' } }).catch(() => 'rejected'),
    ).toBe('rejected')
    expect(await where({ $not: [{ $convert: { input: field('inputs.n'), to: 'exists' } }] })).toEqual(['d'])
  })

  test('a list of refs is compared as JSON text', async () => {
    expect(await is('input_refs', [DATASET])).toEqual(['a'])
    expect(await is('input_refs', JSON.stringify([DATASET]))).toEqual(['a'])
    expect(await is('input_refs', [`${DATASET}x`])).toEqual([])
    const contains = (substr: string) =>
      where({ $contains: { input: field('input_refs'), substr: literal(substr) } })
    expect(await contains(DATASET)).toEqual(['a'])
    expect(await contains('weave:///other')).toEqual([])
  })

  test('any note of a call may match; of other feedback only the newest is compared', async () => {
    expect(await is('feedback.[wandb.note.1].payload.note', 'first')).toEqual(['a'])
    expect(await is('feedback.[*].payload.note', 'second')).toEqual(['a'])
    expect(await is('feedback.[quality].payload.score', 1)).toEqual([])
    expect(await is('feedback.[quality].payload.score', 2)).toEqual(['c'])
    expect(await where({ $not: [{ $eq: [field('feedback.[*].payload.note'), literal('zebra')] }] })).toEqual([
      'a',
      'c',
      'd',
    ])
    // The condition of the Python SDK for calls with a score.
    expect(
      await where({ $not: [{ $eq: [field('feedback.[quality].payload.score'), literal('')] }] }),
    ).toEqual(['c'])
    expect(await where({ $not: [{ $eq: [field('feedback.[never].payload.x'), literal('')] }] })).toEqual([])
    const sorted = ids({ sort_by: [{ field: 'feedback.[wandb.note.1].payload.note', direction: 'desc' }] })
    expect((await sorted).slice(0, 2)).toEqual(['b', 'a'])
  })

  test('sorting by feedback of several records finds the newest record with the field', async () => {
    const project_id = 'acme/several-records'
    const batch = ['none', 'low', 'high'].map((id) => ({ project_id, id, op_name: 'o', trace_id: id }))
    await server.post(`/v2/${project_id}/calls/complete`, { batch })
    const give = (id: string, payload: object) =>
      server.post('/feedback/create', {
        project_id,
        weave_ref: `weave:///${project_id}/call/${id}`,
        feedback_type: 'wandb.agent_user_feedback',
        scorer_tags: ['t'],
        payload,
      })
    await give('low', { score: 9 })
    await give('low', { score: 1 })
    await give('high', { score: 2 })
    for (const id of ['none', 'low', 'high']) await give(id, { comment: 'later', score: null })
    const sorted = async (name: string, direction: string): Promise<string[]> => {
      const sort_by = [{ field: name, direction }]
      const { text } = await server.send('/calls/stream_query', { project_id, sort_by, columns: ['id'] })
      return parseJsonLines<{ id: string }>(text).map(({ id }) => id)
    }
    for (const type of ['*', 'wandb.agent_user_feedback']) {
      expect(await sorted(`feedback.[${type}].payload.score`, 'desc')).toEqual(['high', 'low', 'none'])
      expect(await sorted(`feedback.[${type}].payload.score`, 'asc')).toEqual(['low', 'high', 'none'])
    }
  })

  test('sorting by a dynamic field puts existing values first, in both directions', async () => {
    expect((await ids({ sort_by: [{ field: 'output.score', direction: 'asc' }] })).slice(0, 2)).toEqual([
      'a',
      'd',
    ])
    expect((await ids({ sort_by: [{ field: 'output.score', direction: 'desc' }] })).slice(0, 2)).toEqual([
      'd',
      'a',
    ])
    expect((await ids({ sort_by: [{ field: 'ended_at', direction: 'desc' }] })).at(-1)).toBe('c')
    expect((await ids({ sort_by: [{ field: 'ended_at', direction: 'asc' }] })).at(-1)).toBe('c')
  })

  test('an unknown field is a 422 that lists the known ones, and no literal causes a 5xx', async () => {
    const send = (expr: string) =>
      server.send('/calls/query_stats', `{"project_id": "${server.project_id}", "query": {"$expr": ${expr}}}`)
    const unknown = await send('{"$eq": [{"$getField": "nope"}, {"$literal": 1}]}')
    expect(unknown.status).toBe(422)
    expect(unknown.text).toContain('started_at')
    const names = [
      'inputs',
      'inputs.n',
      'started_at',
      'id',
      'wb_run_step',
      'input_refs',
      'summary.weave.latency_ms',
      'feedback.[*].payload.a',
    ]
    const literals = [
      'null',
      'true',
      '1',
      '-1',
      '1.5',
      '1e400',
      '123456789012345678901',
      '""',
      '"\\u0000\\ud800\'\\\\"',
      '{}',
      '[1]',
      '"😀"',
    ]
    const times = ['null', '1', '-1', '1.5', '"2026-11-15"']
    for (const name of names) {
      const allowed = name === 'started_at' ? times : literals
      const tests = allowed.flatMap((text) => {
        const pair = `{"$getField": "${name}"}, {"$literal": ${text}}`
        const list = allowed.map((other) => `{"$literal": ${other}}`).join(', ')
        return [
          ...['$eq', '$gt', '$lte'].map((op) => `{"${op}": [${pair}]}`),
          `{"$in": [{"$getField": "${name}"}, [{"$literal": ${text}}, ${list}]]}`,
          `{"$contains": {"input": {"$getField": "${name}"}, "substr": {"$literal": ${text}}, "case_insensitive": true}}`,
          ...['int', 'double', 'string', 'bool'].map(
            (to) =>
              `{"$eq": [{"$convert": {"input": {"$getField": "${name}"}, "to": "${to}"}}, {"$literal": ${text}}]}`,
          ),
        ]
      })
      const response = await send(`{"$or": [${tests.join(', ')}]}`)
      expect(response.status, `${name}: ${response.text}`).toBe(200)
    }
  })

  test('queries of hundreds of predicates or thousands of values succeed', async () => {
    const some = Array.from({ length: 300 }, (_, i) => ({ $eq: [field('inputs.n'), literal(i)] }))
    expect(await where({ $or: some })).toEqual(['a', 'b', 'c'])
    const many = Array.from({ length: 9000 }, (_, i) => literal(`${'x'.repeat(40)}${i}`))
    expect(await where({ $in: [field('inputs.n'), [...many, literal('5')]] })).toEqual(['a', 'b'])
  })
})

describe('the simple filter', () => {
  const filter = (keys: Record<string, unknown>): Promise<string[]> => ids({ filter: keys })

  test('`:*` means any version', async () => {
    expect(await filter({ op_names: [PREDICT] })).toEqual(['a'])
    expect(await filter({ op_names: ['weave:///acme/demo/op/predict:*', 'plain'] })).toEqual([
      'a',
      'b',
      'c',
      'd',
    ])
    expect(await filter({ op_names: ['weave:///acme/demo/op/predict:*'] })).toEqual(['a', 'd'])
    expect(await filter({ input_refs: ['weave:///acme/demo/object/data:*'] })).toEqual(['a'])
    expect(await filter({ input_refs: [DATASET] })).toEqual(['a'])
    expect(await filter({ output_refs: [DATASET] })).toEqual([])
  })

  test('an empty list does not filter, but an empty thread_ids matches nothing', async () => {
    expect(await filter({ op_names: [], call_ids: [], wb_user_ids: null })).toEqual(['a', 'b', 'c', 'd'])
    expect(await filter({ thread_ids: [] })).toEqual([])
    expect(await filter({ thread_ids: ['th'] })).toEqual(['c'])
  })

  test('selects by roots, parents, traces, ids and runs', async () => {
    expect(await filter({ trace_roots_only: true })).toEqual(['a', 'c', 'd'])
    expect(await filter({ parent_ids: ['a'] })).toEqual(['b'])
    expect(await filter({ trace_ids: ['t2'] })).toEqual(['c'])
    expect(await filter({ call_ids: ['a', 'zz', ''] })).toEqual(['a'])
    expect(await filter({ wb_run_ids: ['run1'] })).toEqual(['d'])
    expect(await filter({ wb_run_ids: ['acme/demo/run1'] })).toEqual(['d'])
    expect(await filter({ wb_run_ids: ['other/demo/run1'] })).toEqual([])
    await expect(filter({ call_ids: Array.from({ length: 1001 }, (_, i) => `${i}`) })).rejects.toThrow(/1000/)
  })
})
