import { ApiError } from '../../contract/api-error.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import type { Operand } from '../../core/query/ast.ts'
import { parseQuery } from '../../core/query/parse.ts'

/**
 * What a purge may ask for: records by id, one or several. Anything wider is refused, so that no slip in a
 * condition empties a project.
 */
export function purgedIds(query: RawJson): string[] {
  const operand = parseQuery(query)
  if (operand === undefined) throw tooWide()
  return [...new Set(idsOf(operand))]
}

function idsOf(operand: Operand): string[] {
  if (operand.op === 'or') return operand.operands.flatMap(idsOf)
  if (operand.op === 'in' && isId(operand.input)) return operand.list.map(textOf)
  if (operand.op === 'eq' && isId(operand.left)) return [textOf(operand.right)]
  if (operand.op === 'eq' && isId(operand.right)) return [textOf(operand.left)]
  throw tooWide()
}

function isId(operand: Operand): boolean {
  return operand.op === 'field' && operand.path.length === 1 && operand.path[0] === 'id'
}

function textOf(operand: Operand): string {
  if (operand.op !== 'literal' || operand.literal.kind !== 'string') throw tooWide()
  return operand.literal.value
}

function tooWide(): ApiError {
  return new ApiError(
    'invalid_request',
    'a purge must name its records: {"$eq": [{"$getField": "id"}, {"$literal": "<id>"}]}, $in, or an $or of these',
  )
}
