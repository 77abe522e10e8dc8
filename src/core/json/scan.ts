import { ApiError } from '../../contract/api-error.ts'

/**
 * The one reader of JSON text that clients send. It walks bytes, checks that they are valid JSON and finds where
 * each value ends, without building anything. Payloads are never parsed into JS values: that is what keeps
 * numbers exact, and it is cheaper (clickhouse.md: raw slices 27 µs a call, parse and re-emit 50).
 *
 * It sees every byte that comes in, so it is written for speed: strings four bytes at a time (497 MB/s where a
 * byte loop made 208), no arrays, no closures. Bodies of 100 calls are read at 280 MB/s by one core where
 * JSON.parse makes 130 (`npx tsx bench/json.ts`).
 */

/** simdjson, inside the engine, would go deeper; recursion in readers and browsers would not. */
export const MAX_DEPTH = 200

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const MINUS = 0x2d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b

/** 1 for the bytes at which a string cannot simply go on: quote, backslash, control characters. */
const STOPS = new Uint8Array(256).fill(1, 0, 0x20)
STOPS[QUOTE] = 1
STOPS[BACKSLASH] = 1

/** The closing byte of each container that is open. Scanning never yields, so one stack serves all. */
const open = new Uint8Array(MAX_DEPTH + 1)

export function malformed(at: number, what: string): ApiError {
  return new ApiError('invalid_request', `the body is not valid JSON: ${what} at byte ${at}`)
}

export function tooDeep(): ApiError {
  return new ApiError('too_large', `the JSON is nested deeper than ${MAX_DEPTH} levels`)
}

/** Walks over one document. Positions are passed in and returned; a position is always within the document. */
export class Scanner {
  readonly #buf: Buffer
  readonly #end: number
  /** The same memory as aligned 32-bit words; `#shift` is how far the document starts into the first one. */
  readonly #words: Int32Array
  readonly #shift: number
  /** Where NaN and the like were met (start, end, …); undefined where they are not tolerated. */
  #oddities: number[] | undefined
  /** Whether a long number, an exponent or an escaped surrogate was met since `takeIsPlain`. */
  #isPlain = true

  constructor(buf: Buffer) {
    this.#buf = buf
    this.#end = buf.length
    this.#shift = buf.byteOffset & 3
    this.#words = new Int32Array(buf.buffer, buf.byteOffset - this.#shift, (buf.length + this.#shift) >> 2)
  }

  /** Index of the first byte that is not white space. */
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

