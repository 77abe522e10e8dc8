import { isDeepStrictEqual } from 'node:util'
import type { Doc } from './api.ts'

/** Assertions with one-line messages. */
export type Type = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'datetime'

export function same(actual: unknown, expected: unknown, label = 'value'): void {
  if (!isDeepStrictEqual(actual, expected)) fail(label, expected, actual)
}

/** The same members with the same multiplicity, in any order. */
export function sameMembers(
  actual: readonly unknown[],
  expected: readonly unknown[],
  label = 'members',
): void {
  const sorted = (list: readonly unknown[]): string[] => list.map((each) => JSON.stringify(each)).toSorted()
  if (!isDeepStrictEqual(sorted(actual), sorted(expected))) fail(label, expected, actual)
}

/** Every key of `expected` is present with its value; the server may add others. */
export function includes(actual: unknown, expected: Doc, label = 'value'): void {
  hasType(actual, 'object', label)
  for (const [key, value] of Object.entries(expected)) same((actual as Doc)[key], value, `${label}.${key}`)
}

/** null or missing: both are allowed. */
export function absent(value: unknown, label = 'value'): void {
  if (value !== undefined && value !== null) fail(label, 'null or absent', value)
}

export function hasType(value: unknown, type: Type, label = 'value'): void {
  if (!TYPE_CHECKS[type](value)) fail(label, `a value of type ${type}`, value)
}

/** The same time in any notation, to the microsecond. */
export function instant(actual: unknown, expected: string, label = 'value'): void {
  hasType(actual, 'datetime', label)
  if (microseconds(actual as string) !== microseconds(expected)) fail(label, expected, actual)
}

/** A time close to now; clocks may differ by up to 10 minutes. */
export function recent(value: unknown, label = 'value'): void {
  hasType(value, 'datetime', label)
  const distance_ms = Math.abs(Date.now() - Number(microseconds(value as string) / 1000n))
  if (distance_ms > 600_000) fail(label, 'a time close to now', value)
}

export function microseconds(text: string): bigint {
  const [, seconds, fraction = '', zone = ''] = DATETIME.exec(text) ?? []
  if (seconds === undefined) throw new Error(`not an ISO 8601 date-time: ${text}`)
  const whole_ms = Date.parse(`${seconds.replace(' ', 'T')}${zone === '' ? 'Z' : zone}`)
  return BigInt(whole_ms) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}

const DATETIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/

const TYPE_CHECKS: Readonly<Record<Type, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  datetime: (value) => typeof value === 'string' && DATETIME.test(value),
}

export function fail(label: string, expected: unknown, actual: unknown): never {
  throw new Error(`${label}: expected ${show(expected)}, got ${show(actual)}`)
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300)
}

/**
 * Numbers that a server changes if it parses JSON into floating point and writes it again. They are text here, because
 * this program would change them in the same way.
 */
export const EXACT = {
  exact_one: '1.0',
  exact_large: '1e22',
  exact_long: '123456789012345678901234567890',
} as const

export const EXACT_JSON = `{${Object.entries(EXACT)
  .map(([key, text]) => `"${key}":${text}`)
  .join(',')}}`

/** Heddle keeps every byte. Another server must keep the value, in any notation. */
export function exactNumber(text: string, key: keyof typeof EXACT, byteExact: boolean): void {
  const lexeme = new RegExp(`"${key}"\\s*:\\s*(-?[0-9][0-9.eE+-]*)`).exec(text)?.[1] ?? ''
  const expected = EXACT[key]
  if (byteExact ? lexeme !== expected : decimal(lexeme) !== decimal(expected)) fail(key, expected, lexeme)
}

/** Normal form `<digits>e<exponent>` without trailing zeros: equal for equal values of any size. */
function decimal(lexeme: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(lexeme) ?? []
  const digits = whole + fraction
  const trimmed = digits.replace(/0+$/, '')
  return `${trimmed}e${Number(exponent) - fraction.length + (digits.length - trimmed.length)}`
}
