import type { JsonText } from '../../client/browser/json-text.ts'
import type { Filter } from '../filter/ast.ts'
import { parseFilter } from '../filter/parse.ts'
import { toQuery } from '../filter/to-query.ts'
import { parseRange, type TimeRange } from '../time/range.ts'
import type { Search } from '../search-state.ts'

/** The query of the call list, parsed from the URL into what requests need. */
export interface ListQuery {
  readonly filter: Filter | undefined
  /** The syntax error of the filter. */
  readonly filterError: { readonly at: number; readonly reason: string } | undefined
  readonly query: JsonText | undefined
  readonly text: string | undefined
  readonly range: TimeRange
  readonly rootsOnly: boolean
  readonly sort: { readonly field: string; readonly direction: 'asc' | 'desc' } | undefined
}

export function parseListQuery(search: Search<'traces'>): ListQuery {
  const parsed = parseFilter(search.filter ?? '')
  const filter = parsed.ok ? parsed.filter : undefined
  return {
    filter,
    filterError: parsed.ok ? undefined : parsed,
    query: toQuery(filter),
    text: search.text,
    range: parseRange(search.range),
    // A text search covers all calls: the match may be in any of them.
    rootsOnly: search.show !== 'calls' && search.text === undefined,
    sort: parseSort(search.sort),
  }
}

function parseSort(text: string | undefined): ListQuery['sort'] {
  if (text === undefined) return undefined
  return text.startsWith('-')
    ? { field: text.slice(1), direction: 'desc' }
    : { field: text, direction: 'asc' }
}

/** Cache key: list queries with the same key have the same result. */
export function listQueryKey(listQuery: ListQuery): unknown[] {
  return [listQuery.query?.text, listQuery.text, listQuery.range, listQuery.rootsOnly, listQuery.sort]
}
