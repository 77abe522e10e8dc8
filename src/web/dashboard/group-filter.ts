import { allOf, conjuncts, type Filter } from '../filter/ast.ts'
import { printFilter } from '../filter/print.ts'

/** The conditions under which a call belongs to a group of numbers, for the link from a number to its calls. */

/** `key` is null for calls that have no such value. */
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

/** An op is named by itself or, where it is published, within a ref that has its version behind the name. */
function opFilter(name: string): Filter {
  return {
    kind: 'or',
    of: [
      { kind: 'compare', field: 'op', operator: '=', value: { kind: 'text', text: name } },
      { kind: 'contains', field: 'op', value: `/op/${name}:`, isNegated: false },
    ],
  }
}

/** In none of these groups. */
export function otherFilter(by: string, keys: readonly (string | null)[]): Filter | undefined {
  return allOf(keys.map((key) => ({ kind: 'not', of: groupFilter(by, key) })))
}

/** A filter of the page, with what a part of a chart adds to it, as an address has it. */
export function joinedFilter(
  filter: Filter | undefined,
  added: readonly (Filter | undefined)[],
): string | undefined {
  const all = [...conjuncts(filter), ...added.flatMap((each) => each ?? [])]
  return all.length === 0 ? undefined : printFilter(allOf(all))
}

/** Dots within a key are no steps of the path. */
function escapeKey(key: string): string {
  return key.replaceAll('\\', '\\\\').replaceAll('.', '\\.')
}