  /** `at` is on the opening quote; returns the index after the closing one. */
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
      if (i >= end) throw malformed(end, 'a string does not end')
      const c = buf[i]!
      if (c === QUOTE) return i + 1
      if (c !== BACKSLASH) throw malformed(i, 'a control character in a string')
      i = this.#skipEscape(i)
    }
  }

  #skipEscape(at: number): number {
    if (at + 1 >= this.#end) throw malformed(this.#end, 'a string does not end')
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
          if (i >= this.#end || !isHex(this.#buf[i]!)) throw malformed(i, 'a broken \\u escape')
        }
        if ((this.#buf[at + 2]! | 0x20) === 0x64) this.#isPlain = false
        return at + 6
      default:
        throw malformed(at, 'an unknown escape')
    }
  }

  /** `at` is on `-` or a digit; returns the index after the number. */
  #skipNumber(at: number): number {
    const buf = this.#buf
    let i = at
    if (buf[i] === MINUS) {
      i++
      if (i < this.#end && buf[i] === 0x49) return this.#skipOddity(at)
    }
    if (i < this.#end && buf[i] === 0x30) i++
    else i = this.#skipDigits(i)
    if (i < this.#end && buf[i] === 0x2e) i = this.#skipDigits(i + 1)
    if (i < this.#end && (buf[i] === 0x65 || buf[i] === 0x45)) {
      i++
      this.#isPlain = false
      if (i < this.#end && (buf[i] === 0x2b || buf[i] === MINUS)) i++
      i = this.#skipDigits(i)
    }
    if (i - at > 18) this.#isPlain = false
    return i
  }

  #skipDigits(at: number): number {
    const buf = this.#buf
    let i = at
    while (i < this.#end && buf[i]! >= 0x30 && buf[i]! <= 0x39) i++
    if (i === at) throw malformed(i, 'a broken number')
    return i
  }

  #skipWord(at: number): number {
    if (at >= this.#end) throw malformed(at, 'the end')
    switch (this.#buf[at]) {
      case 0x74:
        if (this.#standsAt(at, 'true')) return at + 4
        break
      case 0x66:
        if (this.#standsAt(at, 'false')) return at + 5
        break
      case 0x6e:
        if (this.#standsAt(at, 'null')) return at + 4
        break
      case 0x4e:
      case 0x49:
        return this.#skipOddity(at)
      default:
    }
    throw malformed(at, 'an unexpected character')
  }

  /**
   * Python's `json.dumps` writes NaN, Infinity and -Infinity, which JSON does not have. An SDK drops its whole
   * batch on 400, so inside payloads the three are tolerated and kept as null.
   */
  #skipOddity(at: number): number {
    const word = this.#buf[at] === 0x4e ? 'NaN' : this.#buf[at] === MINUS ? '-Infinity' : 'Infinity'
    if (this.#oddities === undefined || !this.#standsAt(at, word)) {
      throw malformed(at, 'an unexpected character (NaN and Infinity are not JSON)')
    }
    this.#oddities.push(at, at + word.length)
    return at + word.length
  }

  #standsAt(at: number, word: string): boolean {
    if (at + word.length > this.#end) return false
    for (let i = 0; i < word.length; i++) if (this.#buf[at + i] !== word.charCodeAt(i)) return false
    return true
  }

  /** Index after the value that begins at `at` (white space already skipped). `depth` is how deep `at` stands. */
  skipValue(at: number, depth: number): number {
    if (at >= this.#end) throw malformed(at, 'the end')
    const c = this.#buf[at]!
    if (c === QUOTE) return this.skipString(at)
    if (c === OPEN_BRACE || c === OPEN_BRACKET) return this.#skipNested(at, depth)
    if (c === MINUS || (c >= 0x30 && c <= 0x39)) return this.#skipNumber(at)
    return this.#skipWord(at)
  }

  /** Whether what was walked over since the last time needs no closer look by core/json/query-form.ts. */
  takeIsPlain(): boolean {
    const isPlain = this.#isPlain
    this.#isPlain = true
    return isPlain
  }

  /** As `skipValue`, tolerant of NaN and Infinity; `odd` is told where they stand. */
  skipPayload(at: number, depth: number, odd: number[]): number {
    this.#oddities = odd
    const end = this.skipValue(at, depth)
    this.#oddities = undefined
    return end
  }

  /** Containers, without recursion. `i` always stands where a value, or the end of an empty container, may come. */
  #skipNested(at: number, depth: number): number {
    const buf = this.#buf
    const end = this.#end
    let level = 0
    let i = at
    for (;;) {
      // a value begins at i
      const c = i < end ? buf[i]! : 0
      if (c === QUOTE) {
        i = this.skipString(i)
      } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
        if (++level + depth > MAX_DEPTH) throw tooDeep()
        const closing = c + 2 // in ASCII both closing ones stand two after their opening ones
        open[level] = closing
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
      // a value has ended at i: close what ends here, or go to the next member
      for (;;) {
        if (level === 0) return i
        i = this.skipSpace(i)
        const d = i < end ? buf[i]! : 0
        const closing = open[level]!
        if (d === COMMA) {
          i = this.skipSpace(i + 1)
          if (closing === CLOSE_BRACE) i = this.skipKey(i)
          break
        }
        if (d !== closing) throw malformed(i, 'a comma or a closing bracket is missing')
        level--
        i++
      }
    }
  }

  /** `at` is where a key must begin; returns the index of its value. */
  skipKey(at: number): number {
    if (at >= this.#end || this.#buf[at] !== QUOTE) throw malformed(at, 'a key is missing')
    return this.skipColon(this.skipString(at))
  }

  /** `at` is after a key; returns the index of its value. */
  skipColon(at: number): number {
    const i = this.skipSpace(at)
    if (i >= this.#end || this.#buf[i] !== COLON) throw malformed(i, 'a colon is missing')
    return this.skipSpace(i + 1)
  }

  /**
   * The text of a string whose quotes are at `start` and `end - 1`. An escape may hold half a surrogate pair,
   * which has no bytes in UTF-8: it becomes U+FFFD here, once, so that all rooms see the same text.
   */
  stringAt(start: number, end: number): string {
    const text = this.spelledAt(start, end)
    return text.isWellFormed() ? text : text.toWellFormed()
  }

  /** The same with half surrogate pairs as they are, for digests: Python hashes them so. */
  spelledAt(start: number, end: number): string {
    const text = this.#buf.toString('utf8', start + 1, end - 1)
    return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
  }
}

function isHex(c: number): boolean {
  return (c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66)
}
