import { type Node, parseNode } from '../src/core/query/node.ts'
import type { Comparison, Literal, Operand } from '../src/core/query/ast.ts'
import { parseTime } from '../src/core/time/time.ts'

/**
 * Reference implementation of the query language without a database: one function per rule, over rows as plain
 * objects. It is slow and obvious. It shares only the parser with the SQL compiler, so that tests can compare both.
 */

/**
 * A column: text, time (microseconds), integer or list of texts. `{ json }` holds the text of one document, `{ each }`
 * the texts of several, newest first, and `{ any }` several texts.
 */
type Cell =
  | { readonly text: string | null }
  | { readonly time: bigint | null }
  | { readonly int: bigint | null }
  | { readonly float: number | null }
  | { readonly list: readonly string[] }
  | { readonly json: string }
  | { readonly each: readonly string[] }
  | { readonly any: readonly string[] }

export type Row = ReadonlyMap<string, Cell>

type Truth = boolean | null

type Value =
  | { readonly type: 'null'; readonly v: null }
  | { readonly type: 'text'; readonly v: string | null; readonly node?: Node | undefined }
  | { readonly type: 'int'; readonly v: bigint | null }
  | { readonly type: 'float'; readonly v: number | null }
  | { readonly type: 'bool'; readonly v: number | null }
  | { readonly type: 'time'; readonly v: bigint | null }
  | { readonly type: 'list'; readonly v: readonly string[] }

/** Whether the query selects the row. */
export function matches(query: Operand, row: Row): boolean {
  return test(query, row) === true
}

/** A field as text; null where it has no value. */
export function textAt(path: readonly string[], row: Row): string | null {
  const found = field(path, row)
  return exists(found) ? text(found) : null
}

function test(node: Operand, row: Row): Truth {
  if (node.op === 'and') return all(node.operands.map((operand) => test(operand, row)))
  if (node.op === 'or') return not(all(node.operands.map((operand) => not(test(operand, row)))))
  if (node.op === 'not') return not(test(node.operand, row))
  const listed = operandsOf(node)
    .map(listName)
    .find((name) => 'any' in (row.get(name ?? '') ?? {}))
  const list = row.get(listed ?? '')
  if (listed !== undefined && list !== undefined && 'any' in list) {
    return list.any.some((text) => test(node, new Map([...row, [listed, { text }]])) === true)
  }
  const records = row.get('feedback')
  if (records !== undefined && 'each' in records && operandsOf(node).some(isFeedback)) {
    // True if a single record satisfies the condition. The result is never unknown (null).
    return records.each.some((json) => test(node, new Map([...row, ['feedback', { json }]])) === true)
  }
  if (node.op === 'in') {
    const isFloat = node.list.some((item) => item.op === 'literal' && item.literal.kind === 'float')
    const input = value(node.input, row)
    const found = node.list.map((item) => equal(input, inList(item, row, isFloat && input.type === 'text')))
    return not(all(found.map(not)))
  }
  if (node.op === 'contains') {
    return contains(value(node.input, row), value(node.substr, row), node.case_insensitive)
  }
  if ('left' in node) return compare(node.op, value(node.left, row), value(node.right, row))
  return truthOf(value(node, row))
}

function operandsOf(node: Operand): Operand[] {
  if (node.op === 'in') return [node.input, ...node.list]
  if (node.op === 'contains') return [node.input, node.substr]
  return 'left' in node ? [node.left, node.right] : [node]
}

function isFeedback(node: Operand): boolean {
  if (node.op === 'convert' || node.op === 'size') return isFeedback(node.input)
  return node.op === 'field' && node.path[0] === 'feedback'
}

function listName(node: Operand): string | undefined {
  if (node.op === 'convert' || node.op === 'size') return listName(node.input)
  return node.op === 'field' && node.path.length === 1 ? node.path[0] : undefined
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth
}

function all(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false
  return truths.includes(null) ? null : true
}

function inList(item: Operand, row: Row, isFloat: boolean): Value {
  const found = value(item, row)
  return isFloat && item.op === 'literal' && found.type === 'int'
    ? { type: 'float', v: Number(found.v) }
    : found
}

