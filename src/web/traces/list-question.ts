import type { JsonText } from '../../client/browser/json-text.ts'
import type { Filter } from '../filter/ast.ts'
import { parseFilter } from '../filter/parse.ts'
import { toQuery } from '../filter/to-query.ts'
import { parseRange, type TimeRange } from '../time/range.ts'
import type { ListSearch } from './list-search.ts'

/** What the address asks for, as requests want it. */
export interface ListQuestion {
  readonly filter: Filter | undefined
  /** Why the filter cannot be read. */
  readonly trouble: { readonly at: number; readonly reason: string } | undefined
  readonly query: JsonText | undefined
  readonly text: string | undefined
  readonly range: TimeRange
  readonly rootsOnly: boolean
  readonly sort: { readonly field: string; readonly direction: 'asc' | 'desc' } | undefined
}

export function readQuestion(search: ListSearch): ListQuestion {
  const parsed = parseFilter(search.filter ?? '')
  const filter = parsed.ok ? parsed.filter : undefined
  return {
    filter,
    trouble: parsed.ok ? undefined : parsed,
    query: toQuery(filter),
    text: search.text,
    range: parseRange(search.range),
    // A text may stand in any call: whoever searches does not know in which.
    rootsOnly: search.show !== 'calls' && search.text === undefined,
    sort: readSort(search.sort),
  }
}

function readSort(text: string | undefined): ListQuestion['sort'] {
  if (text === undefined) return undefined
  return text.startsWith('-')
    ? { field: text.slice(1), direction: 'desc' }
    : { field: text, direction: 'asc' }
}

/** Two questions with the same key have the same answer. */
export function questionKey(question: ListQuestion): unknown[] {
  return [question.query?.text, question.text, question.range, question.rootsOnly, question.sort]
}
