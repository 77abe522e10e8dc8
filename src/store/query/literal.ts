import { unprocessable } from '../../contract/api-error.ts'
import { MAX_UNIX_SECONDS } from '../../contract/time.ts'
import type { Literal } from '../../core/query/ast.ts'
import { normalizedJson } from '../../core/json/normalized-json.ts'
import { clampTime, type Micros, parseTime } from '../../core/time/time.ts'
import { bound, type Sql, sql } from './sql.ts'
import { FALSE_WORDS } from './casts.ts'
import { jsonValue } from './json-value.ts'
import type { Value } from './value.ts'

/** Compiles literals of a query: as a value, as a time, and as a condition. */

export function literalValue(literal: Literal): Value {
  if (literal.kind === 'null') return { type: 'null', sql: sql`NULL`, literal, exists: sql`0` }
  if (literal.kind === 'bool') return { type: 'bool', sql: literal.value ? sql`1` : sql`0`, literal }
  if (literal.kind === 'string') return { type: 'text', sql: sql`${literal.value}`, literal }
  if (literal.kind === 'float') return { type: 'float', sql: bound('Float64', literal.value), literal }
  if (literal.kind === 'int') {
    const type = intType(literal.digits)
    if (type === 'Float64') return { type: 'float', sql: bound(type, Number(literal.digits)), literal }
    return { type: 'int', sql: bound(type, literal.digits), literal }
  }
  const form = normalizedJson(Buffer.from(literal.text))?.toString() ?? literal.text
  const { text, ...more } = jsonValue(sql`${form}`, [])
  return { type: 'text', sql: text, literal, ...more }
}

/** The ClickHouse type of an integer literal; one beyond 64 bits is compared as a float. */
export function intType(digits: string): 'Int64' | 'UInt64' | 'Float64' {
  if (digits.length > 20) return 'Float64'
  const value = BigInt(digits)
  if (value >= -(2n ** 63n) && value < 2n ** 63n) return 'Int64'
  return value >= 0n && value < 2n ** 64n ? 'UInt64' : 'Float64'
}

/** Unix seconds, ISO 8601 or a date. Anything else is refused: it would match nothing, which looks like a result. */
export function literalTime(literal: Literal): Sql {
  const micros = literalMicros(literal)
  if (micros === undefined)
    throw unprocessable(
      ['query'],
      'a time is compared with a literal that is not a time; use Unix seconds (not milliseconds), or an ISO 8601 date or time',
    )
  return sql`fromUnixTimestamp64Micro(${bound('Int64', clampTime(micros).toString())}, 'UTC')`
}

function literalMicros(literal: Literal): Micros | undefined {
  if (literal.kind === 'float') return secondsToMicros(literal.value)
  if (literal.kind === 'int') {
    return secondsToMicros(Number(literal.digits))
  }
  if (literal.kind !== 'string') return undefined
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(literal.value)
  return parseTime(literal.value) ?? (isNumber ? secondsToMicros(Number(literal.value)) : undefined)
}

/** Beyond the bound are milliseconds, as in times of records; here they are undefined. */
function secondsToMicros(seconds: number): Micros | undefined {
  return Math.abs(seconds) <= MAX_UNIX_SECONDS ? BigInt(Math.round(seconds * 1e6)) : undefined
}

export function literalTruth(literal: Literal): Sql {
  if (literal.kind === 'null') return sql`NULL`
  return isTrue(literal) ? sql`1` : sql`0`
}

function isTrue(literal: Exclude<Literal, { kind: 'null' }>): boolean {
  if (literal.kind === 'bool') return literal.value
  if (literal.kind === 'int') return /[1-9]/.test(literal.digits)
  if (literal.kind === 'float') return literal.value !== 0
  if (literal.kind === 'string') return !(FALSE_WORDS as readonly string[]).includes(literal.value)
  return true
}
