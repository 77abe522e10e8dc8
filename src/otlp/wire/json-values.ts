import type { AttributeValue, Attributes } from '../model.ts'
import { InexactNumber } from './long-integers.ts'
import { MAX_VALUE_DEPTH, NO_ATTRIBUTES, TOO_DEEP } from './values.ts'

/** Reads the values of OTLP in JSON. Values of an unexpected type count as absent. */

export type JsonObject = Readonly<Record<string, unknown>>

const NO_OBJECT: JsonObject = {}

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : NO_OBJECT
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function listOf(object: JsonObject, name: string, snakeName: string): readonly unknown[] {
  return asList(object[name] ?? object[snakeName])
}

export function objectOf(object: JsonObject, name: string, snakeName: string): JsonObject | undefined {
  const value = object[name] ?? object[snakeName]
  return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const HEX = /^[0-9a-f]*$/i

/** Lowercase. Anything else becomes a text that no id can have. */
export function hexText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' && value.length <= 32 && HEX.test(value) ? value.toLowerCase() : '?'
}

/** A count or flags: 32 bits. */
export function small(value: unknown): number {
  const number = Number(value ?? 0)
  return Number.isInteger(number) && number >= 0 && number <= 0xffffffff ? number : 0
}

/** Enums are numbers in OTLP, but names in other JSON of protobuf. */
export function enumNumber(value: unknown, names: readonly string[]): number {
  if (typeof value === 'string') {
    const index = names.indexOf(value)
    if (index >= 0) return index
  }
  return small(value)
}

const MAX_UINT64 = (1n << 64n) - 1n
const INTEGER = /^-?\d{1,20}$/

/** Undefined if it is not a time; 0 if it is absent. */
export function readNanos(value: unknown): bigint | undefined {
  if (value === undefined || value === null || value === '') return 0n
  const nanos = integer(value) ?? fromWords(value)
  return nanos !== undefined && nanos >= 0n && nanos <= MAX_UINT64 ? nanos : undefined
}

/** `{low, high}`, as JavaScript exporters before 0.48 write 64-bit integers. */
function fromWords(value: unknown): bigint | undefined {
  const { low, high } = asObject(value)
  if (!Number.isInteger(low) || !Number.isInteger(high)) return undefined
  return (BigInt((high as number) >>> 0) << 32n) | BigInt((low as number) >>> 0)
}

function integer(value: unknown): bigint | undefined {
  if (typeof value === 'string') return INTEGER.test(value) ? BigInt(value) : undefined
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined
  if (!Number.isSafeInteger(value)) throw new InexactNumber()
  return BigInt(value)
}

export function readAttributes(items: unknown, depth: number): Attributes {
  if (!Array.isArray(items) || items.length === 0) return NO_ATTRIBUTES
  const attributes = new Map<string, AttributeValue>()
  for (const item of items as readonly unknown[]) {
    const { key, value } = asObject(item)
    if (typeof key === 'string' && !attributes.has(key)) attributes.set(key, readValue(value, depth))
  }
  return attributes
}

/** `depth` counts the lists and maps around the value. */
export function readValue(value: unknown, depth: number): AttributeValue {
  if (typeof value !== 'object' || value === null) return null
  const any = value as JsonObject
  const string = any['stringValue'] ?? any['string_value']
  if (typeof string === 'string') return string
  const int = any['intValue'] ?? any['int_value']
  if (int !== undefined && int !== null) return readInteger(int)
  const bool = any['boolValue'] ?? any['bool_value']
  if (typeof bool === 'boolean') return bool
  const double = any['doubleValue'] ?? any['double_value']
  if (typeof double === 'number') return double
  if (typeof double === 'string') return Number(double)
  const array = any['arrayValue'] ?? any['array_value']
  if (array !== undefined && array !== null) {
    if (depth === MAX_VALUE_DEPTH) return TOO_DEEP
    return asList(asObject(array)['values']).map((item) => readValue(item, depth + 1))
  }
  const kvlist = any['kvlistValue'] ?? any['kvlist_value']
  if (kvlist !== undefined && kvlist !== null) {
    if (depth === MAX_VALUE_DEPTH) return TOO_DEEP
    return readAttributes(asObject(kvlist)['values'], depth + 1)
  }
  const bytes = any['bytesValue'] ?? any['bytes_value']
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : null
}

const MIN_INT64 = -(1n << 63n)
const MAX_INT64 = (1n << 63n) - 1n

/** Exact for integers of 64 bits. Other values are unchanged. */
function readInteger(value: unknown): AttributeValue {
  const exact = integer(value) ?? fromSignedWords(value)
  if (exact !== undefined && exact >= MIN_INT64 && exact <= MAX_INT64) return exact
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

function fromSignedWords(value: unknown): bigint | undefined {
  const words = fromWords(value)
  return words === undefined ? undefined : BigInt.asIntN(64, words)
}
