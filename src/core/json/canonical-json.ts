import type { RawJson } from '../../contract/raw-json.ts'
import { Scanner } from './scan.ts'

/**
 * Canonical JSON, the input of digests: byte for byte what Python's `json.dumps(value, sort_keys=True)` writes.
 * Clients compute the same digests, so a float stays a float, integers keep all their digits and keys are sorted by
 * code point.
 */
export function canonicalJson(raw: RawJson, mapString: (value: string) => string = (value) => value): string {
  return new CanonicalWriter(raw.bytes, mapString).document()
}

class CanonicalWriter {
  readonly #bytes: Buffer
  readonly #scan: Scanner
  /** Applied to each string value; digests replace refs with their internal form. */
  readonly #mapString: (value: string) => string
  #at = 0

  constructor(bytes: Buffer, mapString: (value: string) => string) {
    this.#bytes = bytes
    this.#scan = new Scanner(bytes)
    this.#mapString = mapString
  }

  document(): string {
    this.#at = this.#scan.skipSpace(0)
    return this.#value()
  }

  #value(): string {
    const c = this.#bytes[this.#at]
    if (c === 0x22) return quote(this.#mapString(this.#string()))
    if (c === 0x7b) return this.#object()
    if (c === 0x5b) return this.#array()
    const start = this.#at
    this.#at = this.#scan.skipValue(start, 0)
    const lexeme = this.#bytes.toString('latin1', start, this.#at)
    return c === 0x74 || c === 0x66 || c === 0x6e ? lexeme : canonicalNumber(lexeme)
  }

  #string(): string {
    const start = this.#at
    this.#at = this.#scan.skipString(start)
    return this.#scan.rawStringAt(start, this.#at)
  }

  #object(): string {
    // The last value of a repeated key wins, as in Python.
    const members = new Map<string, string>()
    this.#at = this.#scan.skipSpace(this.#at + 1)
    while (this.#bytes[this.#at] === 0x22) {
      const key = this.#string()
      this.#at = this.#scan.skipColon(this.#at)
      members.set(key, this.#value())
      this.#toNext()
    }
    this.#at++
    const keys = [...members.keys()].sort(byCodePoint)
    return `{${keys.map((key) => `${quote(key)}: ${members.get(key)!}`).join(', ')}}`
  }

  #array(): string {
    const items: string[] = []
    this.#at = this.#scan.skipSpace(this.#at + 1)
    while (this.#bytes[this.#at] !== 0x5d) {
      items.push(this.#value())
      this.#toNext()
    }
    this.#at++
    return `[${items.join(', ')}]`
  }

  #toNext(): void {
    this.#at = this.#scan.skipSpace(this.#at)
    if (this.#bytes[this.#at] === 0x2c) this.#at = this.#scan.skipSpace(this.#at + 1)
  }
}

/** Python compares strings by code point, JavaScript by UTF-16 unit, where U+1F600 sorts before U+FFFF. */
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    // The strings are equal up to here, so half of a surrogate pair sorts above every other unit.
    const xIsAstral = isSurrogatePair(a, i)
    const yIsAstral = isSurrogatePair(b, i)
    return xIsAstral === yIsAstral ? x - y : xIsAstral ? 1 : -1
  }
  return a.length - b.length
}

/** Whether the unit is half of a surrogate pair. A lone surrogate counts as its own code point. */
function isSurrogatePair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit >= 0xd800 && unit < 0xdc00) return isLow(text.charCodeAt(at + 1))
  return isLow(unit) && at > 0 && text.charCodeAt(at - 1) >= 0xd800 && text.charCodeAt(at - 1) < 0xdc00
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}

const PLAIN_ASCII = /^[\u0020-\u007e]*$/

/** A JSON string literal in ASCII. */
function quote(value: string): string {
  const quoted = JSON.stringify(value)
  if (PLAIN_ASCII.test(quoted)) return quoted
  return quoted.replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Integers keep their digits; numbers with a point or an exponent become Python's `repr` of the double. */
function canonicalNumber(lexeme: string): string {
  if (!/[.eE]/.test(lexeme)) return lexeme === '-0' ? '0' : lexeme
  const value = Number(lexeme)
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const [digits, exponentText] = value.toExponential().split('e') as [string, string]
  const exponent = Number(exponentText)
  if (exponent >= 16 || exponent < -4) {
    return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  return plainFloat(digits, exponent)
}

function plainFloat(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : ''
  const digits = mantissa.replace(/[-.]/g, '')
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}