function value(node: Operand, row: Row): Value {
  if (node.op === 'literal') return literal(node.literal)
  if (node.op === 'field') return field(node.path, row)
  if (node.op === 'convert') {
    const input = value(node.input, row)
    if (node.to === 'exists') return { type: 'bool', v: exists(input) ? 1 : 0 }
    if (node.to === 'string') return input.type === 'text' ? input : { type: 'text', v: text(input) }
    if (node.to === 'int') return { type: 'int', v: int(input) }
    if (node.to === 'double') return { type: 'float', v: float(input) }
    return { type: 'bool', v: bool(input) }
  }
  if (node.op === 'size') return { type: 'int', v: size(value(node.input, row)) }
  const truth = test(node, row)
  return { type: 'bool', v: truth === null ? null : Number(truth) }
}

function literal(found: Literal): Value {
  if (found.kind === 'null') return { type: 'null', v: null }
  if (found.kind === 'bool') return { type: 'bool', v: Number(found.value) }
  if (found.kind === 'float') return { type: 'float', v: found.value }
  if (found.kind === 'string') return { type: 'text', v: wellFormed(found.value) }
  if (found.kind === 'json') return json(parseNode(Buffer.from(found.text)))
  const digits = BigInt(found.digits)
  const fits = digits >= -(2n ** 63n) && digits < 2n ** 64n
  return fits ? { type: 'int', v: digits } : { type: 'float', v: Number(digits) }
}

function field(path: readonly string[], row: Row): Value {
  // Computed fields are keyed by their full dotted name and take precedence over the document.
  const cell = (path.length === 3 ? row.get(path.join('.')) : undefined) ?? row.get(path[0]!)!
  if ('json' in cell || 'each' in cell) {
    const text = 'json' in cell ? cell.json : (cell.each[0] ?? '')
    const document = text === '' ? undefined : parsed(text)
    // `feedback.[type].payload.…`
    return json(path.slice(path[0] === 'feedback' ? 3 : 1).reduce(child, document))
  }
  if ('any' in cell) return { type: 'text', v: cell.any[0] ?? null }
  if ('float' in cell) return { type: 'float', v: cell.float }
  if ('time' in cell) return { type: 'time', v: cell.time }
  if ('int' in cell) return { type: 'int', v: cell.int }
  return 'list' in cell ? { type: 'list', v: cell.list } : { type: 'text', v: cell.text }
}

const documents = new Map<string, Node>()

function parsed(json: string): Node {
  const node = documents.get(json) ?? parseNode(Buffer.from(json))
  documents.set(json, node)
  return node
}

function child(node: Node | undefined, part: string): Node | undefined {
  if (node?.kind === 'object') return node.members.get(part)
  return node?.kind === 'array' && /^(0|[1-9]\d{0,8})$/.test(part) ? node.items[Number(part)] : undefined
}

/** A dynamic value is text, '' when it is missing or null. */
function json(node: Node | undefined): Value {
  if (node === undefined || node.kind === 'null') return { type: 'text', v: '', node: undefined }
  const known = values.get(node) ?? present(node)
  values.set(node, known)
  return known
}

const values = new WeakMap<Node, Value>()

function present(found: Node): Value {
  if (found.kind === 'string') return { type: 'text', v: wellFormed(found.value), node: found }
  if (found.kind !== 'number') return { type: 'text', v: minified(found), node: found }
  return { type: 'text', v: number(found.lexeme) ?? found.lexeme, node: found }
}

/** The number as ClickHouse prints it; undefined if it has no type for the number, which then stays text. */
function number(lexeme: string): string | undefined {
  if (!/[.eE]/.test(lexeme)) {
    const digits = BigInt(lexeme)
    return digits >= -(2n ** 63n) && digits < 2n ** 64n ? digits.toString() : undefined
  }
  return Number.isFinite(Number(lexeme)) ? floatText(Number(lexeme)) : undefined
}

function floatText(v: number): string {
  if (Number.isNaN(v)) return 'nan'
  if (!Number.isFinite(v)) return v > 0 ? 'inf' : '-inf'
  return Object.is(v, -0) ? '-0' : String(v).replace('e+', 'e')
}

