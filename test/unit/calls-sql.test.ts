import { expect, test } from 'vitest'
import type { CallsFilter } from '../../src/contract/calls/calls-filter.ts'
import type { SortBy } from '../../src/contract/fields.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import type { Operand } from '../../src/core/query/ast.ts'
import { parseQuery } from '../../src/core/query/parse.ts'
import { selectKnown } from '../../src/store/calls/write/known-calls.ts'
import {
  callColumns,
  type CallSelection,
  countStatement,
  extractedCountStatement,
  selectCall,
  selectCalls,
  selectNotExtracted,
  selectTraceMembers,
} from '../../src/store/calls/read/select-calls.ts'
import { callConditions, callOrder, compileSelection } from '../../src/store/calls/read/selection.ts'
import { selectDocumentFields } from '../../src/store/calls/read/document-field-sampler.ts'
import { RefJoins } from '../../src/store/calls/read/ref-joins.ts'
import {
  selectCandidates,
  selectMatching,
  selectWindow,
  type TimePage,
} from '../../src/store/calls/read/time-page.ts'
import { selectTraces } from '../../src/store/calls/read/trace-totals.ts'
import { selectPartBodies, selectPartVersions } from '../../src/store/calls/write/call-parts.ts'
import { selectClock } from '../../src/store/calls/write/clock-sync.ts'
import { selectStoredCalls, selectUnrankedVersions } from '../../src/store/calls/write/stored-facts.ts'
import {
  indexAgain,
  logAgain,
  selectLastInsert,
  selectUnreconciled,
  selectWrittenSlices,
} from '../../src/store/calls/write/unreconciled.ts'
import { compile, type Sql } from '../../src/store/query/sql.ts'
import { HOSTILE, show } from './statements.ts'

/** Snapshots of all statements on calls, for review. query-compile.test.ts covers queries and filters. */

const PROJECT = 'acme/demo'
const WHOLE = { limit: undefined, offset: undefined }

interface CallsRequest {
  readonly filter?: CallsFilter
  readonly query?: object
  readonly sort_by?: SortBy
  readonly columns?: readonly string[]
  readonly page?: CallSelection['page']
  readonly preview_characters?: number
  readonly preview_messages?: boolean
}

const expr = (query: object | undefined): Operand | undefined =>
  query === undefined ? undefined : parseQuery(RawJson.fromValue({ $expr: query }))

function calls(request: CallsRequest): Sql {
  return selectCalls({
    project_id: PROJECT,
    conditions: callConditions(PROJECT, request.filter, expr(request.query)),
    order: callOrder(PROJECT, request.sort_by),
    columns: callColumns(request.columns),
    page: request.page ?? WHOLE,
    preview_characters: request.preview_characters,
    preview_messages: request.preview_messages,
  })
}

const is = (field: string, literal: unknown): object => ({
  $eq: [{ $getField: field }, { $literal: literal }],
})
const always = { $or: [{ $eq: [{ $literal: 1 }, { $literal: 1 }] }] }

test('the statements that list calls bind every value and keep the tenant outside the conditions', async () => {
  const page = { limit: 10, offset: 5 }
  const filter = { op_names: [HOSTILE, `${HOSTILE}:*`], trace_roots_only: true }
  const query = { $and: [always, is(`inputs.${HOSTILE}`, HOSTILE)] }
  const sort_by: SortBy = [{ field: `output.${HOSTILE}`, direction: 'desc' }]
  await expect(
    show([
      ['calls: by start time, all columns, no limit', calls({})],
      [
        'calls: a page in two steps, payloads only for its rows',
        calls({ page: { limit: 100, offset: undefined } }),
      ],
      ['calls: a page too large for two steps', calls({ page: { limit: 10_001, offset: 20 } })],
      ['calls: filter, query, sort and page', calls({ filter, query, sort_by, page })],
      ['calls: named by id, through call_ids', calls({ filter: { call_ids: [HOSTILE, 'b'] }, page })],
      [
        'calls: traces only, by a field of traces',
        calls({ filter: { traces_only: true }, query: is('end_user', HOSTILE), page }),
      ],
      ['calls: in no order', calls({ sort_by: [] })],
      ['calls: newest first', calls({ sort_by: [{ field: 'started_at', direction: 'desc' }], page })],
      ['calls: columns by their first part', calls({ columns: ['inputs.a', 'summary.usage', HOSTILE] })],
      ['calls: attributes need the span', calls({ columns: ['attributes'] })],
      ['calls: previews without payloads', calls({ columns: ['id'], preview_characters: 100, page })],
      [
        'calls: previews of messages',
        calls({ columns: ['id'], preview_characters: 100, preview_messages: true, page }),
      ],
    ]),
  ).toMatchFileSnapshot('./snapshots/calls.sql')
})

