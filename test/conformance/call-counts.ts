import type { Api, Doc } from './api.ts'
import { endItem, readCall, sendBatch, startItem, startRecord } from './call-records.ts'
import { check, checkDecision, once } from './check.ts'
import { hasType, same } from './expect.ts'
import { fieldIs, literals } from './fixtures.ts'

/** Section 4: calls/query_stats counts calls, each once. */
const TITLE = 'calls/query_stats'

const count = async (api: Api, filter?: Doc | null, query?: Doc | null): Promise<number> => {
  const response = await api.post('/calls/query_stats', { project_id: api.project_id, filter, query })
  hasType(response['count'], 'integer', 'count')
  return response['count'] as number
}

/** A root `ask` with children `think` and `say`, and another trace with a root `ask` alone. */
const traces = once(async (api) => {
  const op = { ask: api.name('ask'), think: api.name('think'), say: api.name('say') }
  const trace = { first: api.id(), second: api.id() }
  const id = { root: api.id(), think: api.id(), say: api.id(), alone: api.id() }
  const run = { a: `${api.project_id}/run-a-${api.run}`, b: `${api.project_id}/run-b-${api.run}` }
  const ref = { in: api.ref('object', `in-${api.run}:abc`), out: api.ref('object', `out-${api.run}:abc`) }
  const second = api.ref('object', `second-${api.run}:abc`)
  const start = (fields: Doc): Doc => startItem(startRecord(api, fields))
  const batch = [
    start({ id: id.root, trace_id: trace.first, op_name: op.ask, wb_run_id: run.a }),
    start({
      id: id.think,
      trace_id: trace.first,
      parent_id: id.root,
      op_name: op.think,
      wb_run_id: run.a,
      inputs: { x: ref.in },
    }),
    start({
      id: id.say,
      trace_id: trace.first,
      parent_id: id.root,
      op_name: op.say,
      wb_run_id: run.b,
      inputs: { n: 5, deep: { list: [second] } },
    }),
    start({ id: id.alone, trace_id: trace.second, op_name: op.ask, inputs: { x: ref.in } }),
  ]
  await sendBatch(api, batch)
  return {
    op,
    trace,
    id,
    run,
    ref,
    second,
    batch,
    user: (await readCall(api, id.root))['wb_user_id'] as string,
  }
})
type Traces = Awaited<ReturnType<typeof traces>>

const end = async (api: Api, id: string, output: unknown): Promise<void> => {
  await sendBatch(api, [endItem({ project_id: api.project_id, id }, { output })])
}

const ids = async (api: Api): Promise<string[]> => Object.values((await traces(api)).id)
const both = ({ trace }: Traces): string[] => [trace.first, trace.second]

const COUNTS: readonly (readonly [
  rule: string,
  name: string,
  filter: (t: Traces) => Doc,
  expected: number,
])[] = [
  ['4.2', 'op_names: one', (t) => ({ op_names: [t.op.ask] }), 2],
  ['4.2', 'op_names: any of several', (t) => ({ op_names: [t.op.ask, t.op.say] }), 3],
  ['4.2', 'op_names: unknown', (t) => ({ op_names: [`${t.op.ask}-not`] }), 0],
  ['4.3', 'input_refs: one', (t) => ({ input_refs: [t.ref.in] }), 2],
  ['4.3', 'input_refs: in a list', (t) => ({ input_refs: [t.second] }), 1],
  ['4.3', 'input_refs: any of several', (t) => ({ input_refs: [t.ref.in, t.second] }), 3],
  ['4.3', 'input_refs: unknown', (t) => ({ input_refs: [`${t.ref.in}d`] }), 0],
  ['4.5', 'parent_ids: one', (t) => ({ parent_ids: [t.id.root] }), 2],
  ['4.5', 'parent_ids: any of several', (t) => ({ parent_ids: [t.id.root, t.id.alone] }), 2],
  ['4.5', 'parent_ids: a call without children', (t) => ({ parent_ids: [t.id.say] }), 0],
  ['4.6', 'trace_ids: one', (t) => ({ trace_ids: [t.trace.first] }), 3],
  ['4.6', 'trace_ids: any of several', (t) => ({ trace_ids: both(t) }), 4],
  ['4.6', 'trace_ids: unknown', (t) => ({ trace_ids: [t.id.root] }), 0],
  ['4.7', 'call_ids: one', (t) => ({ call_ids: [t.id.think] }), 1],
  ['4.7', 'call_ids: any of several', (t) => ({ call_ids: [t.id.think, t.id.say, t.id.alone] }), 3],
  ['4.7', 'call_ids: one twice', (t) => ({ call_ids: [t.id.think, t.id.think] }), 1],
  ['4.7', 'call_ids: unknown', (t) => ({ call_ids: [t.trace.first] }), 0],
  ['4.8', 'trace_roots_only true', (t) => ({ trace_roots_only: true, trace_ids: both(t) }), 2],
  ['4.8', 'trace_roots_only false', (t) => ({ trace_roots_only: false, trace_ids: both(t) }), 4],
  ['4.9', 'wb_user_ids: the caller', (t) => ({ wb_user_ids: [t.user], trace_ids: both(t) }), 4],
  ['4.9', 'wb_user_ids: somebody else', (t) => ({ wb_user_ids: ['nobody'], trace_ids: both(t) }), 0],
  ['4.10', 'wb_run_ids: one', (t) => ({ wb_run_ids: [t.run.a] }), 2],
  ['4.10', 'wb_run_ids: any of several', (t) => ({ wb_run_ids: [t.run.a, t.run.b] }), 3],
  ['4.10', 'wb_run_ids: unknown', (t) => ({ wb_run_ids: [`${t.run.a}-not`] }), 0],
  [
    '4.11',
    'op_names and trace_ids together',
    (t) => ({ op_names: [t.op.ask], trace_ids: [t.trace.first] }),
    1,
  ],
  [
    '4.11',
    'parent_ids and wb_run_ids together',
    (t) => ({ parent_ids: [t.id.root], wb_run_ids: [t.run.b] }),
    1,
  ],
  [
    '4.11',
    'trace_roots_only and input_refs together',
    (t) => ({ trace_roots_only: true, input_refs: [t.ref.in] }),
    1,
  ],
  [
    '4.11',
    'call_ids and op_names that exclude each other',
    (t) => ({ call_ids: [t.id.say], op_names: [t.op.ask] }),
    0,
  ],
  [
    '4.12',
    'keys that are null do not filter',
    (t) => ({ trace_ids: both(t), op_names: null, trace_roots_only: null }),
    4,
  ],
]
for (const [rule, name, filter, expected] of COUNTS) {
  check(rule, TITLE, `filter ${name}`, async (api) =>
    same(await count(api, filter(await traces(api))), expected, 'count'),
  )
}

