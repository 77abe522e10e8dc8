import { expect, test } from 'vitest'
import { JsonText } from '../../../client/browser/json-text.ts'
import { readListSearch } from '../list-search.ts'
import { viewToSearch, searchToDefinition, isSameView, type ViewSearch, viewMembers } from './definition.ts'
import { objectMembers } from '../../named-objects/use-named-objects.ts'
import type { SavedView } from './use-saved-views.ts'

const view = (val: JsonText): SavedView => ({
  object_id: 'v',
  label: 'V',
  user: null,
  savedAt: '',
  members: objectMembers(val),
})
const saved = (search: ViewSearch): SavedView => view(JsonText.of(viewMembers('traces', undefined, search)))
const viewOf = (definition: unknown): SavedView =>
  view(JsonText.of({ label: 'V', view_type: 'traces', definition }))

test.each<ViewSearch>([
  {},
  { show: 'calls' },
  { filter: 'status = error and inputs.user.tier = gold', range: '24h' },
  { filter: 'latency > 2s or inputs.n <= 12345678901234567890', sort: '-summary.weave.latency_ms' },
  { filter: 'not (inputs.b ~ "x" and note missing) and inputs.model in (x, "y z")', show: 'calls' },
  { text: 'zürich', range: 'all', live: 'on' },
  { columns: 'name,model,tokens,cost,inputs.order,attributes.a.b', sort: 'inputs.order' },
  { columns: 'name,provider,end_user,scores.helpful', sort: '-cost' },
  { range: '2026-01-01T00:00:00.000Z..2026-01-02T00:00:00.000Z' },
])('a saved view restores the search it was saved from: %j', (search) => {
  expect(viewToSearch(saved(search))).toEqual({ search, unsupported: [] })
})

test('equivalent searches are the same view', () => {
  const isSame = (a: ViewSearch, b: ViewSearch): boolean => isSameView(a, viewToSearch(saved(b)).search)
  expect(isSame({ filter: ' status==error ' }, { filter: 'status = error' })).toBe(true)
  expect(isSame({ range: '7d', sort: '-started_at' }, {})).toBe(true)
  expect(isSame({}, { range: '7d', sort: '-started_at' })).toBe(true)
  expect(isSame({ text: 'a', show: 'calls' }, { text: 'a' })).toBe(true)
  expect(isSame({ filter: 'status = success' }, { filter: 'status = error' })).toBe(false)
  expect(isSame({ range: '24h' }, {})).toBe(false)
  expect(isSame({ columns: 'name' }, {})).toBe(false)
})

test('the definition uses the fields of Weave where they exist', () => {
  const search = { filter: 'inputs.n > 5', columns: 'name,inputs.q', sort: 'started_at', range: '24h' }
  expect(JSON.parse(JsonText.of(searchToDefinition(search)).text)).toEqual({
    filter: { trace_roots_only: true },
    query: { $expr: { $gt: [{ $getField: 'inputs.n' }, { $literal: 5 }] } },
    columns: [
      { path: ['summary', 'weave', 'trace_name'], label: 'Name' },
      { path: ['inputs', 'q'], label: 'inputs.q' },
    ],
    sort_by: [{ field: 'started_at', direction: 'asc' }],
    heddle: { range: '24h' },
  })
})

/** An object as the Python SDK writes it, with class keys. */
const withClass = (_class_name: string, members: object): object => ({
  _type: _class_name,
  ...members,
  _class_name,
  _bases: ['BaseModel'],
})
const field = (name: string): object => withClass('GetFieldOperator', { $getField: name })
const literal = (value: unknown): object => withClass('LiteralOperation', { $literal: value })
const double = (input: object): object =>
  withClass('ConvertOperation', { $convert: withClass('ConvertSpec', { input, to: 'double' }) })

test('a view saved by the Python SDK opens', () => {
  const contains = withClass('ContainsSpec', {
    input: field('inputs.question'),
    substr: literal('Refund'),
    case_insensitive: false,
  })
  const definition = withClass('SavedViewDefinition', {
    filter: withClass('CallsFilter', {
      op_names: ['weave:///e/p/op/answer:*'],
      parent_ids: null,
      wb_user_ids: ['ada', 'bo'],
      trace_roots_only: null,
    }),
    query: withClass('Query', {
      $expr: withClass('AndOperation', {
        $and: [
          withClass('GtOperation', { $gt: [field('summary.weave.latency_ms'), literal(500)] }),
          withClass('ContainsOperation', { $contains: contains }),
          withClass('NotOperation', {
            $not: [
              withClass('GtOperation', {
                $gt: [double(field('inputs.n')), literal(new JsonText('12345678901234567890'))],
              }),
            ],
          }),
        ],
      }),
    }),
    columns: [
      withClass('Column', { path: ['id'], label: null }),
      withClass('Column', { path: ['op_name'], label: null }),
      withClass('Column', { path: ['inputs', 'list', 0], label: null }),
      withClass('Column', { path: ['summary', 'weave', 'status'], label: 'Status' }),
      withClass('Column', { path: ['ui_url'], label: null }),
    ],
    sort_by: [withClass('SortBy', { field: 'inputs.n', direction: 'desc' })],
    page_size: 20,
  })
  expect(viewToSearch(viewOf(definition))).toEqual({
    search: {
      filter:
        'op_name ~ "weave:///e/p/op/answer:" and user in (ada, bo) and latency > 500ms and ' +
        'inputs.question ~ "Refund" and not inputs.n > 12345678901234567890',
      range: 'all',
      show: 'calls',
      columns: 'id,name,inputs.list.0',
      sort: '-inputs.n',
    },
    unsupported: ['case-sensitive “contains”', 'column ui_url'],
  })
})

test('unsupported parts are listed and the rest opens', () => {
  const unsupportedQuery = { $expr: { $eq: [{ $getField: 'a' }, { $getField: 'b' }] } }
  const definition = {
    filter: { input_refs: ['weave:///x'], trace_roots_only: true },
    query: unsupportedQuery,
  }
  expect(viewToSearch(viewOf(definition))).toEqual({
    search: { range: 'all' },
    unsupported: ['filter by input_refs', 'a query that filters cannot express'],
  })
  for (const broken of [null, [], 'x', { columns: [null, {}], sort_by: [{}], heddle: null, query: 1 }]) {
    expect(() => viewToSearch(viewOf(broken))).not.toThrow()
  }
})

test('members written by other tools are kept', () => {
  const before = viewOf({ pin: { left: ['id'], right: [] }, page_size: 20, query: null })
  const renamed = viewMembers('traces', before, undefined)
  expect(renamed['definition']).toEqual(before.members.get('definition'))
  const changed = objectMembers(JsonText.of(viewMembers('traces', before, { filter: 'status = error' })))
  const definition = objectMembers(changed.get('definition'))
  expect(definition.get('pin')?.text).toBe('{"left":["id"],"right":[]}')
  expect(definition.get('page_size')?.text).toBe('20')
  expect(definition.get('query')?.text).toContain('summary.weave.status')
})

test('the view parameter is a trace view or a saved view id', () => {
  expect(readListSearch({ view: 'traces_2026-01-01' })).toEqual({ open: 'traces_2026-01-01' })
  expect(readListSearch({ view: 'transcript', call: 'c' })).toEqual({ view: 'transcript', call: 'c' })
})
