import { ApiError } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { MAX_DEPTH } from '../../contract/limits.ts'
import { LargeWork } from '../concurrency/large-work.ts'
import { malformed, Scanner, tooDeep } from './scan.ts'
import type { Field, ObjectShape, Shape } from './shape.ts'
import type { UnknownKeys } from './unknown-keys.ts'
import { findInvalidUtf8 } from './utf8.ts'

const BACKSLASH = 0x5c
const NULL = Buffer.from('null')

/**
 * Reads one JSON document by its shape. Throws `invalid_request` unless the whole document is valid JSON, and `LargeWork`
 * if an array that is not a payload has more than `maxItems` items. Keys that the shape does not have are skipped, and
 * added to `unknownKeys`.
 */
export function readJson(
  body: Buffer,
  shape: Shape,
  maxItems = Number.POSITIVE_INFINITY,
  unknownKeys?: UnknownKeys,
): unknown {
  const invalid = findInvalidUtf8(body)
  if (invalid !== -1) throw malformed(invalid, 'invalid UTF-8')
  const hasBom = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
  const reader = new Reader(body, hasBom ? 3 : 0, maxItems, unknownKeys)
  const value = reader.value(shape, 0)
  reader.end()
  return value
}

class Reader {
  #at: number
  readonly #buf: Buffer
  readonly #scan: Scanner
  readonly #maxItems: number
  readonly #unknownKeys: UnknownKeys | undefined
  /** Start and end offsets of NaN and Infinity in the payload being read; nearly always empty. */
  readonly #nonFinite: number[] = []

  constructor(buf: Buffer, start: number, maxItems: number, unknownKeys: UnknownKeys | undefined) {
    this.#buf = buf
    this.#unknownKeys = unknownKeys
    this.#maxItems = maxItems
    this.#scan = new Scanner(buf)
    this.#at = this.#scan.skipSpace(start)
  }

