import fc from 'fast-check'
import type { CallsFilter } from '../../src/contract/calls/calls-filter.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { parseQuery } from '../../src/core/query/parse.ts'
import { splitPath } from '../../src/core/query/path.ts'
import { matches, order, type Row } from '../query-interpreter.ts'
import { REFS } from './json-arbitraries.ts'
import { fieldsOver, type FieldValue, queriesOver } from './query-arbitraries.ts'
import type { VisibleCall } from './stored-calls.ts'

/** Random requests for lists of calls, and their expected results without a database. */

export interface CallSelection {
  readonly filter?: CallsFilter | undefined
  /** The JSON text that is sent. */
  readonly query?: string | undefined
}

export interface ListRequest extends CallSelection {
  readonly sort_by?: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[] | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export function selectionsOver(
  project_id: string,
  calls: readonly VisibleCall[],
  fieldValues: readonly FieldValue[],
): fc.Arbitrary<CallSelection> {
  return fc.record({
    filter: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, anyFilter(project_id, calls)),
    query: fc.oneof(
      { weight: 1, arbitrary: fc.constant(undefined) },
      { weight: 9, arbitrary: queriesOver(fieldValues) },
    ),
  })
}

export function listRequestsOver(
  project_id: string,
  calls: readonly VisibleCall[],
  fieldValues: readonly FieldValue[],
): fc.Arbitrary<ListRequest> {
  const sortField = fc.record({
    field: fieldsOver(fieldValues),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  })
  const page = fc.oneof(fc.constant(undefined), fc.nat(40))
  const options = fc.record({
    sort_by: fc.oneof(
      fc.constant(undefined),
      fc.constant([{ field: 'started_at', direction: 'desc' as const }]),
      fc.array(sortField, { minLength: 1, maxLength: 3 }),
    ),
    limit: page,
    offset: page,
  })
  return fc
    .tuple(selectionsOver(project_id, calls, fieldValues), options)
    .map(([selection, options]) => ({ ...selection, ...options }))
}

/** One or two keys of the simple filter. */
function anyFilter(project_id: string, calls: readonly VisibleCall[]): fc.Arbitrary<CallsFilter> {
  const some = (...items: string[]): fc.Arbitrary<string[]> =>
    fc.array(fc.constantFrom(...items), { maxLength: 3 })
  const refs = some(...REFS, 'weave:///a/b/object/x:*', 'weave:///a/b/object/x:99')
  const one: fc.Arbitrary<CallsFilter> = fc.oneof(
    some('predict', 'Évaluer', 'weave:///a/b/op/predict:*', 'weave:///a/b/op/predict:v2', 'none:*').map(
      (op_names) => ({ op_names }),
    ),
    refs.map((input_refs) => ({ input_refs })),
    refs.map((output_refs) => ({ output_refs })),
    some('p1', '5', '', ...calls.slice(0, 9).map(({ id }) => id)).map((parent_ids) => ({ parent_ids })),
    some('t0', 't1', 't2', 'none').map((trace_ids) => ({ trace_ids })),
    fc
      .array(fc.constantFrom('none', ...calls.map(({ id }) => id)), { maxLength: 9 })
      .map((call_ids) => ({ call_ids })),
    some('th1', 'th2').map((thread_ids) => ({ thread_ids })),
    some('u1', 'u2').map((turn_ids) => ({ turn_ids })),
    fc.boolean().map((trace_roots_only) => ({ trace_roots_only })),
    some('run1', 'run2', '5', `${project_id}/run1`, 'acme/other/run1', 'acme/runs/run2', '').map(
      (wb_run_ids) => ({
        wb_run_ids,
      }),
    ),
  )
  return fc.tuple(one, one).map(([a, b]) => ({ ...a, ...b }))
}

export function requestBody(request: ListRequest, more: object): string {
  const { query, ...rest } = request
  const text = JSON.stringify({ ...rest, ...more })
  return query === undefined ? text : `${text.slice(0, -1)},"query":${query}}`
}

/** The calls that match, in the given order. */
export function selectCalls({ filter, query }: CallSelection, calls: readonly VisibleCall[]): VisibleCall[] {
  const condition = query === undefined ? undefined : parseQuery(RawJson.fromBytes(Buffer.from(query)))
  return calls.filter(
    ({ row }) => matchesFilter(filter ?? {}, row) && (condition === undefined || matches(condition, row)),
  )
}

export function listCalls(request: ListRequest, calls: readonly VisibleCall[]): VisibleCall[] {
  const { sort_by, offset = 0, limit = Infinity } = request
  const found = selectCalls(request, calls)
  if (sort_by === undefined) found.sort((a, b) => byTime(a, b) || byId(a, b))
  else {
    const paths = sort_by.map(({ field }) => splitPath(field))
    const last = sort_by.at(-1)!
    const sign = last.field === 'started_at' && last.direction === 'asc' ? 1 : -1
    found.sort((a, b) => {
      for (const [i, path] of paths.entries()) {
        const difference = order(path, sort_by[i]!.direction, a.row, b.row)
        if (difference !== 0) return difference
      }
      return sign * byId(a, b)
    })
  }
  return found.slice(offset, offset + limit)
}

export function byTime(a: VisibleCall, b: VisibleCall): number {
  return Number(a.started_at - b.started_at)
}

/** Orders text by its bytes, as ClickHouse does. */
export function byId(a: VisibleCall, b: VisibleCall): number {
  return Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))
}

function matchesFilter(filter: CallsFilter, row: Row): boolean {
  const text = (name: string): string | null => (row.get(name) as { text: string | null }).text
  const list = (name: string): readonly string[] => (row.get(name) as { list: readonly string[] }).list
  const isOne = (name: string, requested: readonly string[] | null | undefined): boolean =>
    !requested?.length || requested.includes(text(name) ?? 'unset')
  const isVersion = (name: string, requested: string): boolean =>
    requested.endsWith(':*') ? name.startsWith(requested.slice(0, -1)) : name === requested
  const hasRef = (name: string, requested: readonly string[] | null | undefined): boolean =>
    !requested?.length || requested.some((ref) => list(name).some((held) => isVersion(held, ref)))
  const { op_names, wb_run_ids } = filter
  const wholeRun = (run: string): string => (run.includes('/') ? run : `${text('project_id')}/${run}`)
  return (
    (!op_names?.length || op_names.some((requested) => isVersion(text('op_name')!, requested))) &&
    hasRef('input_refs', filter.input_refs) &&
    hasRef('output_refs', filter.output_refs) &&
    isOne('parent_id', filter.parent_ids) &&
    isOne('trace_id', filter.trace_ids) &&
    isOne('id', filter.call_ids) &&
    filter.thread_ids?.length !== 0 &&
    isOne('thread_id', filter.thread_ids) &&
    isOne('turn_id', filter.turn_ids) &&
    (filter.trace_roots_only !== true || text('parent_id') === null) &&
    (!wb_run_ids?.length ||
      (text('wb_run_id') !== null &&
        wb_run_ids.some((run) => run !== '' && wholeRun(run) === wholeRun(text('wb_run_id')!))))
  )
}
