import type { Operand } from './ast.ts'

/** Whether a query names the field. */
export function namesField(query: Operand | undefined, field: string): boolean {
  if (query === undefined) return false
  switch (query.op) {
    case 'literal':
      return false
    case 'field':
      return query.raw === field
    case 'convert':
    case 'size':
      return namesField(query.input, field)
    case 'and':
    case 'or':
      return query.operands.some((operand) => namesField(operand, field))
    case 'not':
      return namesField(query.operand, field)
    case 'in':
      return [query.input, ...query.list].some((operand) => namesField(operand, field))
    case 'contains':
      return [query.input, query.substr].some((operand) => namesField(operand, field))
    case 'eq':
    case 'gt':
    case 'lt':
    case 'gte':
    case 'lte':
      return [query.left, query.right].some((operand) => namesField(operand, field))
  }
}
