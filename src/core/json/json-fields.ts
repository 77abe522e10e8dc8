import { Scanner } from './scan.ts'

/**
 * The short scalar values inside a document, by path, as the query language reads them as text: what is pulled out at
 * insert, so that a filter on `inputs.model` need not read the inputs of a million calls. Whatever is not pulled out
 * leaves a mark where it stands, so that a reader knows when the document itself must be asked: what has neither
 * value nor mark is not there.
 */
export interface Leaf {
  readonly path: string
  /** A value is `=` and its text, so that an empty one is not nothing; or one of the marks. */
  readonly value: string
}

/** An object, or a value that is too long: its own text is in the document only, what lies below it is not concerned. */
export const LOOK_HERE = '.'
/** Neither this value nor anything below it was pulled out: an array, or a document with too much in it. */
export const LOOK_BELOW = '*'

const MAX_TEXT_BYTES = 200
const MAX_LEAVES = 64
const MAX_DEPTH = 6

/** Integers and plain decimals that the engine writes as JavaScript does: no exponents, no more digits than a double has. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/

/** Longer keys are not pulled out. */
export const MAX_KEY_UNITS = 200

/** Parts that hold dots stay apart; and nothing is in it that means something in the name of a column. */
export function encodePath(parts: readonly string[]): string {
  return parts.map((part) => part.replace(SPECIAL, percent)).join('.')
}

// eslint-disable-next-line no-control-regex
const SPECIAL = /[%.\\'"`\u0000-\u001f\u007f]/g

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/**
 * Appends the leaves of one document; `root` is what its paths begin with. `isAsSent` is false for one that the engine's
 * JSON functions read in another form (query-form.ts): such a document must always be asked itself.
 */
export function addLeaves(leaves: Leaf[], root: string, document: Buffer, isAsSent: boolean): void {
  if (document.length === 0) return
  const before = leaves.length
  if (isAsSent && new Walker(document, leaves, before + MAX_LEAVES).value(0, root, 0) >= 0) return
  leaves.length = before
  leaves.push({ path: root, value: LOOK_BELOW })
}

const QUOTE = 0x22
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const COMMA = 0x2c

/** Valid JSON is walked over once more, but only down to what is short. */
class Walker {
  readonly #bytes: Buffer
  readonly #scan: Scanner
  readonly #leaves: Leaf[]
  readonly #most: number

  constructor(bytes: Buffer, leaves: Leaf[], most: number) {
    this.#bytes = bytes
    this.#scan = new Scanner(bytes)
    this.#leaves = leaves
    this.#most = most
  }

  /** The index after the value that begins at `at`; negative if there is too much. */
  value(at: number, path: string, depth: number): number {
    if (this.#leaves.length >= this.#most) return -1
    const start = this.#scan.skipSpace(at)
    const first = this.#bytes[start]
    if (first === OPEN_BRACE) return this.#object(start, path, depth)
    const end = this.#scan.skipValue(start, depth)
    if (first === OPEN_BRACKET) this.#add(path, LOOK_BELOW)
    else this.#scalar(path, start, end)
    return end
  }

  #scalar(path: string, start: number, end: number): void {
    if (this.#bytes[start] === QUOTE) {
      const isShort = end - start <= MAX_TEXT_BYTES
      this.#add(path, isShort ? `=${this.#scan.stringAt(start, end)}` : LOOK_HERE)
      return
    }
    const text = this.#bytes.toString('latin1', start, end)
    if (text === 'null') return
    const known = text === 'true' || text === 'false' ? text : numberText(text)
    this.#add(path, known === undefined ? LOOK_HERE : `=${known}`)
  }

  #object(at: number, path: string, depth: number): number {
    if (depth === MAX_DEPTH) {
      this.#add(path, LOOK_BELOW)
      return this.#scan.skipValue(at, depth)
    }
    this.#add(path, LOOK_HERE)
    // Of a key that stands twice, the first counts.
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
    this.#leaves.push({ path, value })
  }
}

/** As the engine writes it: `5.0` is 5. Undefined for what the two might write differently. */
function numberText(text: string): string | undefined {
  if (!PLAIN_NUMBER.test(text)) return undefined
  const value = Number(text)
  if (Object.is(value, -0) || (value !== 0 && Math.abs(value) < 0.001)) return undefined
  return String(value)
}
