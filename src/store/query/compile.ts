import { ApiError } from '../../contract/api-error.ts'
import type { Operand } from '../../core/query/ast.ts'
import { join, type Sql, sql } from './sql.ts'
import { toTruth } from './casts.ts'
import type { Fields, ManyField } from './field.ts'
import { literalTruth, literalValue } from './literal.ts'
import { compare, contains, convert, isIn } from './operators.ts'
import { fieldValue, valueSize, type Value } from './value.ts'

/**
 * Compiles a query into a SQL condition. It is true, false or NULL, so that a comparison of the wrong type matches
 * neither the condition nor its `$not`. Every value and every JSON key is bound; field names become SQL only through
 * `fields`. docs/queries.md describes the nodes.
 */
export function compileCondition(query: Operand, fields: Fields): Sql {
  return new Compiler(fields).condition(query, true)
}

class Compiler {
  readonly #fields: Fields

  constructor(fields: Fields) {
    this.#fields = fields
  }

  /** `loose`: only truth matters, so false may replace NULL. Not below a `$not`. */
  condition(node: Operand, loose: boolean): Sql {
    if (node.op === 'and' || node.op === 'or') {
      const parts = node.operands.map((operand) => this.condition(operand, loose))
      return parts.length === 1 ? parts[0]! : sql`(${join(parts, node.op === 'and' ? ' AND ' : ' OR ')})`
    }
    if (node.op === 'not') return sql`(NOT ${this.condition(node.operand, false)})`
    const many = this.#manyIn(node)
    const test = this.#test(node, loose)
    return many === undefined ? test : many.matches(test)
  }

  #test(node: Operand, loose: boolean): Sql {
    if (node.op === 'in') {
      const list = node.list.map((item) => this.#value(item))
      return isIn(this.#value(node.input), list, loose)
    }
    if (node.op === 'contains') {
      return contains(this.#value(node.input), this.#value(node.substr), node.case_insensitive)
    }
    if ('left' in node) return compare(node.op, this.#value(node.left), this.#value(node.right), loose)
    if (node.op === 'literal') return literalTruth(node.literal)
    const value = this.#value(node)
    return toTruth[value.type](value.sql)
  }

  #value(node: Operand): Value {
    if (node.op === 'literal') return literalValue(node.literal)
    if (node.op === 'convert') return convert(this.#value(node.input), node.to)
    if (node.op === 'size') return { type: 'int', sql: valueSize(this.#value(node.input)) }
    if (node.op !== 'field') return { type: 'bool', sql: this.condition(node, false) }
    const field = this.#fields(node.path, node.raw)
    return fieldValue(field.kind === 'many' ? field.each : field)
  }

  /** The multi-valued field of this test. It is read in a sub-select, where no other field is available. */
  #manyIn(test: Operand): ManyField | undefined {
    const operands = comparedOperands(test)
    for (const operand of operands) {
      const field = operand.op === 'field' ? this.#fields(operand.path, operand.raw) : undefined
      if (operand.op !== 'field' || field?.kind !== 'many') continue
      if (
        operands.every(
          (other) => other.op === 'literal' || (other.op === 'field' && other.raw === operand.raw),
        )
      )
        return field
      throw new ApiError(
        'invalid_request',
        `${operand.raw} can only be compared with literals, not with another field`,
      )
    }
    return undefined
  }
}

/** The literals, fields and conditions that a test compares, without their conversions. */
function comparedOperands(test: Operand): Operand[] {
  if (test.op === 'in') return [test.input, ...test.list].map(unwrapOperand)
  if (test.op === 'contains') return [test.input, test.substr].map(unwrapOperand)
  return ('left' in test ? [test.left, test.right] : [test]).map(unwrapOperand)
}

function unwrapOperand(operand: Operand): Operand {
  let inner = operand
  while (inner.op === 'convert' || inner.op === 'size') inner = inner.input
  return inner
}
