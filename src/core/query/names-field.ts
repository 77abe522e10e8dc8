import type { Operand } from './ast.ts'

/** Finds fields in queries. */

/** Whether a query names the field. */
export function namesField(query: Operand | undefined, field: string): boolean {
  if (query === undefined) return false
  if (query.op === 'field') return query.raw === field
  return operandsOf(query).some((operand) => namesField(operand, field))
}

/** The paths of the fields in which `$contains` searches for a text. */
export function searchedPaths(query: Operand | undefined): (readonly string[])[] {
  if (query === undefined) return []
  const isSearch = query.op === 'contains' && query.substr.op === 'literal'
  if (isSearch && query.input.op === 'field') return [query.input.path]
  return operandsOf(query).flatMap(searchedPaths)
}

function operandsOf(query: Operand): readonly Operand[] {
  switch (query.op) {
    case 'literal':
    case 'field':
      return []
    case 'convert':
    case 'size':
      return [query.input]
    case 'and':
    case 'or':
      return query.operands
    case 'not':
      return [query.operand]
    case 'in':
      return [query.input, ...query.list]
    case 'contains':
      return [query.input, query.substr]
    case 'eq':
    case 'gt':
    case 'lt':
    case 'gte':
    case 'lte':
      return [query.left, query.right]
  }
}
