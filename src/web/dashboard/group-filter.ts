import { conjunction, conjuncts, type Filter } from '../filter/ast.ts'
import { printFilter } from '../filter/print.ts'

/** Filters that select the calls of one group, for the links from a chart to its calls. */

/** `key` is null for calls without a value. */
export function groupFilter(by: string, key: string | null): Filter {
  return key === null
    ? { kind: 'exists', field: by, isNegated: true }
    : { kind: 'compare', field: by, operator: '=', value: { kind: 'text', text: key } }
}

/** Selects the calls outside all of these groups. */
export function otherFilter(by: string, keys: readonly (string | null)[]): Filter | undefined {
  return conjunction(keys.map((key) => ({ kind: 'not', operand: groupFilter(by, key) })))
}

/** Joins the filter of the page with further conditions, as text for the URL. */
export function combineFilters(
  filter: Filter | undefined,
  added: readonly (Filter | undefined)[],
): string | undefined {
  const all = [...conjuncts(filter), ...added.flatMap((each) => each ?? [])]
  return all.length === 0 ? undefined : printFilter(conjunction(all))
}
