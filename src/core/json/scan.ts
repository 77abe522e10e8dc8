import { ApiError } from '../../contract/api-error.ts'
import { MAX_DEPTH } from '../../contract/limits.ts'

/**
 * A validating JSON scanner over bytes. It finds the end of each value without building anything. Payloads are
 * never parsed into JS values, which keeps numbers exact and is cheaper (27 µs per call for raw slices, 50 µs to
 * parse and write again). See docs/decisions/0003-exact-json.md.
 *
 * It reads every received byte, so it is written for speed: strings four bytes at a time (497 MB/s; a byte loop
 * reaches 208), no arrays, no closures. One core reads bodies of 100 calls at 280 MB/s; JSON.parse reaches 130
 * (`npx tsx bench/json.ts`).
 */

/** simdjson in ClickHouse allows more, but recursive readers in SDKs and browsers do not. */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const MINUS = 0x2d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b

/** 1 for bytes that need attention inside a string: quote, backslash, control characters. */
const STOPS = new Uint8Array(256).fill(1, 0, 0x20)
STOPS[QUOTE] = 1
STOPS[BACKSLASH] = 1

/** The closing byte of each open container. Scanning never yields, so all scanners share one stack. */
const openContainers = new Uint8Array(MAX_DEPTH + 1)

export function malformed(at: number, reason: string): ApiError {
  return new ApiError('invalid_request', `the body is not valid JSON: ${reason} at byte ${at}`)
}

export function tooDeep(): ApiError {
  return new ApiError('too_large', `the JSON is nested deeper than ${MAX_DEPTH} levels`)
}

/** Scans one document. Positions are passed in and returned; a position is always within the document. */
export class Scanner {
  readonly #buf: Buffer
  readonly #end: number
  /** The same memory as aligned 32-bit words; `#shift` is the offset of the document in the first word. */
  readonly #words: Int32Array
  readonly #shift: number
  /** Start and end offsets of NaN and Infinity; undefined while they are not accepted. */
  #nonFinite: number[] | undefined
  /** False if a long number, an exponent or an escaped surrogate was found since `takeIsNormalized`. */
  #isNormalized = true

  constructor(buf: Buffer) {
    this.#buf = buf
    this.#end = buf.length
    this.#shift = buf.byteOffset & 3
    this.#words = new Int32Array(buf.buffer, buf.byteOffset - this.#shift, (buf.length + this.#shift) >> 2)
  }

  /** Returns the index of the first byte that is not white space. */
  skipSpace(at: number): number {
    const buf = this.#buf
    const end = this.#end
    let i = at
    while (i < end) {
      const c = buf[i]!
      if (c > 0x20 || (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09)) return i
      i++
    }
    return i
  }

  /** `at` points at the opening quote; returns the index after the closing one. */
  skipString(at: number): number {
    const buf = this.#buf
    const end = this.#end
    const words = this.#words
    const shift = this.#shift
    let i = at + 1
    for (;;) {
      while (i < end && ((i + shift) & 3) !== 0 && STOPS[buf[i]!] === 0) i++
      if (((i + shift) & 3) === 0) {
        let w = (i + shift) >> 2
        for (const n = words.length; w < n; w++) {
          const v = words[w]!
          const q = v ^ 0x22222222
          const b = v ^ 0x5c5c5c5c
          // Whether any of the four bytes is below 0x20, a quote or a backslash.
          if ((((v - 0x20202020) & ~v) | ((q - 0x01010101) & ~q) | ((b - 0x01010101) & ~b)) & 0x80808080)
            break
        }
        i = (w << 2) - shift
        while (i < end && STOPS[buf[i]!] === 0) i++
      }
      if (i >= end) throw malformed(end, 'unterminated string')
      const c = buf[i]!
      if (c === QUOTE) return i + 1
      if (c !== BACKSLASH) throw malformed(i, 'control character in a string')
      i = this.#skipEscape(i)
    }
  }