  end(): void {
    this.#at = this.#scan.skipSpace(this.#at)
    if (this.#at < this.#buf.length) throw malformed(this.#at, 'unexpected text after the document')
  }

  value(shape: Shape, depth: number): unknown {
    if (shape.kind === 'raw') return this.#raw(depth, shape.nullable)
    if (this.#at >= this.#buf.length) throw malformed(this.#at, 'unexpected end')
    switch (this.#buf[this.#at]) {
      case 0x22:
        return this.#string()
      case 0x7b:
        if (shape.kind === 'object') return this.#object(shape, depth)
        if (shape.kind === 'record') return this.#record(shape.value, depth)
        break
      case 0x5b:
        if (shape.kind === 'array') return this.#array(shape, depth)
        break
      default:
        return this.#parsed(depth)
    }
    if (shape.kind === 'value') return this.#parsed(depth)
    return this.#emptyContainer(depth)
  }

  #string(): string {
    const start = this.#at
    this.#at = this.#scan.skipString(start)
    return this.#scan.stringAt(start, this.#at)
  }

  #raw(depth: number, nullable: boolean): RawJson | null {
    const start = this.#at
    this.#scan.takeIsNormalized()
    this.#at = this.#scan.skipPayload(start, depth, this.#nonFinite)
    const bytes = this.#buf.subarray(start, this.#at)
    if (this.#nonFinite.length > 0)
      return RawJson.fromBytes(withNulls(bytes, start, this.#nonFinite.splice(0)))
    if (nullable && bytes.length === 4 && bytes[0] === 0x6e) return null
    return RawJson.fromBytes(bytes, this.#scan.takeIsNormalized())
  }

  #parsed(depth: number): unknown {
    const start = this.#at
    this.#at = this.#scan.skipValue(start, depth)
    return JSON.parse(this.#buf.toString('utf8', start, this.#at)) as unknown
  }

  /**
   * Replaces a container at a scalar's position by an empty one: the schema rejects it, and its items are not
   * built.
   */
  #emptyContainer(depth: number): unknown {
    const isArray = this.#buf[this.#at] === 0x5b
    this.#at = this.#scan.skipValue(this.#at, depth)
    return isArray ? [] : {}
  }

  #object(shape: ObjectShape, depth: number): unknown {
    const object: Record<string, unknown> = {}
    for (let more = this.#open(0x7d, depth); more; more = this.#next(0x7d)) {
      const keyAt = this.#at
      const field = this.#field(shape)
      if (field === undefined) this.#skipUnknown(shape, keyAt, depth)
      else object[field.name] = this.value(field.shape, depth + 1)
    }
    return object
  }

  #skipUnknown(shape: ObjectShape, keyAt: number, depth: number): void {
    const start = this.#at
    this.#at = this.#scan.skipValue(start, depth + 1)
    const unknownKeys = this.#unknownKeys
    if (unknownKeys === undefined || unknownKeys.isFull) return
    const key = this.#scan.stringAt(keyAt, this.#scan.skipString(keyAt))
    unknownKeys.add(shape, key, this.#buf[start] === 0x6e)
  }

  #record(value: Shape, depth: number): unknown {
    const record = Object.create(null) as Record<string, unknown>
    for (let more = this.#open(0x7d, depth); more; more = this.#next(0x7d)) {
      const start = this.#at
      this.#at = this.#scan.skipKey(start)
      const key = this.#scan.stringAt(start, this.#scan.skipString(start))
      record[key] = this.value(value, depth + 1)
    }
    return record
  }

  #array(shape: Shape & { kind: 'array' }, depth: number): unknown[] {
    const items: unknown[] = []
    for (let more = this.#open(0x5d, depth); more; more = this.#next(0x5d)) {
      if (items.length === shape.maxItems) {
        throw new ApiError(
          'too_large',
          `an array has more than ${shape.maxItems} items; send smaller batches`,
        )
      }
      if (items.length === this.#maxItems) throw new LargeWork('an array')
      items.push(this.value(shape.item, depth + 1))
    }
    return items
  }

  /** Skips a key and its colon; returns the field it names, if the shape has it. */
  #field(shape: ObjectShape): Field | undefined {
    const start = this.#at
    if (start >= this.#buf.length || this.#buf[start] !== 0x22) throw malformed(start, 'expected a key')
    const end = this.#scan.skipString(start)
    this.#at = this.#scan.skipColon(end)
    const field = shape.fields.find(this.#buf, start + 1, end - 1)
    if (field !== undefined || !this.#buf.subarray(start, end).includes(BACKSLASH)) return field
    const name = Buffer.from(this.#scan.stringAt(start, end))
    return shape.fields.find(name, 0, name.length)
  }

  /** Enters a container; false if it is empty and already closed. */
  #open(closing: number, depth: number): boolean {
    if (depth + 1 > MAX_DEPTH) throw tooDeep()
    this.#at = this.#scan.skipSpace(this.#at + 1)
    if (this.#at >= this.#buf.length || this.#buf[this.#at] !== closing) return true
    this.#at++
    return false
  }

  /** Moves to the next member; false at the end of the container. */
  #next(closing: number): boolean {
    const at = this.#scan.skipSpace(this.#at)
    const c = at < this.#buf.length ? this.#buf[at] : undefined
    if (c === closing) {
      this.#at = at + 1
      return false
    }
    if (c !== 0x2c) throw malformed(at, 'expected a comma or a closing bracket')
    this.#at = this.#scan.skipSpace(at + 1)
    return true
  }
}

/** A copy with NaN and Infinity replaced by `null`; `nonFinite` holds offsets in the document. */
function withNulls(bytes: Buffer, start: number, nonFinite: readonly number[]): Buffer {
  const parts: Buffer[] = []
  let from = 0
  for (let i = 0; i < nonFinite.length; i += 2) {
    parts.push(bytes.subarray(from, nonFinite[i]! - start), NULL)
    from = nonFinite[i + 1]! - start
  }
  return Buffer.concat([...parts, bytes.subarray(from)])
}
