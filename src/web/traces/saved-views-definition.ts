import { JsonText, writeJsonText } from '../../client/browser/json-text.ts'
import { allOf } from '../filter/ast.ts'
import { printFilter } from '../filter/print.ts'
import { parseRange, printRange } from '../time/range.ts'
import { readQuestion } from './list-question.ts'
import type { ListSearch } from './list-search.ts'
import { fromViewColumns, toViewColumns } from './saved-views-columns.ts'
import { membersOf, type SavedView } from './saved-views-list.ts'
import { filterOfCallsFilter, filterOfQuery } from './saved-views-query.ts'

/** What of the address belongs to a view. The trace that is open beside the list does not. */
export type ViewSearch = Pick<ListSearch, 'filter' | 'text' | 'range' | 'show' | 'columns' | 'sort' | 'live'>

/** The definition of a view as Weave has it; what it has no word for is in a member of our own. */
export function definitionOf(search: ViewSearch): Readonly<Record<string, unknown>> {
  const { query, rootsOnly, sort } = readQuestion(search)
  const range = printRange(parseRange(search.range))
  return {
    filter: rootsOnly ? { trace_roots_only: true } : null,
    query: query ?? null,
    columns: toViewColumns(search.columns) ?? null,
    sort_by: sort === undefined || isUsual(sort) ? null : [sort],
    heddle: {
      text: search.text,
      range: range === printRange(parseRange(undefined)) ? undefined : range,
      live: search.live,
    },
  }
}

function isUsual(sort: { readonly field: string; readonly direction: string }): boolean {
  return sort.field === 'started_at' && sort.direction === 'desc'
}

interface ViewAddress {
  readonly search: ViewSearch
  /** What the view asks for and this list cannot show, in words. */
  readonly leftOut: readonly string[]
}

/** Where a view leads. */
export function addressOf(view: SavedView): ViewAddress {
  const definition = membersOf(view.members.get('definition'))
  const callsFilter = membersOf(definition.get('filter'))
  const plain = filterOfCallsFilter(callsFilter)
  const query = definition.get('query') ?? NULL
  const asked = query.text === 'null' ? { filter: undefined, leftOut: [] } : filterOfQuery(query)
  const filter = printFilter(allOf([plain.filter, asked.filter].filter((each) => each !== undefined)))
  const columns = fromViewColumns(listOf(definition.get('columns')))
  const sort = sortOf(listOf(definition.get('sort_by')))
  const own = definition.get('heddle')
  const { text, range, live } = own === undefined ? FOREIGN : ownOf(own)
  const isRoots = callsFilter.get('trace_roots_only')?.text === 'true'
  const search: ListSearch = {}
  if (filter !== '') search.filter = filter
  if (text !== undefined) search.text = text
  if (range !== undefined) search.range = range
  if (!isRoots && text === undefined) search.show = 'calls'
  if (columns.columns !== undefined) search.columns = columns.columns
  if (sort.sort !== undefined) search.sort = sort.sort
  if (live !== undefined) search.live = live
  const unknown = columns.unknown.map((path) => `a column for ${path}`)
  return { search, leftOut: [...plain.leftOut, ...asked.leftOut, ...unknown, ...sort.leftOut] }
}

const NULL = new JsonText('null')

/** A view that was saved elsewhere has no range: it looks at all times. */
const FOREIGN = { text: undefined, range: 'all', live: undefined }

function ownOf(json: JsonText): {
  text: string | undefined
  range: string | undefined
  live: string | undefined
} {
  const own = JSON.parse(json.text) as Readonly<Record<string, unknown>> | null
  const word = (name: string): string | undefined => {
    const value = own?.[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return { text: word('text'), range: word('range'), live: word('live') }
}

function listOf(json: JsonText | undefined): readonly unknown[] {
  const value: unknown = json === undefined ? [] : JSON.parse(json.text)
  return Array.isArray(value) ? value : []
}

/** The list is put in order by one field; the newest first is its usual order. */
function sortOf(orders: readonly unknown[]): { sort: string | undefined; leftOut: readonly string[] } {
  const [first, ...others] = orders as readonly { readonly field?: unknown; readonly direction?: unknown }[]
  const leftOut = others.length > 0 ? ['the second field of its order'] : []
  if (typeof first?.field !== 'string' || first.field === '') return { sort: undefined, leftOut }
  const sort = `${first.direction === 'asc' ? '' : '-'}${first.field}`
  return { sort: sort === '-started_at' ? undefined : sort, leftOut }
}

/** Whether two addresses mean the same, however they are spelled. */
export function isSameView(a: ViewSearch, b: ViewSearch): boolean {
  return writeJsonText(definitionOf(a)) === writeJsonText(definitionOf(b))
}

/**
 * A view to be published. What was published before and is not ours to know, such as columns that Weave has pinned,
 * stays in it.
 */
export function viewValue(
  label: string,
  view_type: string,
  before: SavedView | undefined,
  search: ViewSearch | undefined,
): JsonText {
  const old = Object.fromEntries(before?.members ?? [])
  const definition =
    search === undefined
      ? old['definition']
      : { ...Object.fromEntries(membersOf(old['definition'])), ...definitionOf(search) }
  return JsonText.of({ name: null, description: null, ...old, view_type, label, definition })
}