check('4.4', TITLE, 'filter output_refs: one', async (api) => {
  const { id, ref } = await traces(api)
  await end(api, id.say, { made: ref.out })
  same(await count(api, { output_refs: [ref.out] }), 1, 'count')
})
check('4.4', TITLE, 'filter output_refs: any of several', async (api) => {
  const { id, ref, second, trace } = await traces(api)
  await end(api, id.say, { made: ref.out })
  await end(api, id.think, { x: { y: [second] } })
  const filter = { output_refs: [ref.out, second], trace_ids: [trace.first] }
  same(await count(api, filter), 2, 'count')
})
check('4.4', TITLE, 'filter output_refs: a ref that is only an input', async (api) => {
  const { ref } = await traces(api)
  same(await count(api, { output_refs: [ref.in] }), 0, 'count')
})

const KEYS = [
  'op_names',
  'input_refs',
  'output_refs',
  'parent_ids',
  'trace_ids',
  'call_ids',
  'wb_user_ids',
  'wb_run_ids',
]
const rejectsFilter = (api: Api, key: string, value: unknown): Promise<void> =>
  api.rejectsNaming(key, '/calls/query_stats', { project_id: api.project_id, filter: { [key]: value } })

for (const key of KEYS) {
  check('4.13', TITLE, `filter ${key} must be an array of strings`, async (api) => {
    for (const value of ['a text', 1, {}, [{}], [1], [null]]) await rejectsFilter(api, key, value)
  })
  check('4.12', TITLE, `filter ${key} null does not filter`, async (api) => {
    // Another key selects, so that calls of other rows do not count.
    const selected =
      key === 'trace_ids' ? { call_ids: await ids(api) } : { trace_ids: both(await traces(api)) }
    same(await count(api, { ...selected, [key]: null }), 4, 'count')
  })
}
check('4.13', TITLE, 'filter trace_roots_only must be a boolean', async (api) => {
  for (const value of ['perhaps', 1, [], {}]) await rejectsFilter(api, 'trace_roots_only', value)
})
for (const bad of [1, [], true]) {
  check('4.13', TITLE, `filter ${JSON.stringify(bad)} is rejected`, async (api) =>
    api.rejects('/calls/query_stats', { project_id: api.project_id, filter: bad }),
  )
}
check('4.1', TITLE, 'a project without calls counts 0', async (api) => {
  const { status, text } = await api.send('/calls/query_stats', {
    project_id: `${api.project_id}-none-${api.run}`,
  })
  if (status !== 403 && status !== 404) same((JSON.parse(text) as Doc)['count'], 0, 'count')
})
checkDecision('4.17', TITLE, 'filter op_names: every version of an op', async (api) => {
  const op = (version: string): string => api.ref('op', `${api.name('versioned')}:${version}`)
  for (const version of ['a1', 'b2'])
    await api.post('/call/start', { start: startRecord(api, { op_name: op(version) }) })
  same(
    [await count(api, { op_names: [op('a1')] }), await count(api, { op_names: [op('*')] })],
    [1, 2],
    'counts',
  )
})
checkDecision(
  '4.9',
  TITLE,
  'filter wb_user_ids: the user that a record names, not its sender',
  async (api) => {
    const { user } = await traces(api)
    const wb_user_id = api.name('end-user')
    const start = startRecord(api, { wb_user_id })
    await api.post('/call/start', { start })
    const of = (name: string): Promise<number> =>
      count(api, { wb_user_ids: [name], call_ids: [start['id'] as string] })
    same([await of(wb_user_id), await of(user)], [1, 0], 'counts')
  },
)

