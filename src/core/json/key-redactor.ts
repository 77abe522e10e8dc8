import { MAX_DEPTH } from '../../contract/limits.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { BoundedMap } from '../concurrency/bounded-map.ts'
import { Scanner } from './scan.ts'
import { ValidatedScanner } from './validated-scanner.ts'

/** Replaces values under certain keys of documents. All other bytes stay as they were sent. */

export const REDACTED = 'REDACTED'

const REPLACEMENT = Buffer.from(`"${REDACTED}"`)

const QUOTE = 0x22
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

const NO_BYTES = Buffer.alloc(0)

interface Replacement {
  readonly from: number
  readonly to: number
  readonly text: Buffer
}

const INACTIVE = Number.POSITIVE_INFINITY

/** Keys whose result is remembered. Clients choose them, so long ones are not. */
const MAX_KNOWN_KEYS = 4_096
const MAX_KNOWN_BYTES = 64

export class KeyRedactor {
  readonly #isRedacted: (key: string) => boolean
  readonly #known = new BoundedMap<string, boolean>(MAX_KNOWN_KEYS)
  readonly #scan = new ValidatedScanner()
  #bytes: Buffer = NO_BYTES
  #found: Replacement[] = []
  /** Whether each open container is the list of a redacted key, or a list in it. */
  readonly #inRedactedList = new Uint8Array(MAX_DEPTH + 2)
  /** For JSON in texts. */
  #inner: KeyRedactor | undefined
  #isListNext = false
  #member: string | undefined
  /** Keys of containers at this level and below are compared. */
  #activeFrom = 0
  #replaced = 0
  #forwardCount: ((count: number) => void) | undefined

  constructor(isRedacted: (key: string) => boolean) {
    this.#isRedacted = isRedacted
  }

  /** The number of values that were replaced, by the thread for large requests too. */
  get replaced(): number {
    return this.#replaced
  }

  count(values: number): void {
    this.#replaced += values
    this.#forwardCount?.(values)
  }

  /** For a thread without metrics: where the values are counted. */
  onCount(forward: (values: number) => void): void {
    this.#forwardCount = forward
  }

  /**
   * The document itself if nothing is replaced. Only strings are, and those in a list: other values are not credentials. With
   * `member`, only within the objects of this name, and also in texts there that are JSON: spans have their inputs so.
   */
  redact(document: RawJson, member?: string): RawJson {
    const { bytes } = document
    this.#bytes = bytes
    this.#scan.open(bytes)
    this.#found = []
    this.#findAll(member)
    const found = this.#found
    this.#found = []
    this.#bytes = NO_BYTES
    this.#scan.open(NO_BYTES)
    if (found.length === 0) return document
    this.count(found.filter(({ text }) => text === REPLACEMENT).length)
    return RawJson.fromBytes(withReplacements(bytes, found), document.isNormalized)
  }

  /** Every string of valid JSON that is followed by a colon is a key. */
  #findAll(member: string | undefined): void {
    const bytes = this.#bytes
    const inRedactedList = this.#inRedactedList
    let level = 0
    this.#member = member
    this.#activeFrom = member === undefined ? 0 : INACTIVE
    let i = 0
    inRedactedList[0] = 0
    while (i < bytes.length) {
      const c = bytes[i]!
      if (c === QUOTE) {
        i = inRedactedList[level] === 1 ? this.#addString(i) : this.#findMember(i, level)
        // The list of a redacted key: `#findMember` stops before it.
        if (this.#isListNext) {
          this.#isListNext = false
          inRedactedList[++level] = 1
          i++
        }
        continue
      }
      if (c === OPEN_BRACE) inRedactedList[++level] = 0
      else if (c === OPEN_BRACKET) inRedactedList[level + 1] = inRedactedList[level++]!
      else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
        level--
        if (level < this.#activeFrom && member !== undefined) this.#activeFrom = INACTIVE
      }
      i++
    }
  }

  /** `at` is a string. If it is a key, returns the index of its value, or the one after a value that is replaced. */
  #findMember(at: number, level: number): number {
    const end = this.#scan.skipString(at)
    const colon = this.#scan.skipSpace(end)
    if (this.#bytes[colon] !== COLON) {
      if (this.#member !== undefined && level >= this.#activeFrom) this.#searchText(at, end)
      return end
    }
    const value = this.#scan.skipSpace(colon + 1)
    if (level < this.#activeFrom) {
      const isMember = this.#bytes[value] === OPEN_BRACE && this.#scan.stringAt(at, end) === this.#member
      if (isMember) this.#activeFrom = level + 1
      return value
    }
    if (!this.#matches(at, end)) return value
    this.#isListNext = this.#bytes[value] === OPEN_BRACKET
    return this.#bytes[value] === QUOTE ? this.#addString(value) : value
  }

  #addString(at: number): number {
    const end = this.#scan.skipString(at)
    const isEmpty = end === at + 2
    if (!isEmpty && this.#bytes.compare(REPLACEMENT, 0, REPLACEMENT.length, at, end) !== 0)
      this.#found.push({ from: at, to: end, text: REPLACEMENT })
    return end
  }

  #searchText(from: number, to: number): void {
    const first = this.#bytes[from + 1]
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return
    const bytes = Buffer.from(this.#scan.stringAt(from, to))
    if (!isJson(bytes)) return
    this.#inner ??= this.#createInner()
    const document = RawJson.fromBytes(bytes)
    const redacted = this.#inner.redact(document)
    if (redacted !== document)
      this.#found.push({ from, to, text: Buffer.from(JSON.stringify(redacted.text)) })
  }

  #createInner(): KeyRedactor {
    const inner = new KeyRedactor(this.#isRedacted)
    inner.onCount((values) => this.count(values))
    return inner
  }

  #matches(start: number, end: number): boolean {
    const key = this.#scan.stringAt(start, end)
    if (end - start > MAX_KNOWN_BYTES) return this.#isRedacted(key)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const isRedacted = this.#isRedacted(key)
    this.#known.set(key, isRedacted)
    return isRedacted
  }
}

/** Python writes NaN and Infinity too. */
function isJson(bytes: Buffer): boolean {
  try {
    const scan = new Scanner(bytes)
    return scan.skipSpace(scan.skipPayload(scan.skipSpace(0), 0, [])) === bytes.length
  } catch {
    return false
  }
}

function withReplacements(bytes: Buffer, found: readonly Replacement[]): Buffer {
  const parts: Buffer[] = []
  let end = 0
  for (const { from, to, text } of found) {
    parts.push(bytes.subarray(end, from), text)
    end = to
  }
  parts.push(bytes.subarray(end))
  return Buffer.concat(parts)
}
