import { ApiError } from '../../contract/api-error.ts'
import type { Operand } from '../../core/query/ast.ts'
import { join, type Sql, sql } from './sql.ts'
import { toTruth } from './casts.ts'
import type { Fields, ManyField } from './field.ts'
import { literalTruth, literalValue } from './literal.ts'
import { compare, contains, convert, isIn } from './tests.ts'
import { fieldValue, sizeOf, type Value } from './value.ts'

/**
 * A query as a condition of the engine: true, false or NULL, as SQL has them, so that a comparison of the wrong
 * type is in neither a condition nor its `$not`. Every value and every JSON key is bound; names of fields become
 * SQL only through `fields`. docs/queries.md says what each node means.
 */
export function compileCondition(query: Operand, fields: Fields): Sql {
  return new Compiler(fields).condition(query, true)
}

class Compiler {
  readonly #fields: Fields

  constructor(fields: Fields) {
    this.#fields = fields
  }

  /** `loose`: the result is only asked for truth, so false may stand for NULL. It ends at a `$not`. */
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
    if (node.op === 'size') return { type: 'int', sql: sizeOf(this.#value(node.input)) }
    if (node.op !== 'field') return { type: 'bool', sql: this.condition(node, false) }
    const field = this.#fields(node.path, node.raw)
    return fieldValue(field.kind === 'many' ? field.each : field)
  }

  /** The field with several values that this test is about. It is read in a sub-select, where no other can be. */
  #manyIn(test: Operand): ManyField | undefined {
    const leaves = leavesOf(test)
    for (const leaf of leaves) {
      const field = leaf.op === 'field' ? this.#fields(leaf.path, leaf.raw) : undefined
      if (leaf.op !== 'field' || field?.kind !== 'many') continue
      if (leaves.every((other) => other.op === 'literal' || (other.op === 'field' && other.raw === leaf.raw)))
        return field
      throw new ApiError(
        'invalid_request',
        `${leaf.raw} can be compared with literals only, not with another field`,
      )
    }
    return undefined
  }
}

/** The literals, fields and conditions that a test compares. */
function leavesOf(test: Operand): Operand[] {
  if (test.op === 'in') return [test.input, ...test.list].map(leafOf)
  if (test.op === 'contains') return [test.input, test.substr].map(leafOf)
  return ('left' in test ? [test.left, test.right] : [test]).map(leafOf)
}

function leafOf(operand: Operand): Operand {
  let leaf = operand
  while (leaf.op === 'convert' || leaf.op === 'size') leaf = leaf.input
  return leaf
}
