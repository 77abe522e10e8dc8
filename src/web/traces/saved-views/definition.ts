import { JsonText, writeJsonText } from '../../../client/browser/json-text.ts'
import { conjunction } from '../../filter/ast.ts'
import { objectMembers } from '../../named-objects/use-named-objects.ts'
import { printFilter } from '../../filter/print.ts'
import { parseRange, printRange } from '../../time/range.ts'
import { parseListQuery } from '../list-query.ts'
import { fromViewColumns, toViewColumns } from './view-columns.ts'
import type { SavedView } from './use-saved-views.ts'
import { filterFromCallsFilter, filterFromQuery } from './view-filter.ts'
import type { Search } from '../../search-state.ts'

/** The URL parameters that a view saves. The open trace is not part of a view. */
export type ViewSearch = Pick<
  Search<'traces'>,
  'filter' | 'text' | 'range' | 'show' | 'columns' | 'sort' | 'live'
>

/** The view definition in Weave's format. Fields that Weave does not have go into the `heddle` member. */
export function searchToDefinition(search: ViewSearch): Readonly<Record<string, unknown>> {
  const { query, rootsOnly, sort } = parseListQuery(search)
  const range = printRange(parseRange(search.range))
  return {
    filter: rootsOnly ? { trace_roots_only: true } : null,
    query: query ?? null,
    columns: toViewColumns(search.columns) ?? null,
    sort_by: sort === undefined || isDefaultSort(sort) ? null : [sort],
    heddle: {
      text: search.text,
      range: range === printRange(parseRange(undefined)) ? undefined : range,
      live: search.live,
    },
  }
}

function isDefaultSort(sort: { readonly field: string; readonly direction: string }): boolean {
  return sort.field === 'started_at' && sort.direction === 'desc'
}

interface ParsedView {
  readonly search: ViewSearch
  /** Descriptions of parts of the view that this list cannot show. */
  readonly unsupported: readonly string[]
}

/** The URL parameters of a saved view. */
export function viewToSearch(view: SavedView): ParsedView {
  const definition = objectMembers(view.members.get('definition'))
  const callsFilter = objectMembers(definition.get('filter'))
  const fromFilter = filterFromCallsFilter(callsFilter)
  const query = definition.get('query') ?? NULL
  const fromQuery = query.text === 'null' ? { filter: undefined, unsupported: [] } : filterFromQuery(query)
  const filter = printFilter(
    conjunction([fromFilter.filter, fromQuery.filter].filter((each) => each !== undefined)),
  )
  const columns = fromViewColumns(parseList(definition.get('columns')))
  const sort = parseSort(parseList(definition.get('sort_by')))
  const extension = definition.get('heddle')
  const { text, range, live } = extension === undefined ? NO_EXTENSION : parseExtension(extension)
  const rootsOnly = callsFilter.get('trace_roots_only')?.text === 'true'
  const search: Search<'traces'> = {}
  if (filter !== '') search.filter = filter
  if (text !== undefined) search.text = text
  if (range !== undefined) search.range = range
  if (!rootsOnly && text === undefined) search.show = 'calls'
  if (columns.columns !== undefined) search.columns = columns.columns
  if (sort.sort !== undefined) search.sort = sort.sort
  if (live !== undefined) search.live = live
  const unknown = columns.unknown.map((path) => `column ${path}`)
  return {
    search,
    unsupported: [...fromFilter.unsupported, ...fromQuery.unsupported, ...unknown, ...sort.unsupported],
  }
}

const NULL = new JsonText('null')

/** Views saved by other tools have no time range and cover all time. */
const NO_EXTENSION = { text: undefined, range: 'all', live: undefined }

function parseExtension(json: JsonText): {
  text: string | undefined
  range: string | undefined
  live: string | undefined
} {
  const extension = JSON.parse(json.text) as Readonly<Record<string, unknown>> | null
  const stringMember = (name: string): string | undefined => {
    const value = extension?.[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return { text: stringMember('text'), range: stringMember('range'), live: stringMember('live') }
}

function parseList(json: JsonText | undefined): readonly unknown[] {
  const value: unknown = json === undefined ? [] : JSON.parse(json.text)
  return Array.isArray(value) ? value : []
}

/** The list sorts by one field. Newest first is the default and is omitted. */
function parseSort(orders: readonly unknown[]): { sort: string | undefined; unsupported: readonly string[] } {
  const [first, ...others] = orders as readonly { readonly field?: unknown; readonly direction?: unknown }[]
  const unsupported = others.length > 0 ? ['secondary sort fields'] : []
  if (typeof first?.field !== 'string' || first.field === '') return { sort: undefined, unsupported }
  const sort = `${first.direction === 'asc' ? '' : '-'}${first.field}`
  return { sort: sort === '-started_at' ? undefined : sort, unsupported }
}

/** Whether two sets of URL parameters define the same view, however they are spelled. */
export function isSameView(a: ViewSearch, b: ViewSearch): boolean {
  return writeJsonText(searchToDefinition(a)) === writeJsonText(searchToDefinition(b))
}

/**
 * The members to publish for a view, besides its name. Members of the previous version that Heddle does not know, such as columns
 * pinned in Weave, are kept.
 */
export function viewMembers(
  view_type: string,
  previous: SavedView | undefined,
  search: ViewSearch | undefined,
): Readonly<Record<string, unknown>> {
  const previousMembers = Object.fromEntries(previous?.members ?? [])
  const definition =
    search === undefined
      ? previousMembers['definition']
      : { ...Object.fromEntries(objectMembers(previousMembers['definition'])), ...searchToDefinition(search) }
  return { ...previousMembers, view_type, definition }
}
