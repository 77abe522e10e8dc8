import { ApiError, MISSING_FIELD, unprocessable } from '../../contract/api-error.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { rejectUnknownKeys } from '../json/unknown-keys.ts'
import type { Comparison, Conversion, Literal, Operand } from './ast.ts'
import { type Node, parseNode } from './node.ts'
import { splitPath } from './path.ts'
import { MAX_QUERY_DEPTH, MAX_QUERY_NODES } from '../../contract/limits.ts'

type Loc = readonly (string | number)[]

const COMPARISONS: ReadonlyMap<string, Comparison> = new Map([
  ['$eq', 'eq'],
  ['$gt', 'gt'],
  ['$lt', 'lt'],
  ['$gte', 'gte'],
  ['$lte', 'lte'],
])

const CONVERSIONS: ReadonlySet<string> = new Set(['double', 'string', 'int', 'bool', 'exists'])

/** Operators allowed at the top level of `$expr`: those with a boolean result. */
const CONDITIONS: ReadonlySet<Operand['op']> = new Set(
  'and or not eq gt lt gte lte in contains'.split(' ') as Operand['op'][],
)

/** Parses the `query` of a request; undefined if there is none. */
export function parseQuery(raw: RawJson | null | undefined): Operand | undefined {
  if (raw === null || raw === undefined || raw.isNull) return undefined
  const node = parseNode(raw.bytes)
  if (node.kind !== 'object') throw unprocessable(['query'], 'must be an object with the key $expr')
  for (const key of node.members.keys()) {
    if (key !== '$expr') throw unprocessable(['query', key], 'extra inputs are not permitted next to $expr')
  }
  const expr = node.members.get('$expr')
  if (expr === undefined) throw unprocessable(['query', '$expr'], MISSING_FIELD, 'missing')
  const operand = new QueryReader().operand(expr, ['query', '$expr'], 1)
  if (!CONDITIONS.has(operand.op)) {
    throw unprocessable(
      ['query', '$expr'],
      'must be a condition: $and, $or, $not, $eq, $gt, $lt, $gte, $lte, $in or $contains',
    )
  }
  return operand
}

class QueryReader {
  #nodes = 0

  operand(node: Node, loc: Loc, depth: number): Operand {
    this.#count(depth)
    if (node.kind !== 'object')
      throw unprocessable(loc, 'must be an object such as {"$literal": 1} or {"$eq": [a, b]}')
    const [entry, ...more] = node.members
    if (entry === undefined)
      throw unprocessable(loc, 'must name an operator such as $literal, $getField or $eq')
    if (more.length > 0) throw unprocessable(loc, 'must have one operator only; combine several with $and')
    const [name, value] = entry
    return this.#operator(name, value, [...loc, name], depth)
  }

