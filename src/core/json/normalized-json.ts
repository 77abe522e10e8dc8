import type { RawJson } from '../../contract/raw-json.ts'

/**
 * Normalizes JSON for ClickHouse, whose JSON functions return nothing for a document with an integer beyond 64
 * bits, a number beyond Float64 or a lone surrogate. Such a document is stored twice: as sent, and normalized, with
 * those numbers as strings of their digits and those surrogates as U+FFFD. Returns undefined for a document that
 * needs no change.
 *
 * Every payload of every call passes through here, so `mayNeedNormalizing` must be fast: it samples every third
 * byte, and only documents with a possible hit are rewritten.
 */
export function normalizedJson(bytes: Buffer): Buffer | undefined {
  return mayNeedNormalizing(bytes) ? rewrite(bytes) : undefined
}

/** The same for a payload that the request reader has scanned; most are known to need no change. */
export function normalizedPayload(raw: RawJson): Buffer | undefined {
  return raw.isNormalized ? undefined : normalizedJson(raw.bytes)
}

const UNICODE_ESCAPE = Buffer.from('\\u')

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39
}

/**
 * A number out of range has a run of three digits after an `e`, or of 20 digits (19 after a minus), so sampling every
 * third byte hits the run. 19 digits without a minus, such as a time in nanoseconds, are in range.
 */
function mayNeedNormalizing(bytes: Buffer): boolean {
  const length = bytes.length
  for (let i = 2; i < length; i += 3) {
    const c = bytes[i]!
    if (c < 0x30 || c > 0x39) continue
    let start = i - 1
    while (start >= 0 && isDigit(bytes[start]!)) start--
    let end = i + 1
    while (end < length && isDigit(bytes[end]!)) end++
    const digits = end - start - 1
    if (digits >= 3 && start >= 0) {
      const before = bytes[start]!
      if (digits >= 19 && (digits > 19 || before === MINUS)) return true
      if (((before | 0x20) === 0x65 || before === 0x2b) && isExponent(bytes, start)) return true
    } else if (digits > 19) {
      return true
    }
    i = end
  }
  return hasLoneSurrogate(bytes)
}

/** Whether an escaped surrogate has no other half. Python escapes all non-ASCII characters, so pairs are common. */
function hasLoneSurrogate(bytes: Buffer): boolean {
  const length = bytes.length
  let i = bytes.indexOf(UNICODE_ESCAPE)
  if (i === -1) return false
  // Starts at the first backslash of a run: the one before the u may itself be escaped.
  while (i > 0 && bytes[i - 1] === BACKSLASH) i--
  while (i < length) {
    if (bytes[i] !== BACKSLASH) {
      i++
    } else if (bytes[i + 1] !== 0x75) {
      i += 2
    } else {
      const surrogate = surrogateAt(bytes, i)
      if (surrogate === 'low' || (surrogate === 'high' && surrogateAt(bytes, i + 6) !== 'low')) return true
      i += surrogate === 'high' ? 12 : 6
    }
  }
  return false
}

/** The half of a surrogate pair that the escape at `at` encodes: D800 to DBFF are high, DC00 to DFFF low. */
function surrogateAt(bytes: Buffer, at: number): 'high' | 'low' | undefined {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== 0x75 || (bytes[at + 2]! | 0x20) !== 0x64) return undefined
  const c = bytes[at + 3]! | 0x20
  if (c < 0x38) return undefined
  return c >= 0x63 ? 'low' : 'high'
}

/** `at` points at the `e` or at the plus sign after it. */
function isExponent(bytes: Buffer, at: number): boolean {
  const e = bytes[at] === 0x2b ? at - 1 : at
  return e >= 1 && (bytes[e]! | 0x20) === 0x65 && isDigit(bytes[e - 1]!)
}

/** Copies the document with replacements; undefined if there were none. */
function rewrite(bytes: Buffer): Buffer | undefined {
  const output = new Rewriter(bytes)
  const replace: Replace = (start, end, text) => output.replace(start, end, text)
  for (let i = 0; i < bytes.length;) {
    const c = bytes[i]!
    if (c === QUOTE) {
      i = normalizeString(bytes, i + 1, replace)
    } else if (c === MINUS || isDigit(c)) {
      const end = numberEnd(bytes, i + 1)
      const lexeme = bytes.toString('latin1', i, end)
      if (isOutOfRange(lexeme)) output.replace(i, end, `"${lexeme}"`)
      i = end
    } else {
      i++
    }
  }
  return output.end()
}

/** A document may be nothing but numbers that are replaced, so one buffer is written instead of collecting slices. */
class Rewriter {
  readonly #bytes: Buffer
  #output: Buffer | undefined
  #at = 0
  #copied = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  replace(start: number, end: number, text: string): void {
    // A number that is quoted has at least five characters, and an escape keeps its length.
    const output = (this.#output ??= Buffer.allocUnsafe(Math.ceil(this.#bytes.length * 1.4) + 2))
    this.#at += this.#bytes.copy(output, this.#at, this.#copied, start)
    this.#at += output.write(text, this.#at, 'latin1')
    this.#copied = end
  }

  end(): Buffer | undefined {
    if (this.#output === undefined) return undefined
    this.#at += this.#bytes.copy(this.#output, this.#at, this.#copied)
    return this.#output.subarray(0, this.#at)
  }
}

type Replace = (start: number, end: number, text: string) => void

/** `at` points after the opening quote; returns the index after the closing one. */
function normalizeString(bytes: Buffer, at: number, replace: Replace): number {
  let i = at
  while (i < bytes.length && bytes[i] !== QUOTE) {
    if (bytes[i] !== BACKSLASH) {
      i++
    } else if (bytes[i + 1] !== 0x75) {
      i += 2
    } else {
      const half = surrogateAt(bytes, i)
      const isPair = half === 'high' && surrogateAt(bytes, i + 6) === 'low'
      if (half !== undefined && !isPair) replace(i, i + 6, '\\ufffd')
      i += isPair ? 12 : 6
    }
  }
  return i + 1
}

function numberEnd(bytes: Buffer, at: number): number {
  let i = at
  while (i < bytes.length) {
    const c = bytes[i]!
    if (!isDigit(c) && c !== 0x2e && c !== 0x2b && c !== MINUS && (c | 0x20) !== 0x65) break
    i++
  }
  return i
}

const MIN_INT64 = -(2n ** 63n)
const MAX_UINT64 = 2n ** 64n - 1n

function isOutOfRange(lexeme: string): boolean {
  if (/[.eE]/.test(lexeme)) return !Number.isFinite(Number(lexeme))
  if (lexeme.length < 19) return false
  // Certainly out of range; converting a million digits to BigInt would be slow.
  if (lexeme.length > 20) return true
  const value = BigInt(lexeme)
  return value < MIN_INT64 || value > MAX_UINT64
}
