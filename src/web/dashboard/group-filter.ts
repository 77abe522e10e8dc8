import { conjunction, conjuncts, type Filter } from '../filter/ast.ts'
import { printFilter } from '../filter/print.ts'

/** Filters that select the calls of one group, for the links from a chart to its calls. */

/** `key` is null for calls without a value. */
export function groupFilter(by: string, key: string | null): Filter {
  switch (by) {
    case 'model':
      return key === null
        ? { kind: 'exists', field: 'summary.usage', isNegated: true }
        : { kind: 'exists', field: `summary.usage.${escapeKey(key)}`, isNegated: false }
    case 'op':
      return opFilter(key ?? '')
    default:
      return key === null
        ? { kind: 'exists', field: by, isNegated: true }
        : { kind: 'compare', field: by, operator: '=', value: { kind: 'text', text: key } }
  }
}

/** `op_name` is the plain name or, for a published op, a ref with the version after the name. */
function opFilter(name: string): Filter {
  return {
    kind: 'or',
    operands: [
      { kind: 'compare', field: 'op', operator: '=', value: { kind: 'text', text: name } },
      { kind: 'contains', field: 'op', value: `/op/${name}:`, isNegated: false },
    ],
  }
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

/** Escapes dots, which would otherwise separate path steps. */
function escapeKey(key: string): string {
  return key.replaceAll('\\', '\\\\').replaceAll('.', '\\.')
}