  #count(depth: number): void {
    if (++this.#nodes > MAX_QUERY_NODES) {
      throw new ApiError(
        'invalid_request',
        `the query has more than ${MAX_QUERY_NODES} nodes; use $in for long lists of values`,
      )
    }
    if (depth > MAX_QUERY_DEPTH) {
      throw new ApiError('invalid_request', `the query is nested deeper than ${MAX_QUERY_DEPTH} levels`)
    }
  }

  #operator(name: string, value: Node, loc: Loc, depth: number): Operand {
    const comparison = COMPARISONS.get(name)
    if (comparison !== undefined) {
      const [left, right] = this.#operands(value, loc, depth, 2)
      return { op: comparison, left: left!, right: right! }
    }
    switch (name) {
      case '$literal':
        return { op: 'literal', literal: readLiteral(value) }
      case '$getField':
        if (value.kind !== 'string') throw unprocessable(loc, 'must be the name of a field')
        return this.#field(value.value, loc)
      case '$convert':
        return this.#convert(value, loc, depth)
      case '$size':
        return { op: 'size', input: this.operand(value, loc, depth + 1) }
      case '$and':
      case '$or': {
        const operands = this.#operands(value, loc, depth)
        if (operands.length === 0)
          throw new ApiError('invalid_request', `${name} needs at least one operand; omit it instead`)
        return { op: name === '$and' ? 'and' : 'or', operands }
      }
      case '$not':
        return { op: 'not', operand: this.#operands(value, loc, depth, 1)[0]! }
      case '$in':
        return this.#in(value, loc, depth)
      case '$contains':
        return this.#contains(value, loc, depth)
      default:
        throw unprocessable(
          loc,
          'unknown operator; known are $literal, $getField, $convert, $size, $and, $or, $not, $eq, $gt, $lt, $gte, $lte, $in, $contains',
        )
    }
  }

  #field(raw: string, loc: Loc): Operand {
    const path = splitPath(raw, loc)
    // Each part is a bound parameter of the statement, so it counts as a node.
    this.#nodes += path.length - 1
    return { op: 'field', path, raw }
  }

  #operands(node: Node, loc: Loc, depth: number, length?: number): Operand[] {
    if (node.kind !== 'array') throw unprocessable(loc, 'must be a list of operands')
    if (length !== undefined && node.items.length !== length) {
      throw unprocessable(
        loc,
        `must have exactly ${length} operand${length === 1 ? '' : 's'}, not ${node.items.length}`,
      )
    }
    return node.items.map((item, i) => this.operand(item, [...loc, i], depth + 1))
  }

  #in(node: Node, loc: Loc, depth: number): Operand {
    if (node.kind !== 'array' || node.items.length !== 2)
      throw unprocessable(loc, 'must be [operand, [operands]]')
    const [input, list] = node.items as [Node, Node]
    return {
      op: 'in',
      input: this.operand(input, [...loc, 0], depth + 1),
      list: this.#operands(list, [...loc, 1], depth + 1),
    }
  }

  #convert(node: Node, loc: Loc, depth: number): Operand {
    rejectOtherMembers(node, ['input', 'to'], loc)
    const to = member(node, 'to', loc)
    if (to.kind !== 'string' || !CONVERSIONS.has(to.value)) {
      throw unprocessable([...loc, 'to'], 'must be double, string, int, bool or exists')
    }
    return {
      op: 'convert',
      input: this.operand(member(node, 'input', loc), [...loc, 'input'], depth + 1),
      to: to.value as Conversion,
    }
  }

  #contains(node: Node, loc: Loc, depth: number): Operand {
    rejectOtherMembers(node, ['input', 'substr', 'case_insensitive'], loc)
    return {
      op: 'contains',
      input: this.operand(member(node, 'input', loc), [...loc, 'input'], depth + 1),
      substr: this.operand(member(node, 'substr', loc), [...loc, 'substr'], depth + 1),
      case_insensitive: flag(node, 'case_insensitive', loc),
    }
  }
}

function rejectOtherMembers(node: Node, known: readonly string[], loc: Loc): void {
  if (node.kind === 'object') rejectUnknownKeys(node.members.keys(), known, loc)
}

function member(node: Node, key: string, loc: Loc): Node {
  if (node.kind !== 'object') throw unprocessable(loc, 'must be an object')
  const found = node.members.get(key)
  if (found === undefined) throw unprocessable([...loc, key], MISSING_FIELD, 'missing')
  return found
}

function flag(node: Node, key: string, loc: Loc): boolean {
  const found = node.kind === 'object' ? node.members.get(key) : undefined
  if (found === undefined || found.kind === 'null') return false
  if (found.kind !== 'bool') throw unprocessable([...loc, key], 'must be true or false')
  return found.value
}

function readLiteral(node: Node): Literal {
  if (node.kind === 'object' || node.kind === 'array') return { kind: 'json', text: node.text }
  if (node.kind !== 'number') return node
  if (/[.eE]/.test(node.lexeme)) return { kind: 'float', value: Number(node.lexeme) + 0 }
  return { kind: 'int', digits: node.lexeme === '-0' ? '0' : node.lexeme }
}
