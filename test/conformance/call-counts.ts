import type { Api, Doc } from './api.ts'
import { endItem, readCall, sendBatch, startItem, startRecord } from './call-records.ts'
import { once, check } from './check.ts'
import { hasType, same } from './expect.ts'
import { fieldIs, literals } from './fixtures.ts'

/** Section 4.9: calls/query_stats counts calls, each once. */
const TITLE = '4.9 calls/query_stats'

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
      inputs: { n: 5 },
    }),
    start({ id: id.alone, trace_id: trace.second, op_name: op.ask, inputs: { x: ref.in } }),
  ]
  await sendBatch(api, batch)
  return { op, trace, id, run, ref, batch, user: (await readCall(api, id.root))['wb_user_id'] as string }
})
type Traces = Awaited<ReturnType<typeof traces>>

const end = async (api: Api, id: string, output: unknown): Promise<void> => {
  await sendBatch(api, [endItem({ project_id: api.project_id, id }, { output })])
}

const both = ({ trace }: Traces): string[] => [trace.first, trace.second]

const COUNTS: readonly (readonly [name: string, filter: (t: Traces) => Doc, expected: number])[] = [
  ['op_names: one', (t) => ({ op_names: [t.op.ask] }), 2],
  ['op_names: any of several', (t) => ({ op_names: [t.op.ask, t.op.say] }), 3],
  ['op_names: unknown', (t) => ({ op_names: [`${t.op.ask}-not`] }), 0],
  ['input_refs: one', (t) => ({ input_refs: [t.ref.in] }), 2],
  ['input_refs: unknown', (t) => ({ input_refs: [`${t.ref.in}d`] }), 0],
  ['parent_ids: one', (t) => ({ parent_ids: [t.id.root] }), 2],
  ['parent_ids: any of several', (t) => ({ parent_ids: [t.id.root, t.id.alone] }), 2],
  ['parent_ids: a call without children', (t) => ({ parent_ids: [t.id.say] }), 0],
  ['trace_ids: one', (t) => ({ trace_ids: [t.trace.first] }), 3],
  ['trace_ids: any of several', (t) => ({ trace_ids: both(t) }), 4],
  ['trace_ids: unknown', (t) => ({ trace_ids: [t.id.root] }), 0],
  ['call_ids: one', (t) => ({ call_ids: [t.id.think] }), 1],
  ['call_ids: any of several', (t) => ({ call_ids: [t.id.think, t.id.say, t.id.alone] }), 3],
  ['call_ids: one twice', (t) => ({ call_ids: [t.id.think, t.id.think] }), 1],
  ['call_ids: unknown', (t) => ({ call_ids: [t.trace.first] }), 0],
  ['trace_roots_only true', (t) => ({ trace_roots_only: true, trace_ids: both(t) }), 2],
  ['trace_roots_only false', (t) => ({ trace_roots_only: false, trace_ids: both(t) }), 4],
  ['wb_user_ids: the caller', (t) => ({ wb_user_ids: [t.user], trace_ids: both(t) }), 4],
  ['wb_user_ids: somebody else', (t) => ({ wb_user_ids: ['nobody'], trace_ids: both(t) }), 0],
  ['wb_run_ids: one', (t) => ({ wb_run_ids: [t.run.a] }), 2],
  ['wb_run_ids: any of several', (t) => ({ wb_run_ids: [t.run.a, t.run.b] }), 3],
  ['wb_run_ids: unknown', (t) => ({ wb_run_ids: [`${t.run.a}-not`] }), 0],
  ['op_names and trace_ids together', (t) => ({ op_names: [t.op.ask], trace_ids: [t.trace.first] }), 1],
  ['parent_ids and wb_run_ids together', (t) => ({ parent_ids: [t.id.root], wb_run_ids: [t.run.b] }), 1],
  [
    'trace_roots_only and input_refs together',
    (t) => ({ trace_roots_only: true, input_refs: [t.ref.in] }),
    1,
  ],
  [
    'call_ids and op_names that exclude each other',
    (t) => ({ call_ids: [t.id.say], op_names: [t.op.ask] }),
    0,
  ],
  [
    'keys that are null do not filter',
    (t) => ({ trace_ids: both(t), op_names: null, trace_roots_only: null }),
    4,
  ],
]
for (const [name, filter, expected] of COUNTS) {
  check(TITLE, `filter ${name}`, async (api) =>
    same(await count(api, filter(await traces(api))), expected, 'count'),
  )
}

