import type { Comparison, Conversion } from '../../core/query/ast.ts'
import { bound, join, type Sql, sql } from './sql.ts'
import { castByType, isExactFloat, numberByType, stringByType } from './by-type.ts'
import { toBool, toFloat, toInt, toText, toTime } from './casts.ts'
import { mayContainInValue } from './json-prefilter.ts'
import { intType, literalTime } from './literal.ts'
import { existsCondition, isUnset, type Value } from './value.ts'

/** Compiles the operators of the query language. `loose`: false may replace NULL, see compile.ts. */

const SIGNS: Readonly<Record<Comparison, Sql>> = {
  eq: sql`=`,
  gt: sql`>`,
  lt: sql`<`,
  gte: sql`>=`,
  lte: sql`<=`,
}

/**
 * Text is cast to the type of the other side; numbers are compared directly. Null equals only a value that is not set,
 * and has no order.
 */
export function compare(op: Comparison, left: Value, right: Value, loose: boolean): Sql {
  if (left.type === 'null' || right.type === 'null') {
    return op === 'eq' ? isUnset(left.type === 'null' ? right : left) : sql`NULL`
  }
  const [a, b] =
    op === 'eq' && loose ? [withBareColumn(left, right), withBareColumn(right, left)] : [left, right]
  return sql`(${castTo(b, a)} ${SIGNS[op]} ${castTo(a, b)})`
}

/** Uses the bare column if the other side is a non-empty text: '' and null both fail then. */
function withBareColumn(value: Value, other: Value): Value {
  const isText = other.literal?.kind === 'string' && other.literal.value !== ''
  return isText && value.bare !== undefined && value.type === 'text'
    ? { type: 'text', sql: value.bare }
    : value
}

function castTo(model: Value, value: Value): Sql {
  if (model.type === 'time' || value.type === 'time') return toTimeValue(value)
  if (model.type === 'array' || value.type === 'array') return toText[value.type](value.sql)
  if (value.raw !== undefined && model.literal !== undefined) return castByType(model.literal, value)
  if (value.type !== 'text' || model.type === 'text') return value.sql
  if (model.type === 'bool') return toBool.text(value.sql)
  if (model.type === 'float') return toFloat.text(value.sql)
  const isUnsigned = model.literal?.kind === 'int' && intType(model.literal.digits) === 'UInt64'
  return isUnsigned ? sql`toUInt64OrNull(${value.sql})` : toInt.text(value.sql)
}

function toTimeValue(value: Value): Sql {
  return value.literal === undefined ? toTime[value.type](value.sql) : literalTime(value.literal)
}

/** Literals of one type become one set; ints mixed with floats become floats. Other items are compared one by one. */
export function isIn(input: Value, list: readonly Value[], loose: boolean): Sql {
  const rest: Value[] = []
  const texts: string[] = []
  const ints: bigint[] = []
  const floats: number[] = []
  const isByType = input.raw !== undefined
  const isFloat = isByType || list.some((item) => item.literal?.kind === 'float')
  for (const item of list) {
    const literal = item.literal
    if (input.type !== 'text' || literal === undefined) rest.push(item)
    else if (isByType && literal.kind === 'int' && !isExactFloat(literal)) rest.push(item)
    else if (literal.kind === 'string') texts.push(literal.value)
    else if (literal.kind === 'float') floats.push(literal.value)
    else if (literal.kind === 'int' && isFloat) floats.push(Number(literal.digits))
    else if (literal.kind === 'int' && intType(literal.digits) === 'Int64') ints.push(BigInt(literal.digits))
    else rest.push(item)
  }
  const tests = rest.map((item) => compare('eq', input, item, loose))
  if (texts.length > 0) {
    const column = loose && input.bare !== undefined && !texts.includes('') ? input.bare : input.sql
    tests.push(sql`(${isByType ? stringByType(input) : column} IN ${texts})`)
  }
  if (ints.length > 0) tests.push(sql`(${toInt.text(input.sql)} IN ${bound('Array(Int64)', ints)})`)
  const number = isByType ? numberByType(input) : toFloat.text(input.sql)
  if (floats.length > 0) tests.push(sql`(${number} IN ${bound('Array(Float64)', floats)})`)
  if (tests.length === 0) return sql`0`
  return tests.length === 1 ? tests[0]! : sql`(${join(tests, ' OR ')})`
}

/** Substring test; for an array column, whether it has the item. */
export function contains(input: Value, substr: Value, caseInsensitive: boolean): Sql {
  const part = toText[substr.type](substr.sql)
  if (input.type === 'array') {
    if (!caseInsensitive) return sql`has(${input.sql}, ${part})`
    return sql`arrayExists(item -> lowerUTF8(item) = lowerUTF8(${part}), ${input.sql})`
  }
  const position = caseInsensitive ? sql`positionCaseInsensitiveUTF8` : sql`position`
  const exact = sql`(${position}(${toText[input.type](input.sql)}, ${part}) > 0)`
  const prefilter = containsPrefilter(input, substr, caseInsensitive)
  return prefilter === undefined ? exact : sql`((${prefilter}) AND ${exact})`
}

/** Parsing a document takes four times as long as searching its text. */
function containsPrefilter(input: Value, substr: Value, caseInsensitive: boolean): Sql | undefined {
  if (input.stored === undefined || substr.literal?.kind !== 'string') return undefined
  const { text, isNormalized } = input.stored
  const prefilter = mayContainInValue(text, substr.literal.value, caseInsensitive)
  return prefilter === undefined || isNormalized === undefined
    ? prefilter
    : sql`${isNormalized} OR ${prefilter}`
}

const CONVERSIONS: Readonly<Record<Conversion, (value: Value) => Value>> = {
  string: (value) => (value.type === 'text' ? value : { type: 'text', sql: toText[value.type](value.sql) }),
  int: (value) => ({ type: 'int', sql: toInt[value.type](value.sql) }),
  double: (value) => ({ type: 'float', sql: toFloat[value.type](value.sql) }),
  bool: (value) => ({ type: 'bool', sql: toBool[value.type](value.sql) }),
  exists: (value) => ({ type: 'bool', sql: existsCondition(value) }),
}

export function convert(value: Value, to: Conversion): Value {
  return CONVERSIONS[to](value)
}
