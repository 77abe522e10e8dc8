import type { RawJson } from '../../contract/raw-json.ts'
import { entries, items, stringValue } from '../json/navigate.ts'
import type { Comparison, Literal, Operand } from './ast.ts'

/**
 * Evaluates a query in memory, for data that is not filtered by SQL. The semantics are those of the store: a field
 * is read as text, '' if missing or null; the type of a literal determines how the other operand is converted. A
 * failed conversion is unknown (three-valued logic), and the negation of unknown is unknown.
 */
export type FieldReader = (path: readonly string[], raw: string) => RawJson | undefined

type Truth = boolean | undefined
type Value = string | number | boolean | undefined

export function matches(query: Operand, readField: FieldReader): boolean {
  return evaluateCondition(query, readField) === true
}

function evaluateCondition(node: Operand, readField: FieldReader): Truth {
  switch (node.op) {
    case 'and':
      return all(node.operands.map((operand) => evaluateCondition(operand, readField)))
    case 'or':
      return not(all(node.operands.map((operand) => not(evaluateCondition(operand, readField)))))
    case 'not':
      return not(evaluateCondition(node.operand, readField))
    case 'in':
      return not(all(node.list.map((item) => not(compare('eq', node.input, item, readField)))))
    case 'contains':
      return contains(node, readField)
    case 'literal':
    case 'field':
    case 'convert':
    case 'size':
      return valueTruth(value(node, readField))
    default:
      return compare(node.op, node.left, node.right, readField)
  }
}

function not(known: Truth): Truth {
  return known === undefined ? undefined : !known
}

function all(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false
  return truths.includes(undefined) ? undefined : true
}

function valueTruth(known: Value): Truth {
  if (typeof known === 'string') return parseBoolean(known)
  return known === undefined ? undefined : Boolean(known)
}

function compare(comparison: Comparison, left: Operand, right: Operand, readField: FieldReader): Truth {
  const [a, b] = coerce(value(left, readField), value(right, readField))
  if (a === undefined || b === undefined) return undefined
  if (comparison === 'eq') return a === b
  if (comparison === 'gt') return a > b
  if (comparison === 'lt') return a < b
  return comparison === 'gte' ? a >= b : a <= b
}

/** Converts text to the type of the other operand, a number or a boolean. */
function coerce(a: Value, b: Value): [Value, Value] {
  if (typeof a === typeof b) return [a, b]
  if (typeof a === 'boolean' || typeof b === 'boolean') return [toBoolean(a), toBoolean(b)]
  return [toNumber(a), toNumber(b)]
}

function toBoolean(known: Value): Value {
  return typeof known === 'string' ? parseBoolean(known) : known === undefined ? undefined : Boolean(known)
}

function toNumber(known: Value): Value {
  return typeof known === 'string' ? parseNumber(known) : known
}

function parseNumber(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isNaN(number) ? undefined : number
}

function parseBoolean(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : undefined
}

function contains(node: Extract<Operand, { op: 'contains' }>, readField: FieldReader): Truth {
  const input = value(node.input, readField)
  const substr = value(node.substr, readField)
  if (input === undefined || substr === undefined) return undefined
  const fold = (known: Value): string => (node.case_insensitive ? String(known).toLowerCase() : String(known))
  return fold(input).includes(fold(substr))
}

function value(node: Operand, readField: FieldReader): Value {
  if (node.op === 'literal') return literalValue(node.literal)
  if (node.op === 'field') return comparableText(readField(node.path, node.raw))
  if (node.op === 'size') return valueSize(node.input, readField)
  if (node.op !== 'convert') return evaluateCondition(node, readField)
  const input = value(node.input, readField)
  if (node.to === 'exists') return input !== undefined && input !== ''
  if (node.to === 'string') return input === undefined ? undefined : String(input)
  if (node.to === 'bool') return toBoolean(input)
  const number = toNumber(typeof input === 'boolean' ? Number(input) : input)
  return node.to === 'int' && typeof number === 'number' ? Math.trunc(number) : number
}

function literalValue(literal: Literal): Value {
  if (literal.kind === 'null') return undefined
  if (literal.kind === 'int') return Number(literal.digits)
  return literal.kind === 'json' ? literal.text : literal.value
}

function valueSize(node: Operand, readField: FieldReader): Value {
  const raw = node.op === 'field' ? readField(node.path, node.raw) : undefined
  if (raw !== undefined && raw.isObject) return entries(raw).length
  if (raw !== undefined && raw.text.trimStart().startsWith('[')) return items(raw).length
  return Array.from(String(value(node, readField) ?? '')).length
}

/** A value as the store compares it: strings without quotes, numbers in canonical form. */
export function comparableText(raw: RawJson | undefined): string {
  if (raw === undefined || raw.isNull) return ''
  const text = stringValue(raw)
  if (text !== undefined) return text
  return /^\s*[-\d]/.test(raw.text) ? String(Number(raw.text)) : raw.text.trim()
}
