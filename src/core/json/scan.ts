import { Problem } from '../../contract/problem.ts'

/**
 * The one reader of JSON text that clients send. It walks bytes, checks that they are valid JSON and finds where
 * each value ends, without building anything. Payloads are never parsed into JS values: that is what keeps
 * numbers exact, and it is cheaper (clickhouse.md: raw slices 27 µs a call, parse and re-emit 50).
 */

/** simdjson, inside the engine, would go deeper; recursion in readers and browsers would not. */
export const MAX_DEPTH = 200

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

export function malformed(at: number, what: string): Problem {
  return new Problem('invalid_request', `the body is not valid JSON: ${what} at byte ${at}`)
}

export function tooDeep(): Problem {
  return new Problem('too_large', `the JSON is nested deeper than ${MAX_DEPTH} levels`)
}

/** Index of the first byte that is not white space. */
export function skipSpace(buf: Buffer, at: number): number {
  let i = at
  for (;;) {
    const c = buf[i]
    if (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) i++
    else return i
  }
}

/** `at` is on the opening quote; returns the index after the closing one. */
export function skipString(buf: Buffer, at: number): number {
  let i = at + 1
  for (;;) {
    const c = buf[i]
    if (c === QUOTE) return i + 1
    if (c === BACKSLASH) {
      i = skipEscape(buf, i)
    } else if (c === undefined) {
      throw malformed(i, 'a string does not end')
    } else if (c < 0x20) {
      throw malformed(i, 'a control character in a string')
    } else {
      i++
    }
  }
}

function skipEscape(buf: Buffer, at: number): number {
  switch (buf[at + 1]) {
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
      for (let i = at + 2; i < at + 6; i++) if (!isHex(buf[i])) throw malformed(i, 'a broken \\u escape')
      return at + 6
    default:
      throw malformed(at, 'an unknown escape')
  }
}

function isHex(c: number | undefined): boolean {
  return c !== undefined && ((c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66))
}

function isDigit(c: number | undefined): boolean {
  return c !== undefined && c >= 0x30 && c <= 0x39
}

/** `at` is on `-` or a digit; returns the index after the number. */
export function skipNumber(buf: Buffer, at: number): number {
  let i = buf[at] === 0x2d ? at + 1 : at
  if (buf[i] === 0x30) i++
  else if (isDigit(buf[i])) while (isDigit(buf[i])) i++
  else throw malformed(i, 'a broken number')
  if (buf[i] === 0x2e) {
    i++
    if (!isDigit(buf[i])) throw malformed(i, 'a broken number')
    while (isDigit(buf[i])) i++
  }
  if (buf[i] === 0x65 || buf[i] === 0x45) {
    i++
    if (buf[i] === 0x2b || buf[i] === 0x2d) i++
    if (!isDigit(buf[i])) throw malformed(i, 'a broken number')
    while (isDigit(buf[i])) i++
  }
  return i
}

const WORDS: ReadonlyMap<number, string> = new Map([
  [0x74, 'true'],
  [0x66, 'false'],
  [0x6e, 'null'],
])

export function skipWord(buf: Buffer, at: number): number {
  const word = WORDS.get(buf[at] ?? 0)
  if (word === undefined || buf.toString('latin1', at, at + word.length) !== word) {
    throw malformed(at, at >= buf.length ? 'the end' : 'an unexpected character')
  }
  return at + word.length
}

/** Index after the value that begins at `at` (white space already skipped). `depth` is how deep `at` stands. */
export function skipValue(buf: Buffer, at: number, depth: number): number {
  const c = buf[at]
  if (c === QUOTE) return skipString(buf, at)
  if (c === OPEN_BRACE || c === OPEN_BRACKET) return skipNested(buf, at, depth)
  if (c === 0x2d || isDigit(c)) return skipNumber(buf, at)
  return skipWord(buf, at)
}

/**
 * Containers, without recursion. The stack holds what is open (one bit a level would do; a small array is as
 * quick). `i` always stands where a value, or the end of an empty container, may come.
 */
function skipNested(buf: Buffer, at: number, depth: number): number {
  const open: boolean[] = [] // true: object
  let i = at
  for (;;) {
    // a value begins at i
    const c = buf[i]
    if (c === OPEN_BRACE) {
      open.push(true)
      if (open.length + depth > MAX_DEPTH) throw tooDeep()
      i = skipSpace(buf, i + 1)
      if (buf[i] !== CLOSE_BRACE) {
        i = skipKey(buf, i)
        continue
      }
      i++
      open.pop()
    } else if (c === OPEN_BRACKET) {
      open.push(false)
      if (open.length + depth > MAX_DEPTH) throw tooDeep()
      i = skipSpace(buf, i + 1)
      if (buf[i] !== CLOSE_BRACKET) continue
      i++
      open.pop()
    } else if (c === QUOTE) {
      i = skipString(buf, i)
    } else if (c === 0x2d || isDigit(c)) {
      i = skipNumber(buf, i)
    } else {
      i = skipWord(buf, i)
    }
    // a value has ended at i: close what ends here, or go to the next member
    for (;;) {
      if (open.length === 0) return i
      const inObject = open[open.length - 1] === true
      i = skipSpace(buf, i)
      const d = buf[i]
      if (d === COMMA) {
        i = skipSpace(buf, i + 1)
        if (inObject) i = skipKey(buf, i)
        break
      }
      if (d !== (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) throw malformed(i, 'a comma or a closing bracket is missing')
      open.pop()
      i++
    }
  }
}

/** `at` is where a key must begin; returns the index of its value. */
export function skipKey(buf: Buffer, at: number): number {
  if (buf[at] !== QUOTE) throw malformed(at, 'a key is missing')
  const i = skipSpace(buf, skipString(buf, at))
  if (buf[i] !== COLON) throw malformed(i, 'a colon is missing')
  return skipSpace(buf, i + 1)
}

/** The text of a string whose quotes are at `start` and `end - 1`. */
export function stringAt(buf: Buffer, start: number, end: number): string {
  const text = buf.toString('utf8', start + 1, end - 1)
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
}
