import { isUtf8 } from 'node:buffer'
import { RawJson } from '../../contract/raw-json.ts'
import { MAX_DEPTH, malformed, skipKey, skipSpace, skipString, skipValue, stringAt, tooDeep } from './scan.ts'
import type { Shape } from './shape.ts'

const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/** Reads one JSON document by its shape. Throws `invalid_request` unless every byte of it is valid JSON. */
export function readJson(body: Buffer, shape: Shape): unknown {
  if (!isUtf8(body)) throw malformed(0, 'bytes that are not UTF-8')
  const buf = body.subarray(0, 3).equals(BOM) ? body.subarray(3) : body
  const reader = new Reader(buf)
  const value = reader.value(shape, 0)
  reader.end()
  return value
}

class Reader {
  #at: number
  readonly #buf: Buffer

  constructor(buf: Buffer) {
    this.#buf = buf
    this.#at = skipSpace(buf, 0)
  }

  end(): void {
    this.#at = skipSpace(this.#buf, this.#at)
    if (this.#at < this.#buf.length) throw malformed(this.#at, 'more text after the end')
  }

  value(shape: Shape, depth: number): unknown {
    const c = this.#buf[this.#at]
    if (shape.kind === 'raw') return this.#raw(depth)
    if (c === 0x22) return this.#string()
    if (c === 0x7b && shape.kind === 'object') return this.#object(shape.keys, depth)
    if (c === 0x7b && shape.kind === 'record') return this.#record(shape.value, depth)
    if (c === 0x5b && shape.kind === 'array') return this.#array(shape.item, depth)
    return this.#plain(depth)
  }

  #string(): string {
    const start = this.#at
    this.#at = skipString(this.#buf, start)
    return stringAt(this.#buf, start, this.#at)
  }

  #raw(depth: number): RawJson {
    const start = this.#at
    this.#at = skipValue(this.#buf, start, depth)
    return RawJson.fromBytes(this.#buf.subarray(start, this.#at))
  }

  /** A value whose kind does not fit the shape (the schema will say so) or that needs no shape. */
  #plain(depth: number): unknown {
    const start = this.#at
    this.#at = skipValue(this.#buf, start, depth)
    return JSON.parse(this.#buf.toString('utf8', start, this.#at)) as unknown
  }

  #object(keys: ReadonlyMap<string, Shape>, depth: number): unknown {
    const object: Record<string, unknown> = {}
    this.#members(depth, (key) => {
      const shape = keys.get(key)
      if (shape === undefined) this.#at = skipValue(this.#buf, this.#at, depth + 1)
      else object[key] = this.value(shape, depth + 1)
    })
    return object
  }

  #record(value: Shape, depth: number): unknown {
    const record = Object.create(null) as Record<string, unknown>
    this.#members(depth, (key) => {
      record[key] = this.value(value, depth + 1)
    })
    return record
  }

  #members(depth: number, member: (key: string) => void): void {
    if (depth + 1 > MAX_DEPTH) throw tooDeep()
    const buf = this.#buf
    this.#at = skipSpace(buf, this.#at + 1)
    if (buf[this.#at] === 0x7d) {
      this.#at++
      return
    }
    for (;;) {
      const keyStart = this.#at
      const valueStart = skipKey(buf, keyStart)
      const key = stringAt(buf, keyStart, skipString(buf, keyStart))
      this.#at = valueStart
      member(key)
      this.#at = skipSpace(buf, this.#at)
      const c = buf[this.#at]
      this.#at = skipSpace(buf, this.#at + 1)
      if (c === 0x7d) return
      if (c !== 0x2c) throw malformed(this.#at, 'a comma or a closing brace is missing')
    }
  }

  #array(item: Shape, depth: number): unknown[] {
    if (depth + 1 > MAX_DEPTH) throw tooDeep()
    const buf = this.#buf
    const items: unknown[] = []
    this.#at = skipSpace(buf, this.#at + 1)
    if (buf[this.#at] === 0x5d) {
      this.#at++
      return items
    }
    for (;;) {
      items.push(this.value(item, depth + 1))
      this.#at = skipSpace(buf, this.#at)
      const c = buf[this.#at]
      this.#at = skipSpace(buf, this.#at + 1)
      if (c === 0x5d) return items
      if (c !== 0x2c) throw malformed(this.#at, 'a comma or a closing bracket is missing')
    }
  }
}