check('4.1', TITLE, 'filter omitted, null and {} all count every call of the project', async (api) => {
  const before = await count(api)
  await api.post('/call/start', { start: startRecord(api) })
  same(
    [await count(api), await count(api, null), await count(api, {})],
    [before + 1, before + 1, before + 1],
    'counts',
  )
})
check('4.14', TITLE, 'an ended call counts once', async (api) => {
  const { id } = await traces(api)
  await end(api, id.alone, 'done')
  same(await count(api, { call_ids: [id.alone] }), 1, 'count')
})
check('4.14', TITLE, 'calls sent twice count once', async (api) => {
  const t = await traces(api)
  await api.post('/call/upsert_batch', { batch: [...t.batch, ...t.batch] })
  same(await count(api, { trace_ids: both(t) }), 4, 'count')
})
check('4.15', TITLE, 'an end without a start is not a call yet', async (api) => {
  const id = api.id()
  await end(api, id, null)
  same(await count(api, { call_ids: [id] }), 0, 'count')
})

check('15.2', TITLE, 'query null counts every call that matches the filter', async (api) =>
  same(await count(api, { trace_ids: both(await traces(api)) }, null), 4, 'count'),
)
check('15.1', TITLE, 'query $and of $literal true counts all', async (api) =>
  same(await count(api, { trace_ids: both(await traces(api)) }, literals(true, true)), 4, 'count'),
)
check('15.1', TITLE, 'query $and with a $literal false counts none', async (api) =>
  same(await count(api, { trace_ids: both(await traces(api)) }, literals(true, false)), 0, 'count'),
)
check('15.4', TITLE, 'a query without $expr is rejected', async (api) =>
  api.rejects('/calls/query_stats', { project_id: api.project_id, query: { $and: [{ $literal: true }] } }),
)
check('15.4', TITLE, 'a query with an unknown operator is rejected', async (api) =>
  api.rejects('/calls/query_stats', { project_id: api.project_id, query: { $expr: { $nothing: [] } } }),
)

/** The operators of the Weave protocol; other servers may lack some. */
const field = (name: string): Doc => ({ $getField: name })
const QUERIES: readonly (readonly [
  rule: string,
  name: string,
  expr: (t: Traces) => Doc,
  expected: number,
])[] = [
  ['15.5', '$eq on op_name', (t) => ({ $eq: [field('op_name'), { $literal: t.op.ask }] }), 2],
  ['15.5', '$eq on id', (t) => ({ $eq: [field('id'), { $literal: t.id.say }] }), 1],
  ['15.7', '$not of $eq', (t) => ({ $not: [{ $eq: [field('op_name'), { $literal: t.op.ask }] }] }), 2],
  [
    '15.7',
    '$or',
    (t) => ({
      $or: [{ $eq: [field('id'), { $literal: t.id.say }] }, { $eq: [field('id'), { $literal: t.id.root }] }],
    }),
    2,
  ],
  ['15.5', '$in', (t) => ({ $in: [field('id'), [{ $literal: t.id.say }, { $literal: t.id.root }]] }), 2],
  ['15.6', '$gt on a number in inputs', () => ({ $gt: [field('inputs.n'), { $literal: 4 }] }), 1],
  ['15.6', '$gte on a number in inputs', () => ({ $gte: [field('inputs.n'), { $literal: 6 }] }), 0],
  [
    '15.8',
    '$contains',
    (t) => ({ $contains: { input: field('op_name'), substr: { $literal: t.op.think.slice(-5) } } }),
    1,
  ],
  [
    '15.8',
    '$contains in any case',
    (t) => ({
      $contains: {
        input: field('op_name'),
        substr: { $literal: t.op.think.slice(-5).toUpperCase() },
        case_insensitive: true,
      },
    }),
    1,
  ],
  ['15.5', '$eq with null', () => ({ $eq: [field('exception'), { $literal: null }] }), 4],
  [
    '15.1',
    '$and of a literal and a comparison',
    (t) => ({ $and: [{ $literal: true }, { $eq: [field('trace_id'), { $literal: t.trace.second }] }] }),
    1,
  ],
  ['15.5', '$eq of two literals', () => ({ $eq: [{ $literal: '1' }, { $literal: '1' }] }), 4],
]
for (const [rule, name, expr, expected] of QUERIES) {
  check(rule, TITLE, `query ${name}`, async (api) => {
    const t = await traces(api)
    const body = { project_id: api.project_id, filter: { trace_ids: both(t) }, query: { $expr: expr(t) } }
    same((await api.postUndocumented('/calls/query_stats', body))['count'], expected, 'count')
  })
}
check('4.16', TITLE, 'query and filter are combined with AND', async (api) => {
  const t = await traces(api)
  const body = {
    project_id: api.project_id,
    filter: { trace_ids: [t.trace.second] },
    query: fieldIs('op_name', t.op.ask),
  }
  same((await api.postUndocumented('/calls/query_stats', body))['count'], 1, 'count')
})