  #skipEscape(at: number): number {
    if (at + 1 >= this.#end) throw malformed(this.#end, 'unterminated string')
    switch (this.#buf[at + 1]) {
      case 0x22:
      case 0x5c:
      case 0x2f:
      case 0x62:
      case 0x66:
      case 0x6e:
      case 0x72:
      case 0x74:
        return at + 2
      case 0x75:
        for (let i = at + 2; i < at + 6; i++) {
          if (i >= this.#end || !isHex(this.#buf[i]!)) throw malformed(i, 'invalid \\u escape')
        }
        if ((this.#buf[at + 2]! | 0x20) === 0x64) this.#isNormalized = false
        return at + 6
      default:
        throw malformed(at, 'unknown escape')
    }
  }

  /** `at` points at `-` or a digit; returns the index after the number. */
  #skipNumber(at: number): number {
    const buf = this.#buf
    let i = at
    if (buf[i] === MINUS) {
      i++
      if (i < this.#end && buf[i] === 0x49) return this.#skipNonFinite(at)
    }
    if (i < this.#end && buf[i] === 0x30) i++
    else i = this.#skipDigits(i)
    if (i < this.#end && buf[i] === 0x2e) i = this.#skipDigits(i + 1)
    if (i < this.#end && (buf[i] === 0x65 || buf[i] === 0x45)) {
      i++
      this.#isNormalized = false
      if (i < this.#end && (buf[i] === 0x2b || buf[i] === MINUS)) i++
      i = this.#skipDigits(i)
    }
    if (i - at > 18) this.#isNormalized = false
    return i
  }

  #skipDigits(at: number): number {
    const buf = this.#buf
    let i = at
    while (i < this.#end && buf[i]! >= 0x30 && buf[i]! <= 0x39) i++
    if (i === at) throw malformed(i, 'invalid number')
    return i
  }

  #skipWord(at: number): number {
    if (at >= this.#end) throw malformed(at, 'unexpected end')
    switch (this.#buf[at]) {
      case 0x74:
        if (this.#matchesAt(at, 'true')) return at + 4
        break
      case 0x66:
        if (this.#matchesAt(at, 'false')) return at + 5
        break
      case 0x6e:
        if (this.#matchesAt(at, 'null')) return at + 4
        break
      case 0x4e:
      case 0x49:
        return this.#skipNonFinite(at)
      default:
    }
    throw malformed(at, 'unexpected character')
  }

  /**
   * Python's `json.dumps` writes NaN, Infinity and -Infinity, which are not JSON. SDKs drop the whole batch on a
   * 400, so payloads may contain the three; they are stored as null.
   */
  #skipNonFinite(at: number): number {
    const word = this.#buf[at] === 0x4e ? 'NaN' : this.#buf[at] === MINUS ? '-Infinity' : 'Infinity'
    if (this.#nonFinite === undefined || !this.#matchesAt(at, word)) {
      throw malformed(at, 'unexpected character (NaN and Infinity are not JSON)')
    }
    this.#nonFinite.push(at, at + word.length)
    return at + word.length
  }

  #matchesAt(at: number, word: string): boolean {
    if (at + word.length > this.#end) return false
    for (let i = 0; i < word.length; i++) if (this.#buf[at + i] !== word.charCodeAt(i)) return false
    return true
  }

  /**
   * Returns the index after the value at `at` (white space already skipped). `depth` is the nesting depth of `at`.
   */
  skipValue(at: number, depth: number): number {
    if (at >= this.#end) throw malformed(at, 'unexpected end')
    const c = this.#buf[at]!
    if (c === QUOTE) return this.skipString(at)
    if (c === OPEN_BRACE || c === OPEN_BRACKET) return this.#skipNested(at, depth)
    if (c === MINUS || (c >= 0x30 && c <= 0x39)) return this.#skipNumber(at)
    return this.#skipWord(at)
  }

  /** Whether everything scanned since the last call is known to need no normalization (normalized-json.ts). */
  takeIsNormalized(): boolean {
    const isNormalized = this.#isNormalized
    this.#isNormalized = true
    return isNormalized
  }

  /** Like `skipValue`, but accepts NaN and Infinity and appends their offsets to `nonFinite`. */
  skipPayload(at: number, depth: number, nonFinite: number[]): number {
    this.#nonFinite = nonFinite
    const end = this.skipValue(at, depth)
    this.#nonFinite = undefined
    return end
  }

  /**
   * Skips a container without recursion. At the loop's start `i` is at a value or at the end of an empty container.
   */
  #skipNested(at: number, depth: number): number {
    const buf = this.#buf
    const end = this.#end
    let level = 0
    let i = at
    for (;;) {
      // A value starts at i.
      const c = i < end ? buf[i]! : 0
      if (c === QUOTE) {
        i = this.skipString(i)
      } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
        if (++level + depth > MAX_DEPTH) throw tooDeep()
        const closing = c + 2 // ASCII: `}` is `{` + 2 and `]` is `[` + 2.
        openContainers[level] = closing
        i = this.skipSpace(i + 1)
        if (i >= end || buf[i] !== closing) {
          if (c === OPEN_BRACE) i = this.skipKey(i)
          continue
        }
        i++
        level--
      } else if (c === MINUS || (c >= 0x30 && c <= 0x39)) {
        i = this.#skipNumber(i)
      } else {
        i = this.#skipWord(i)
      }
      // A value ended at i: close finished containers, or go to the next member.
      for (;;) {
        if (level === 0) return i
        i = this.skipSpace(i)
        const d = i < end ? buf[i]! : 0
        const closing = openContainers[level]!
        if (d === COMMA) {
          i = this.skipSpace(i + 1)
          if (closing === CLOSE_BRACE) i = this.skipKey(i)
          break
        }
        if (d !== closing) throw malformed(i, 'expected a comma or a closing bracket')
        level--
        i++
      }
    }
  }

  /** `at` must be the start of a key; returns the index of its value. */
  skipKey(at: number): number {
    if (at >= this.#end || this.#buf[at] !== QUOTE) throw malformed(at, 'expected a key')
    return this.skipColon(this.skipString(at))
  }

  /** `at` points after a key; returns the index of its value. */
  skipColon(at: number): number {
    const i = this.skipSpace(at)
    if (i >= this.#end || this.#buf[i] !== COLON) throw malformed(i, 'expected a colon')
    return this.skipSpace(i + 1)
  }

  /**
   * Decodes the string with quotes at `start` and `end - 1`. An escape may encode a lone surrogate, which UTF-8
   * cannot represent: it becomes U+FFFD here, so that all layers see the same text.
   */
  stringAt(start: number, end: number): string {
    const text = this.rawStringAt(start, end)
    return text.isWellFormed() ? text : text.toWellFormed()
  }

  /** Like `stringAt`, but keeps lone surrogates, as Python does when it computes digests. */
  rawStringAt(start: number, end: number): string {
    const text = this.#buf.toString('utf8', start + 1, end - 1)
    return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
  }
}

function isHex(c: number): boolean {
  return (c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66)
}