check(TITLE, 'filter output_refs: one', async (api) => {
  const { id, ref } = await traces(api)
  await end(api, id.say, { made: ref.out })
  same(await count(api, { output_refs: [ref.out] }), 1, 'count')
})
check(TITLE, 'filter output_refs: a ref that is only an input', async (api) => {
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
for (const key of KEYS) {
  check(TITLE, `filter ${key} must be an array of strings`, async (api) => {
    await api.rejects('/calls/query_stats', { project_id: api.project_id, filter: { [key]: 'a text' } })
    await api.rejects('/calls/query_stats', { project_id: api.project_id, filter: { [key]: [{}] } })
  })
}
check(TITLE, 'filter trace_roots_only must be a boolean', async (api) =>
  api.rejects('/calls/query_stats', { project_id: api.project_id, filter: { trace_roots_only: 'perhaps' } }),
)

check(TITLE, 'filter omitted, null and {} all count every call of the project', async (api) => {
  const before = await count(api)
  await api.post('/call/start', { start: startRecord(api) })
  same(
    [await count(api), await count(api, null), await count(api, {})],
    [before + 1, before + 1, before + 1],
    'counts',
  )
})
check(TITLE, 'an ended call counts once', async (api) => {
  const { id } = await traces(api)
  await end(api, id.alone, 'done')
  same(await count(api, { call_ids: [id.alone] }), 1, 'count')
})
check(TITLE, 'calls sent twice count once', async (api) => {
  const t = await traces(api)
  await api.post('/call/upsert_batch', { batch: [...t.batch, ...t.batch] })
  same(await count(api, { trace_ids: both(t) }), 4, 'count')
})
check(TITLE, 'an end without a start is not a call yet', async (api) => {
  const id = api.id()
  await end(api, id, null)
  same(await count(api, { call_ids: [id] }), 0, 'count')
})

check(TITLE, 'query null counts every call that matches the filter', async (api) =>
  same(await count(api, { trace_ids: both(await traces(api)) }, null), 4, 'count'),
)
check(TITLE, 'query $and of $literal true counts all', async (api) =>
  same(await count(api, { trace_ids: both(await traces(api)) }, literals(true, true)), 4, 'count'),
)
check(TITLE, 'query $and with a $literal false counts none', async (api) =>
  same(await count(api, { trace_ids: both(await traces(api)) }, literals(true, false)), 0, 'count'),
)
check(TITLE, 'a query without $expr is rejected', async (api) =>
  api.rejects('/calls/query_stats', { project_id: api.project_id, query: { $and: [{ $literal: true }] } }),
)
check(TITLE, 'a query with an unknown operator is rejected', async (api) =>
  api.rejects('/calls/query_stats', { project_id: api.project_id, query: { $expr: { $nothing: [] } } }),
)

/** Operators that SPEC does not show, as defined by the Weave protocol. */
const field = (name: string): Doc => ({ $getField: name })
const QUERIES: readonly (readonly [name: string, expr: (t: Traces) => Doc, expected: number])[] = [
  ['$eq on op_name', (t) => ({ $eq: [field('op_name'), { $literal: t.op.ask }] }), 2],
  ['$eq on id', (t) => ({ $eq: [field('id'), { $literal: t.id.say }] }), 1],
  ['$not of $eq', (t) => ({ $not: [{ $eq: [field('op_name'), { $literal: t.op.ask }] }] }), 2],
  [
    '$or',
    (t) => ({
      $or: [{ $eq: [field('id'), { $literal: t.id.say }] }, { $eq: [field('id'), { $literal: t.id.root }] }],
    }),
    2,
  ],
  ['$in', (t) => ({ $in: [field('id'), [{ $literal: t.id.say }, { $literal: t.id.root }]] }), 2],
  ['$gt on a number in inputs', () => ({ $gt: [field('inputs.n'), { $literal: 4 }] }), 1],
  ['$gte on a number in inputs', () => ({ $gte: [field('inputs.n'), { $literal: 6 }] }), 0],
  [
    '$contains',
    (t) => ({ $contains: { input: field('op_name'), substr: { $literal: t.op.think.slice(-5) } } }),
    1,
  ],
  ['$eq of two literals', () => ({ $eq: [{ $literal: '1' }, { $literal: '1' }] }), 4],
]
for (const [name, expr, expected] of QUERIES) {
  check(TITLE, `query ${name}`, async (api) => {
    const t = await traces(api)
    const body = { project_id: api.project_id, filter: { trace_ids: both(t) }, query: { $expr: expr(t) } }
    same((await api.postUndocumented('/calls/query_stats', body))['count'], expected, 'count')
  })
}
check(TITLE, 'query and filter are combined with AND', async (api) => {
  const t = await traces(api)
  const body = {
    project_id: api.project_id,
    filter: { trace_ids: [t.trace.second] },
    query: fieldIs('op_name', t.op.ask),
  }
  same((await api.postUndocumented('/calls/query_stats', body))['count'], 1, 'count')
})
