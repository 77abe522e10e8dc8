import { Scanner } from './scan.ts'

/**
 * Extracted JSON fields: the short scalar values of a document by path, as the text that the query language
 * compares. They are extracted at insert, so that a filter on `inputs.model` need not read the inputs of a million
 * calls. A value that is not extracted leaves a marker at its path, which tells a query to read the document
 * itself. A path with neither value nor marker does not exist in the document.
 */
export interface JsonField {
  readonly path: string
  /** `=` followed by the text, so that an empty string differs from no value; or one of the markers. */
  readonly value: string
}

/** Marks an object or a long value: its own text is in the document only. Fields below it are extracted. */
export const VALUE_NOT_EXTRACTED = '.'
/** Marks a value that was not extracted with anything below it: an array, or a document with too many fields. */
export const SUBTREE_NOT_EXTRACTED = '*'

const MAX_TEXT_BYTES = 200
const MAX_FIELDS = 64
const MAX_DEPTH = 6

/** Numbers that ClickHouse and JavaScript format alike: no exponent, no more digits than a double has. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/

/** Documents with longer keys are not extracted. */
export const MAX_KEY_UNITS = 200

/** Joins parts with dots. Dots within parts and characters that are special in column names are percent-encoded. */
export function encodePath(parts: readonly string[]): string {
  return parts.map((part) => part.replace(SPECIAL, percentEncode)).join('.')
}

// eslint-disable-next-line no-control-regex
const SPECIAL = /[%.\\'"`\u0000-\u001f\u007f]/g

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

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
      if (key.length > MAX_KEY_UNITS) return -1
      i = this.#scan.skipColon(keyEnd)
      if (seen.has(key)) i = this.#scan.skipValue(i, depth)
      else {
        seen.add(key)
        i = this.value(i, `${path}.${encodePath([key])}`, depth + 1)
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

/** The number as ClickHouse formats it: `5.0` is 5. Undefined if the formats might differ. */
function plainNumber(text: string): string | undefined {
  if (!PLAIN_NUMBER.test(text)) return undefined
  const value = Number(text)
  if (Object.is(value, -0) || (value !== 0 && Math.abs(value) < 0.001)) return undefined
  return String(value)
}