test('the statements of a page in time order bind every value', async () => {
  const filter = { trace_ids: [HOSTILE] }
  const query = expr(is('inputs.model', HOSTILE))
  const compiled = compileSelection(PROJECT, filter, query, { refJoins: new RefJoins(PROJECT, null) })
  const selection = {
    project_id: PROJECT,
    conditions: compiled.conditions,
    order: callOrder(PROJECT, null),
    columns: callColumns(['op_name']),
    page: { limit: 50, offset: 0 },
  }
  const position = { id: HOSTILE, started: '1700000000000000' }
  const prefilter = compiled.prefilter()
  const up: TimePage = { selection, prefilter, direction: 'asc' }
  const down: TimePage = { selection, prefilter, direction: 'desc' }
  const traces: TimePage = { ...down, prefilter: { ...prefilter, isTracesOnly: true } }
  await expect(
    show([
      ['candidates in time order: newest first', selectCandidates(down, {}, 64)],
      ['candidates in time order: after a position', selectCandidates(up, { after: position }, 64)],
      [
        'candidates in time order: a range',
        selectCandidates(down, { after: { started: position.started }, until: 1n }, 64),
      ],
      ['calls in scan window', selectWindow(up, { after: position, until: 1n }, 50)],
      ['matching candidates', selectMatching(down, selection.columns, [position])],
      ['candidates in time order: traces only', selectCandidates(traces, { after: position, until: 1n }, 64)],
      [
        'matching candidates: traces only',
        selectMatching(traces, selection.columns, [{ ...position, orphan_trace_id: HOSTILE }]),
      ],
      ['calls counted by extracted fields', extractedCountStatement(PROJECT, compiled.extracted!)],
      ['calls not extracted', selectNotExtracted(PROJECT, compiled.extracted!)],
    ]),
  ).toMatchFileSnapshot('./snapshots/calls-in-order.sql')
})

test('a search in documents reads no extracted fields of the documents', async () => {
  const search = {
    $contains: { input: { $getField: 'inputs.messages' }, substr: { $literal: 'a text' } },
  }
  const documentFields = new Set(['inputs.messages'])
  const compiled = compileSelection(PROJECT, null, expr(search), { documentFields })
  expect(compiled.extracted).toBeUndefined()
  const mixed = expr({ $and: [search, is('inputs.model', HOSTILE)] })
  await expect(
    show([
      ['fields in documents', selectDocumentFields(PROJECT, [['inputs', 'messages'], ['output']])],
      ['calls counted: search in documents', countStatement(PROJECT, compiled.conditions, undefined)],
      [
        'calls counted by extracted fields: search in documents',
        extractedCountStatement(
          PROJECT,
          compileSelection(PROJECT, null, mixed, { documentFields }).extracted!,
        ),
      ],
    ]),
  ).toMatchFileSnapshot('./snapshots/calls-document-fields.sql')
})

test('the statements that find, count and relate calls bind every value', async () => {
  const conditions = callConditions(
    PROJECT,
    { trace_ids: [HOSTILE] },
    expr(is('summary.weave.status', HOSTILE)),
  )
  await expect(
    show([
      ['call by id', selectCall(PROJECT, HOSTILE)],
      ['calls counted: all', countStatement(PROJECT, [], undefined)],
      ['calls counted: those that match', countStatement(PROJECT, conditions, undefined)],
      ['calls counted: up to a limit', countStatement(PROJECT, conditions, 1)],
      ['calls of the same traces', selectTraceMembers(PROJECT, [HOSTILE, 'b'])],
      ['totals of traces', selectTraces(PROJECT, [HOSTILE, 'b'], 1_700_000_000_000_000n, 1000)],
    ]),
  ).toMatchFileSnapshot('./snapshots/calls-by-id.sql')
})

test('the statements of the write path bind every value and name the project of each call', async () => {
  const keys = [
    { project_id: PROJECT, id: HOSTILE },
    { project_id: 'other/project', id: 'b' },
  ]
  const minute = { from: 1_700_000_000_000_000n, to: 1_700_000_060_000_000n }
  const idCreatedTogether = (n: number): string => `0190c5b0-3f4e-7d3a-9b1c-00000000000${n}`
  const batch = [...keys, ...[3, 1, 2].map((n) => ({ project_id: PROJECT, id: idCreatedTogether(n) }))]
  await expect(
    show([
      ['calls known by id: a list of ids', selectKnown(keys, 2)],
      ['calls known by id: a span of ids created together', selectKnown(batch, 2)],
      ['stored calls with payloads', selectStoredCalls(keys)],
      ['versions of stored calls', selectUnrankedVersions(keys)],
      ['parts of calls', selectPartVersions(keys)],
      [
        'bodies of parts',
        selectPartBodies([
          { ...keys[0]!, start: 7n, end: (1n << 127n) | 8n, rename: undefined, contents: [] },
        ]),
      ],
      ['clock', selectClock],
      ['last insert', selectLastInsert],
      ['minutes with inserts', selectWrittenSlices(minute)],
      ['calls logged again', logAgain(minute)],
      ['calls indexed again', indexAgain(minute)],
      ['calls unreconciled', selectUnreconciled(minute)],
    ]),
  ).toMatchFileSnapshot('./snapshots/calls-known.sql')
})

test('every order ends with the id, so that pages neither repeat nor skip calls', () => {
  const order = (sort_by: SortBy): string[] => callOrder(PROJECT, sort_by).map((term) => compile(term).text)
  expect(order(null)).toEqual(['started_at', 'id'])
  expect(order([])).toEqual([])
  expect(order([{ field: 'started_at', direction: 'asc' }]).at(-1)).toBe('id')
  expect(order([{ field: 'started_at', direction: 'desc' }]).at(-1)).toBe('id DESC')
  expect(order([{ field: 'op_name', direction: 'asc' }]).at(-1)).toBe('id DESC')
})

test('no query can use a column outside the allow-list', () => {
  for (const field of [
    HOSTILE,
    'start_version',
    'is_deleted',
    'calls.id',
    'inputs_normalized',
    'id; DROP TABLE calls',
    '*',
  ]) {
    const bad = (): unknown => callConditions(PROJECT, undefined, expr(is(field, 1)))
    expect(bad, field).toThrow(expect.objectContaining({ code: 'unprocessable' }))
    expect(() => callOrder(PROJECT, [{ field, direction: 'asc' }]), field).toThrow(
      expect.objectContaining({ code: 'unprocessable' }),
    )
  }
})
