import { ApiError } from '../../contract/api-error.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import type { Operand } from '../../core/query/ast.ts'
import { parseQuery } from '../../core/query/parse.ts'

/**
 * Reads the ids of the records to purge. A purge query may only list ids; any wider condition is rejected, so that a
 * mistake in it cannot empty a project.
 */
export function purgedIds(query: RawJson): string[] {
  const operand = parseQuery(query)
  if (operand === undefined) throw tooWide()
  return [...new Set(namedIds(operand))]
}

function namedIds(operand: Operand): string[] {
  if (operand.op === 'or') return operand.operands.flatMap(namedIds)
  if (operand.op === 'in' && isId(operand.input)) return operand.list.map(stringLiteral)
  if (operand.op === 'eq' && isId(operand.left)) return [stringLiteral(operand.right)]
  if (operand.op === 'eq' && isId(operand.right)) return [stringLiteral(operand.left)]
  throw tooWide()
}

function isId(operand: Operand): boolean {
  return operand.op === 'field' && operand.path.length === 1 && operand.path[0] === 'id'
}

function stringLiteral(operand: Operand): string {
  if (operand.op !== 'literal' || operand.literal.kind !== 'string') throw tooWide()
  return operand.literal.value
}

function tooWide(): ApiError {
  return new ApiError(
    'invalid_request',
    'a purge query must select records by id: {"$eq": [{"$getField": "id"}, {"$literal": "<id>"}]}, $in, or an $or of these',
  )
}
