import { expect, test } from 'vitest'
import { RawJson } from '../../src/contract/raw-json.ts'
import { parseQuery } from '../../src/core/query/parse.ts'
import { callFields } from '../../src/store/calls/read/field-resolver.ts'
import { compileFilter } from '../../src/store/calls/read/filter.ts'
import { compileCondition } from '../../src/store/query/compile.ts'
import { compileSort } from '../../src/store/query/sort.ts'
import { compile, join, type Sql } from '../../src/store/query/sql.ts'

/** Snapshots of compiled queries, for review. Bound values are shown in comments. */

const fields = callFields('acme/demo')

function show(title: string, condition: Sql): string {
  const { text, params } = compile(condition)
  const values = Object.entries(params).map(([name, value]) => `${name}=${shown(value)}`)
  return `-- ${title}\n${values.length === 0 ? '' : `-- ${values.join(' ')}\n`}${text}\n`
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_key, v: unknown) =>
    typeof v === 'bigint' ? `${v}` : v === Infinity ? 'Infinity' : v,
  )
}

function conditions(exprs: readonly string[]): string {
  return exprs
    .map((expr) => {
      const query = parseQuery(RawJson.fromBytes(Buffer.from(`{"$expr": {"$and": [${expr}]}}`)))
      return show(expr, compileCondition(query!, fields))
    })
    .join('\n')
}

const SCORE = '{"$getField": "output.score"}'
const is = (field: string, literal: string): string =>
  `{"$eq": [{"$getField": "${field}"}, {"$literal": ${literal}}]}`

test('a literal casts the other side to its type', async () => {
  const kinds = [
    '"high"',
    '5',
    '5.0',
    'true',
    'null',
    '18446744073709551615',
    '123456789012345678901',
    '1e400',
    '{"a": 1.0}',
  ]
  await expect(conditions(kinds.map((literal) => is('output.score', literal)))).toMatchFileSnapshot(
    '__snapshots__/query-literals.sql',
  )
})

test('operators', async () => {
  const exprs = [
    `{"$gt": [${SCORE}, {"$literal": 1}]}`,
    `{"$lte": [{"$literal": 1}, ${SCORE}]}`,
    `{"$not": [{"$or": [${is('output.score', '1')}, ${is('parent_id', '"p"')}]}]}`,
    `{"$in": [${SCORE}, [{"$literal": "a"}, {"$literal": 1}, {"$literal": 2.5}, {"$literal": null}]]}`,
    `{"$in": [${SCORE}, []]}`,
    `{"$contains": {"input": ${SCORE}, "substr": {"$literal": "a%"}}}`,
    `{"$contains": {"input": ${SCORE}, "substr": {"$literal": "a"}, "case_insensitive": true}}`,
    `{"$contains": {"input": {"$getField": "input_refs"}, "substr": {"$literal": "weave:///a"}}}`,
    `{"$eq": [{"$literal": "1"}, {"$literal": "1"}]}`,
    `{"$eq": [${SCORE}, {"$getField": "inputs.expected"}]}`,
    '{"$literal": true}',
    SCORE,
    ...['double', 'string', 'int', 'bool', 'exists'].map(
      (to) => `{"$convert": {"input": ${SCORE}, "to": "${to}"}}`,
    ),
    `{"$gt": [{"$size": ${SCORE}}, {"$literal": 2}]}`,
  ]
  await expect(conditions(exprs)).toMatchFileSnapshot('__snapshots__/query-operators.sql')
})

test('fields of calls', async () => {
  const exprs = [
    is('id', '"c1"'),
    is('parent_id', '"p1"'),
    is('parent_id', 'null'),
    `{"$not": [${is('parent_id', '"p1"')}]}`,
    is('exception', 'null'),
    is('wb_run_step', '5'),
    '{"$gte": [{"$getField": "started_at"}, {"$literal": 1700000000.5}]}',
    '{"$lt": [{"$getField": "ended_at"}, {"$literal": "2026-11-15"}]}',
    is('inputs', '"{}"'),
    is('inputs.a\\\\.b.0.name', '"x"'),
    is('attributes.otel_span.name', '"x"'),
    is('summary.weave.status', '"error"'),
    '{"$gt": [{"$getField": "summary.weave.latency_ms"}, {"$literal": 1000}]}',
    is('summary.weave.trace_name', '"predict"'),
    is('feedback.[wandb.reaction.1].payload.emoji', '"👍"'),
    is('feedback.[wandb.runnable.judge].payload.output.score', '1'),
    is('feedback.[*].runnable_ref', '"weave:///a/b/op/judge:v1"'),
    is('annotation_queue_items.queue_id', '"q"'),
    is('deleted_at', 'null'),
  ]
  await expect(conditions(exprs)).toMatchFileSnapshot('__snapshots__/query-call-fields.sql')
})

test('orders', async () => {
  const names = [
    'started_at',
    'ended_at',
    'parent_id',
    'output.score',
    'summary.weave.latency_ms',
    'feedback.[wandb.note.1].payload.note',
    'annotation_queue_items.queue_id',
  ]
  const orders = names.map((field) =>
    show(`${field} desc`, join(compileSort([{ field, direction: 'desc' }], fields), ',\n')),
  )
  await expect(orders.join('\n')).toMatchFileSnapshot('__snapshots__/query-sort.sql')
})

test('the simple filter of calls', async () => {
  const filters = [
    { op_names: ['predict', 'weave:///a/b/op/predict:*'] },
    {
      input_refs: ['weave:///a/b/object/x:1', 'weave:///a/b/object/y:*'],
      output_refs: ['weave:///a/b/object/z:1'],
    },
    { trace_ids: ['t'], parent_ids: ['p'], call_ids: ['c'], turn_ids: [], wb_user_ids: ['u'] },
    { thread_ids: [] },
    { thread_ids: ['t'], trace_roots_only: true },
    { wb_run_ids: ['a/b/run', 'run'] },
  ]
  const shownFilters = filters.map((filter) =>
    show(JSON.stringify(filter), join(compileFilter(filter), '\nAND ')),
  )
  await expect(shownFilters.join('\n')).toMatchFileSnapshot('__snapshots__/calls-filter.sql')
})

test('a list of more than 1,000 items in the simple filter is a 400 that names the limit', () => {
  const call_ids = Array.from({ length: 1001 }, (_, i) => `c${i}`)
  expect(() => compileFilter({ call_ids })).toThrow(/filter\.call_ids has 1001 items, more than 1000/)
})

test('an unknown field is a 422 that lists the known ones', () => {
  for (const field of [
    'nope',
    'id.x',
    '__proto__',
    'constructor',
    'feedback.payload',
    'storage_size_bytes',
  ]) {
    expect(() => conditions([is(field, '1')])).toThrow(expect.objectContaining({ status: 422 }))
  }
  expect(() => conditions([is('nope', '1')])).toThrow(/started_at.*inputs\.\*.*summary\.weave\.status/s)
})

test('a feedback field cannot be compared with another field', () => {
  const expr = '{"$eq": [{"$getField": "feedback.[*].payload.a"}, {"$getField": "id"}]}'
  expect(() => conditions([expr])).toThrow(expect.objectContaining({ status: 400 }))
})

test('a query of 10,000 nodes compiles', () => {
  const terms = Array.from({ length: 2400 }, (_, i) => is('inputs.a', String(i)))
  expect(conditions([`{"$or": [${terms.join(',')}]}`]).length).toBeGreaterThan(100_000)
})
