/** Integers of a JSON document that a double cannot hold. */

/** Thrown by a reader that needs such an integer: `JSON.parse` has changed it. */
export class InexactNumber extends Error {}

/** Shorter ones are exact. */
const MIN_DIGITS = 16

const QUOTE = 0x22
const MINUS = 0x2d

/** Writes long integers as strings, which OTLP accepts in their place. The text must be valid JSON. */
export function quoteLongIntegers(json: string): string {
  const parts: string[] = []
  let copied = 0
  for (let i = 0; i < json.length; i++) {
    const c = json.charCodeAt(i)
    if (c === QUOTE) i = stringEnd(json, i)
    else if (c === MINUS || isDigit(c)) {
      const end = numberEnd(json, i)
      if (end - i >= MIN_DIGITS && isInteger(json, i, end)) {
        parts.push(json.slice(copied, i), '"', json.slice(i, end), '"')
        copied = end
      }
      i = end - 1
    }
  }
  parts.push(json.slice(copied))
  return parts.join('')
}

/** Index of the closing quote. */
function stringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return json.length
}

function numberEnd(json: string, start: number): number {
  let end = start + 1
  while (end < json.length && isInNumber(json.charCodeAt(end))) end++
  return end
}

function isInteger(json: string, start: number, end: number): boolean {
  for (let i = start + 1; i < end; i++) if (!isDigit(json.charCodeAt(i))) return false
  return true
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39
}

/** Digits, `.`, `e`, `E`, `+`, `-`. */
function isInNumber(c: number): boolean {
  return isDigit(c) || c === 0x2e || c === 0x65 || c === 0x45 || c === 0x2b || c === MINUS
}
