import {
  encodePathPart,
  type JsonField,
  MAX_DEPTH,
  MAX_FIELDS,
  MAX_KEY_UNITS,
  MAX_MEMBERS,
  MAX_TEXT_BYTES,
  plainNumber,
  SUBTREE_NOT_EXTRACTED,
  VALUE_NOT_EXTRACTED,
} from '../../src/core/json/json-fields.ts'
import { Scanner } from '../../src/core/json/scan.ts'

/** The extraction of fields without regard to speed. The encoder (store/calls/columns/field-encoder.ts) must extract the same. */

/**
 * Appends the fields of one document; `root` is the first part of their paths. A document that ClickHouse reads in
 * normalized form (normalized-json.ts) is not extracted: `isAsSent` is false for it.
 */
export function extractFields(fields: JsonField[], root: string, document: Buffer, isAsSent: boolean): void {
  if (document.length === 0) return
  const before = fields.length
  if (isAsSent && new FieldExtractor(document, fields, before + MAX_FIELDS).value(0, root, 0) >= 0) return
  fields.length = before
  fields.push({ path: root, value: SUBTREE_NOT_EXTRACTED })
}

const QUOTE = 0x22
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const COMMA = 0x2c

/** Walks valid JSON and records the short scalars. */
class FieldExtractor {
  readonly #bytes: Buffer
  readonly #scan: Scanner
  readonly #fields: JsonField[]
  readonly #maxFields: number
  #members = 0

  constructor(bytes: Buffer, fields: JsonField[], maxFields: number) {
    this.#bytes = bytes
    this.#scan = new Scanner(bytes)
    this.#fields = fields
    this.#maxFields = maxFields
  }

  /** Returns the index after the value that starts at `at`; negative if there are too many fields. */
  value(at: number, path: string, depth: number): number {
    if (this.#fields.length >= this.#maxFields) return -1
    const start = this.#scan.skipSpace(at)
    const first = this.#bytes[start]
    if (first === OPEN_BRACE) return this.#object(start, path, depth)
    const end = this.#scan.skipValue(start, depth)
    if (first === OPEN_BRACKET) this.#add(path, SUBTREE_NOT_EXTRACTED)
    else this.#scalar(path, start, end)
    return end
  }

  #scalar(path: string, start: number, end: number): void {
    if (this.#bytes[start] === QUOTE) {
      const isShort = end - start <= MAX_TEXT_BYTES
      this.#add(path, isShort ? `=${this.#scan.stringAt(start, end)}` : VALUE_NOT_EXTRACTED)
      return
    }
    const text = this.#bytes.toString('latin1', start, end)
    if (text === 'null') return
    const known = text === 'true' || text === 'false' ? text : plainNumber(text)
    this.#add(path, known === undefined ? VALUE_NOT_EXTRACTED : `=${known}`)
  }

  #object(at: number, path: string, depth: number): number {
    if (depth === MAX_DEPTH) {
      this.#add(path, SUBTREE_NOT_EXTRACTED)
      return this.#scan.skipValue(at, depth)
    }
    this.#add(path, VALUE_NOT_EXTRACTED)
    // The first of a repeated key wins, as in ClickHouse's JSON functions.
    const seen = new Set<string>()
    let i = this.#scan.skipSpace(at + 1)
    while (this.#bytes[i] !== CLOSE_BRACE) {
      const keyEnd = this.#scan.skipString(i)
      const key = this.#scan.stringAt(i, keyEnd)
      if (key.length > MAX_KEY_UNITS || ++this.#members > MAX_MEMBERS) return -1
      i = this.#scan.skipColon(keyEnd)
      if (seen.has(key)) i = this.#scan.skipValue(i, depth)
      else {
        seen.add(key)
        i = this.value(i, `${path}.${encodePathPart(key)}`, depth + 1)
        if (i < 0) return i
      }
      i = this.#scan.skipSpace(i)
      if (this.#bytes[i] === COMMA) i = this.#scan.skipSpace(i + 1)
    }
    return i + 1
  }

  #add(path: string, value: string): void {
    this.#fields.push({ path, value })
  }
}
