import type { RawJson } from '../../contract/raw-json.ts'
import { entries, items, stringOf } from '../json/navigate.ts'
import type { Comparison, Literal, Operand } from './ast.ts'

/**
 * A query over a document in memory, for what no statement selects. The rules are those of the store: a field is read
 * as text, '' if it is missing or null; the kind of a literal says what the other side is read as; what cannot be
 * read so is unknown, and the opposite of unknown is unknown too.
 */
export type FieldOf = (path: readonly string[], raw: string) => RawJson | undefined

type Truth = boolean | undefined
type Value = string | number | boolean | undefined

export function matches(query: Operand, fieldOf: FieldOf): boolean {
  return truth(query, fieldOf) === true
}

function truth(node: Operand, fieldOf: FieldOf): Truth {
  switch (node.op) {
    case 'and':
      return all(node.operands.map((operand) => truth(operand, fieldOf)))
    case 'or':
      return not(all(node.operands.map((operand) => not(truth(operand, fieldOf)))))
    case 'not':
      return not(truth(node.operand, fieldOf))
    case 'in':
      return not(all(node.list.map((item) => not(compare('eq', node.input, item, fieldOf)))))
    case 'contains':
      return contains(node, fieldOf)
    case 'literal':
    case 'field':
    case 'convert':
    case 'size':
      return truthOf(value(node, fieldOf))
    default:
      return compare(node.op, node.left, node.right, fieldOf)
  }
}

function not(known: Truth): Truth {
  return known === undefined ? undefined : !known
}

function all(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false
  return truths.includes(undefined) ? undefined : true
}

function truthOf(known: Value): Truth {
  if (typeof known === 'string') return asBoolean(known)
  return known === undefined ? undefined : Boolean(known)
}

function compare(how: Comparison, left: Operand, right: Operand, fieldOf: FieldOf): Truth {
  const [a, b] = alike(value(left, fieldOf), value(right, fieldOf))
  if (a === undefined || b === undefined) return undefined
  if (how === 'eq') return a === b
  if (how === 'gt') return a > b
  if (how === 'lt') return a < b
  return how === 'gte' ? a >= b : a <= b
}

/** Text beside a number is read as a number, beside a truth value as one. */
function alike(a: Value, b: Value): [Value, Value] {
  if (typeof a === typeof b) return [a, b]
  if (typeof a === 'boolean' || typeof b === 'boolean') return [booleanOf(a), booleanOf(b)]
  return [numberOf(a), numberOf(b)]
}

function booleanOf(known: Value): Value {
  return typeof known === 'string' ? asBoolean(known) : known === undefined ? undefined : Boolean(known)
}

function numberOf(known: Value): Value {
  return typeof known === 'string' ? asNumber(known) : known
}

function asNumber(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isNaN(number) ? undefined : number
}

function asBoolean(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : undefined
}

function contains(node: Extract<Operand, { op: 'contains' }>, fieldOf: FieldOf): Truth {
  const input = value(node.input, fieldOf)
  const substr = value(node.substr, fieldOf)
  if (input === undefined || substr === undefined) return undefined
  const fold = (known: Value): string => (node.case_insensitive ? String(known).toLowerCase() : String(known))
  return fold(input).includes(fold(substr))
}

function value(node: Operand, fieldOf: FieldOf): Value {
  if (node.op === 'literal') return literalOf(node.literal)
  if (node.op === 'field') return textOf(fieldOf(node.path, node.raw))
  if (node.op === 'size') return sizeOf(node.input, fieldOf)
  if (node.op !== 'convert') return truth(node, fieldOf)
  const input = value(node.input, fieldOf)
  if (node.to === 'exists') return input !== undefined && input !== ''
  if (node.to === 'string') return input === undefined ? undefined : String(input)
  if (node.to === 'bool') return booleanOf(input)
  const number = numberOf(typeof input === 'boolean' ? Number(input) : input)
  return node.to === 'int' && typeof number === 'number' ? Math.trunc(number) : number
}

function literalOf(literal: Literal): Value {
  if (literal.kind === 'null') return undefined
  if (literal.kind === 'int') return Number(literal.digits)
  return literal.kind === 'json' ? literal.text : literal.value
}

function sizeOf(node: Operand, fieldOf: FieldOf): Value {
  const raw = node.op === 'field' ? fieldOf(node.path, node.raw) : undefined
  if (raw !== undefined && raw.isObject) return entries(raw).length
  if (raw !== undefined && raw.text.trimStart().startsWith('[')) return items(raw).length
  return Array.from(String(value(node, fieldOf) ?? '')).length
}

/** What the store sees of a value: text without its quotes, numbers in their plain spelling. */
export function textOf(raw: RawJson | undefined): string {
  if (raw === undefined || raw.isNull) return ''
  const text = stringOf(raw)
  if (text !== undefined) return text
  return /^\s*[-\d]/.test(raw.text) ? String(Number(raw.text)) : raw.text.trim()
}
