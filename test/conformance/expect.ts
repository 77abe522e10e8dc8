import { isDeepStrictEqual } from 'node:util'
import type { Doc } from './api.ts'

/** Assertions whose messages fit on one line. */
export type Type = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'datetime'

export function same(actual: unknown, expected: unknown, what = 'value'): void {
  if (!isDeepStrictEqual(actual, expected)) fail(what, expected, actual)
}

/** The same members, each as often, in any order. */
export function sameMembers(
  actual: readonly unknown[],
  expected: readonly unknown[],
  what = 'members',
): void {
  const sorted = (list: readonly unknown[]): string[] => list.map((each) => JSON.stringify(each)).toSorted()
  if (!isDeepStrictEqual(sorted(actual), sorted(expected))) fail(what, expected, actual)
}

/** Every key of `expected` is there with its value; the server may have added others. */
export function includes(actual: unknown, expected: Doc, what = 'value'): void {
  hasType(actual, 'object', what)
  for (const [key, value] of Object.entries(expected)) same((actual as Doc)[key], value, `${what}.${key}`)
}

/** null, or not there at all: SPEC does not tell them apart. */
export function absent(value: unknown, what = 'value'): void {
  if (value !== undefined && value !== null) fail(what, 'null or absent', value)
}

export function hasType(value: unknown, type: Type, what = 'value'): void {
  if (!IS[type](value)) fail(what, `a value of type ${type}`, value)
}

/** The same moment, however it is written, to the microsecond. */
export function instant(actual: unknown, expected: string, what = 'value'): void {
  hasType(actual, 'datetime', what)
  if (microseconds(actual as string) !== microseconds(expected)) fail(what, expected, actual)
}

/** A moment that the server's clock has just seen; clocks may differ by some minutes. */
export function recent(value: unknown, what = 'value'): void {
  hasType(value, 'datetime', what)
  const distance_ms = Math.abs(Date.now() - Number(microseconds(value as string) / 1000n))
  if (distance_ms > 600_000) fail(what, 'a moment near now', value)
}

export function microseconds(text: string): bigint {
  const [, seconds, fraction = '', zone = ''] = DATETIME.exec(text) ?? []
  if (seconds === undefined) throw new Error(`not an ISO 8601 date-time: ${text}`)
  const whole_ms = Date.parse(`${seconds.replace(' ', 'T')}${zone === '' ? 'Z' : zone}`)
  return BigInt(whole_ms) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}

const DATETIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/

const IS: Readonly<Record<Type, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  datetime: (value) => typeof value === 'string' && DATETIME.test(value),
}

export function fail(what: string, expected: unknown, actual: unknown): never {
  throw new Error(`${what}: expected ${show(expected)}, got ${show(actual)}`)
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300)
}

/**
 * Numbers that a server loses by reading JSON into floating point and writing it again. As text, because this
 * program would lose them the same way.
 */
export const EXACT = {
  exact_one: '1.0',
  exact_large: '1e22',
  exact_long: '123456789012345678901234567890',
} as const

export const EXACT_JSON = `{${Object.entries(EXACT)
  .map(([key, text]) => `"${key}":${text}`)
  .join(',')}}`

/** Ours keeps every byte; of another server the value must be the same, in any spelling. */
export function exactNumber(text: string, key: keyof typeof EXACT, byteExact: boolean): void {
  const lexeme = new RegExp(`"${key}"\\s*:\\s*(-?[0-9][0-9.eE+-]*)`).exec(text)?.[1] ?? ''
  const expected = EXACT[key]
  if (byteExact ? lexeme !== expected : decimal(lexeme) !== decimal(expected)) fail(key, expected, lexeme)
}

/** `digits`e`exponent` without zeros at the end: equal for equal values of any size. */
function decimal(lexeme: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(lexeme) ?? []
  const digits = whole + fraction
  const trimmed = digits.replace(/0+$/, '')
  return `${trimmed}e${Number(exponent) - fraction.length + (digits.length - trimmed.length)}`
}