function minified(node: Node): string {
  if (node.kind === 'null') return 'null'
  if (node.kind === 'bool') return String(node.value)
  if (node.kind === 'string') return quoted(node.value)
  if (node.kind === 'number') return number(node.lexeme) ?? JSON.stringify(node.lexeme)
  if (node.kind === 'array') return `[${node.items.map(minified).join(',')}]`
  const members = [...node.members].map(([key, member]) => `${quoted(key)}:${minified(member)}`)
  return `{${members.join(',')}}`
}

/** ClickHouse escapes the Unicode line separators, JSON.stringify does not. */
function quoted(text: string): string {
  return JSON.stringify(wellFormed(text)).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}

function exists(input: Value): boolean {
  if (input.type === 'list') return input.v.length > 0
  if (input.type === 'text' && 'node' in input) return input.node !== undefined
  return input.v !== null
}

function size(input: Value): bigint | null {
  if (input.type === 'list') return BigInt(input.v.length)
  if (input.type !== 'text' || input.v === null) return null
  if (input.node?.kind === 'array') return BigInt(input.node.items.length)
  if (input.node?.kind === 'object') return BigInt(input.node.members.size)
  return BigInt(Array.from(input.v).length)
}

function text(input: Value): string | null {
  if (input.type === 'list') return input.v.length === 0 ? null : JSON.stringify(input.v)
  if (input.v === null) return null
  if (input.type === 'float') return floatText(input.v)
  if (input.type === 'bool') return input.v === 0 ? 'false' : 'true'
  if (input.type === 'time')
    return `${new Date(Number(input.v / 1000n)).toISOString().slice(0, -1)}${String(input.v % 1000n).padStart(3, '0')}Z`
  return String(input.v)
}

function integer(word: string, from: bigint, to: bigint): bigint | null {
  if (!(from < 0n ? /^[+-]?\d+$/ : /^\+?\d+$/).test(word)) return null
  const v = BigInt(word.replace('+', ''))
  return v >= from && v <= to ? v : null
}

const toInt64 = (word: string): bigint | null => integer(word, -(2n ** 63n), 2n ** 63n - 1n)

function int(input: Value): bigint | null {
  if (input.type === 'list' || input.v === null) return null
  if (input.type === 'text') return toInt64(input.v)
  if (input.type === 'float') {
    const whole = Number.isFinite(input.v) ? BigInt(Math.trunc(input.v)) : 2n ** 64n
    return whole >= -(2n ** 63n) && whole < 2n ** 63n ? whole : null
  }
  if (input.type === 'time') return input.v / 1_000_000n
  return toInt64(String(input.v))
}

function toFloat64(word: string): number | null {
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(word)) return Number(word)
  if (/^nan$/i.test(word)) return Number.NaN
  const infinite = /^([+-]?)inf(inity)?$/i.exec(word)
  return infinite === null ? null : infinite[1] === '-' ? -Infinity : Infinity
}

function float(input: Value): number | null {
  if (input.type === 'list' || input.v === null) return null
  if (input.type === 'text') return toFloat64(input.v)
  return input.type === 'time' ? Number(input.v) / 1e6 : Number(input.v)
}

function bool(input: Value): number | null {
  if (input.type === 'list' || input.type === 'time' || input.v === null) return null
  if (input.type === 'text') {
    const word = input.v === 'true' ? '1' : input.v === 'false' ? '0' : input.v
    const byte = integer(word, 0n, 255n)
    return byte === null ? null : Number(byte)
  }
  // oxlint-disable-next-line eqeqeq -- 0n and 0 alike
  return input.type === 'bool' ? input.v : Number(input.v != 0)
}

function truthOf(input: Value): Truth {
  if (input.type === 'list') return input.v.length > 0
  if (input.type === 'time') return input.v !== null
  if (input.v === null) return null
  if (input.type === 'text') return !['', 'false', '0', '-0'].includes(input.v)
  return Number(input.v) !== 0
}

