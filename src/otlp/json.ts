import { RawJson } from '../contract/raw-json.ts'
import type { AttributeValue } from './model.ts'

/** JSON values while a span is mapped. A `RawJson` is written as it is: text of the sender, or an exact number. */
export type Json = null | boolean | number | string | bigint | RawJson | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** Deeper values become null. Heddle's reader of JSON stops at 200 levels. */
export const MAX_VALUE_DEPTH = 100

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawJson)
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

export function asText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The number, from whatever type an instrumentation chose for it. */
export function asNumber(value: Json | AttributeValue | undefined): number | undefined {
  if (typeof value === 'string' && value.length > 40) return undefined
  if (typeof value === 'string' && value.trim() === '') return undefined
  const number =
    typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'
      ? Number(value)
      : value instanceof RawJson
        ? Number(value.text)
        : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** A double as JSON. A whole one keeps its `.0`, as Python writes it. */
export function doubleText(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text
}

/** An attribute value as JSON; bytes become base64. */
export function toJson(value: AttributeValue, depth = 0): Json {
  if (typeof value === 'number') return RawJson.fromText(doubleText(value))
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return base64(value)
  if (depth >= MAX_VALUE_DEPTH) return null
  if (value instanceof Map) {
    const members = value as ReadonlyMap<string, AttributeValue>
    return jsonObject([...members].map(([key, member]) => [key, toJson(member, depth + 1)]))
  }
  return (value as readonly AttributeValue[]).map((item) => toJson(item, depth + 1))
}

/** An object with keys of a sender. Objects without a prototype are safe too, but several times slower. */
export function jsonObject(members: Iterable<readonly [string, Json]>): JsonObject {
  const object: Record<string, Json> = {}
  for (const [key, value] of members) {
    if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true })
    else object[key] = value
  }
  return object
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** Values that instrumentations write where there is nothing. */
export function isAbsent(value: AttributeValue | undefined): boolean {
  switch (typeof value) {
    case 'undefined':
      return true
    case 'string':
      return value.length <= 4 && ABSENT_TEXTS.has(value)
    case 'object':
      if (value === null) return true
      if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0
      return value instanceof Map && value.size === 0
    default:
      return false
  }
}

const ABSENT_TEXTS: ReadonlySet<string> = new Set(['', '{}', '[]', 'null'])
