import { expect, test } from 'vitest'
import { JsonText } from '../../client/browser/json-text.ts'
import { readListSearch } from './list-search.ts'
import { addressOf, definitionOf, isSameView, type ViewSearch, viewValue } from './saved-views-definition.ts'
import { membersOf, type SavedView } from './saved-views-list.ts'

const view = (val: JsonText): SavedView => ({
  object_id: 'v',
  label: 'V',
  user: null,
  members: membersOf(val),
})
const saved = (search: ViewSearch): SavedView => view(viewValue('V', 'traces', undefined, search))
const made = (definition: unknown): SavedView =>
  view(JsonText.of({ label: 'V', view_type: 'traces', definition }))

test.each<ViewSearch>([
  {},
  { show: 'calls' },
  { filter: 'status = error and inputs.user.tier = gold', range: '24h' },
  { filter: 'latency > 2s or inputs.n <= 12345678901234567890', sort: '-summary.weave.latency_ms' },
  { filter: 'not (a.b ~ "x" and note missing) and inputs.model in (x, "y z")', show: 'calls' },
  { text: 'zürich', range: 'all', live: 'on' },
  { columns: 'name,model,tokens,cost,inputs.order,attributes.a.b', sort: 'inputs.order' },
  { range: '2026-01-01T00:00:00.000Z..2026-01-02T00:00:00.000Z' },
])('leads back to the address that it was saved from: %j', (search) => {
  expect(addressOf(saved(search))).toEqual({ search, leftOut: [] })
})

test('takes an address that means the same for the same', () => {
  const isSame = (a: ViewSearch, b: ViewSearch): boolean => isSameView(a, addressOf(saved(b)).search)
  expect(isSame({ filter: ' status==error ' }, { filter: 'status = error' })).toBe(true)
  expect(isSame({ range: '7d', sort: '-started_at' }, {})).toBe(true)
  expect(isSame({}, { range: '7d', sort: '-started_at' })).toBe(true)
  expect(isSame({ text: 'a', show: 'calls' }, { text: 'a' })).toBe(true)
  expect(isSame({ filter: 'status = success' }, { filter: 'status = error' })).toBe(false)
  expect(isSame({ range: '24h' }, {})).toBe(false)
  expect(isSame({ columns: 'name' }, {})).toBe(false)
})

test('says in the words of Weave what Weave has words for', () => {
  const search = { filter: 'inputs.n > 5', columns: 'name,inputs.q', sort: 'started_at', range: '24h' }
  expect(JSON.parse(JsonText.of(definitionOf(search)).text)).toEqual({
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

/** As the Python SDK writes it: the class of each part beside what it says. */
const mark = (_class_name: string, members: object): object => ({
  _type: _class_name,
  ...members,
  _class_name,
  _bases: ['BaseModel'],
})
const field = (name: string): object => mark('GetFieldOperator', { $getField: name })
const literal = (value: unknown): object => mark('LiteralOperation', { $literal: value })
const double = (input: object): object =>
  mark('ConvertOperation', { $convert: mark('ConvertSpec', { input, to: 'double' }) })

test('opens what the Python SDK has saved', () => {
  const contains = mark('ContainsSpec', {
    input: field('inputs.question'),
    substr: literal('Refund'),
    case_insensitive: false,
  })
  const definition = mark('SavedViewDefinition', {
    filter: mark('CallsFilter', {
      op_names: ['weave:///e/p/op/answer:*'],
      parent_ids: null,
      wb_user_ids: ['ada', 'bo'],
      trace_roots_only: null,
    }),
    query: mark('Query', {
      $expr: mark('AndOperation', {
        $and: [
          mark('GtOperation', { $gt: [field('summary.weave.latency_ms'), literal(500)] }),
          mark('ContainsOperation', { $contains: contains }),
          mark('NotOperation', {
            $not: [
              mark('GtOperation', {
                $gt: [double(field('inputs.n')), literal(new JsonText('12345678901234567890'))],
              }),
            ],
          }),
        ],
      }),
    }),
    columns: [
      mark('Column', { path: ['id'], label: null }),
      mark('Column', { path: ['op_name'], label: null }),
      mark('Column', { path: ['inputs', 'list', 0], label: null }),
      mark('Column', { path: ['summary', 'weave', 'status'], label: 'Status' }),
      mark('Column', { path: ['ui_url'], label: null }),
    ],
    sort_by: [mark('SortBy', { field: 'inputs.n', direction: 'desc' })],
    page_size: 20,
  })
  expect(addressOf(made(definition))).toEqual({
    search: {
      filter:
        'op ~ "weave:///e/p/op/answer:" and user in (ada, bo) and latency > 500ms and ' +
        'inputs.question ~ "Refund" and not inputs.n > 12345678901234567890',
      range: 'all',
      show: 'calls',
      columns: 'id,name,inputs.list.0',
      sort: '-inputs.n',
    },
    leftOut: ['the case of letters in “contains”', 'a column for ui_url'],
  })
})

test('says what it cannot show, and opens the rest', () => {
  const strange = { $expr: { $eq: [{ $getField: 'a' }, { $getField: 'b' }] } }
  const definition = { filter: { input_refs: ['weave:///x'], trace_roots_only: true }, query: strange }
  expect(addressOf(made(definition))).toEqual({
    search: { range: 'all' },
    leftOut: ['its filter by input_refs', 'a query that no filter can say'],
  })
  for (const broken of [null, [], 'x', { columns: [null, {}], sort_by: [{}], heddle: null, query: 1 }]) {
    expect(() => addressOf(made(broken))).not.toThrow()
  }
})

test('keeps what others have saved in a view', () => {
  const before = made({ pin: { left: ['id'], right: [] }, page_size: 20, query: null })
  const renamed = membersOf(viewValue('W', 'traces', before, undefined))
  expect(renamed.get('label')?.text).toBe('"W"')
  expect(renamed.get('definition')).toEqual(before.members.get('definition'))
  const changed = membersOf(viewValue('V', 'traces', before, { filter: 'status = error' }))
  const definition = membersOf(changed.get('definition'))
  expect(definition.get('pin')?.text).toBe('{"left":["id"],"right":[]}')
  expect(definition.get('page_size')?.text).toBe('20')
  expect(definition.get('query')?.text).toContain('summary.weave.status')
})

test('tells a link to a view from how a trace is shown', () => {
  expect(readListSearch({ view: 'traces_2026-01-01' })).toEqual({ open: 'traces_2026-01-01' })
  expect(readListSearch({ view: 'transcript', call: 'c' })).toEqual({ view: 'transcript', call: 'c' })
})