function contains(input: Value, substr: Value, caseInsensitive: boolean): Truth {
  const part = text(substr)
  const fold = (word: string): string => (caseInsensitive ? word.toLowerCase() : word)
  if (input.type === 'list') return part !== null && input.v.some((item) => fold(item) === fold(part))
  const whole = text(input)
  return whole === null || part === null ? null : fold(whole).includes(fold(part))
}

function equal(left: Value, right: Value): Truth {
  return compare('eq', left, right)
}

function compare(op: Comparison, left: Value, right: Value): Truth {
  if (left.type === 'null' || right.type === 'null') {
    const other = left.type === 'null' ? right : left
    if (op !== 'eq') return null
    return other.type === 'list' ? other.v.length === 0 : other.v === null
  }
  const [a, b] = sides(left, right)
  if (a === null || b === null) return null
  if (typeof a === 'string' && typeof b === 'string') {
    const order = Buffer.compare(Buffer.from(a), Buffer.from(b))
    return satisfies(op, order, 0)
  }
  return satisfies(op, a, b)
}

type Side = string | number | bigint | null

function sides(left: Value, right: Value): [Side, Side] {
  if (left.type === 'time' || right.type === 'time') return [time(left), time(right)]
  if (left.type === 'list' || right.type === 'list') return [text(left), text(right)]
  if (left.type === 'text' && right.type !== 'text') return [cast(left.v, right), right.v]
  if (right.type === 'text' && left.type !== 'text') return [left.v, cast(right.v, left)]
  return [left.v, right.v]
}

function cast(word: string | null, model: Value): Side {
  if (word === null) return null
  if (model.type === 'bool') return bool({ type: 'text', v: word })
  if (model.type === 'float') return toFloat64(word)
  const isUnsigned = model.type === 'int' && model.v !== null && model.v >= 2n ** 63n
  return isUnsigned ? integer(word, 0n, 2n ** 64n - 1n) : toInt64(word)
}

function time(input: Value): bigint | number | null {
  if (input.type === 'time') return input.v
  if (input.type === 'text' && input.v !== null) {
    const isNumber = /^-?\d+$/.test(input.v)
    return isNumber ? BigInt(input.v) * 1_000_000n : (parseTime(input.v) ?? null)
  }
  if (input.type === 'int' && input.v !== null) return input.v * 1_000_000n
  return input.type === 'float' && input.v !== null ? Math.round(input.v * 1e6) : null
}

/** JavaScript compares bigint with number exactly, as ClickHouse compares Int64 with Float64. */
function satisfies(op: Comparison, a: Exclude<Side, null>, b: Exclude<Side, null>): boolean {
  if (op === 'gt') return a > b
  if (op === 'lt') return a < b
  if (op === 'gte') return a >= b
  if (op === 'lte') return a <= b
  // oxlint-disable-next-line eqeqeq -- 1n and 1 are equal
  return a == b
}

/** Compares two rows by one field: existing values first, then by number, then by text. */
export function order(path: readonly string[], direction: 'asc' | 'desc', a: Row, b: Row): number {
  const [x, y] = [field(path, a), field(path, b)]
  const sign = direction === 'asc' ? 1 : -1
  if (x.type === 'text' && 'node' in x && y.type === 'text') {
    const [n, m] = [toFloat64(x.v!), toFloat64(y.v!)]
    return (
      Number(exists(y)) - Number(exists(x)) ||
      rank(n) - rank(m) ||
      sign * compareValues(n, m) ||
      sign * compareBytes(x.v!, y.v!)
    )
  }
  if (!exists(x) || !exists(y)) return Number(exists(y)) - Number(exists(x))
  return (
    sign *
    (x.type === 'text' && y.type === 'text'
      ? compareBytes(x.v!, y.v!)
      : compareValues(x.v as never, y.v as never))
  )
}

/** Numbers, then NaN, then everything else, in either direction. */
function rank(n: number | null): number {
  return n === null ? 2 : Number.isNaN(n) ? 1 : 0
}

function compareValues(n: number | null, m: number | null): number {
  if (n === null || m === null) return 0
  return n < m ? -1 : n > m ? 1 : 0
}

function compareBytes(x: string, y: string): number {
  return Buffer.compare(Buffer.from(x), Buffer.from(y))
}
