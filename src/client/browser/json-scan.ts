/**
 * Scanner for JSON text that parses nothing into values. The text must be valid JSON: it comes from the server, which
 * has checked every byte, or has passed `JSON.parse`. Positions are passed in and returned.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** The kind of value that starts at `at`, which must not be white space. */
export function kindAt(text: string, at: number): JsonKind {
  switch (text.charCodeAt(at)) {
    case OPEN_BRACE:
      return 'object'
    case OPEN_BRACKET:
      return 'array'
    case QUOTE:
      return 'string'
    case 0x74:
    case 0x66:
      return 'boolean'
    case 0x6e:
      return 'null'
    default:
      return 'number'
  }
}

export function skipSpace(text: string, at: number): number {
  let i = at
  while (i < text.length && text.charCodeAt(i) <= 0x20) i++
  return i
}

/** `at` is on the opening quote. Returns the index after the closing quote, or the end of truncated text. */
function skipString(text: string, at: number): number {
  let from = at + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return text.length
    let slash = quote - 1
    while (slash > at && text.charCodeAt(slash) === BACKSLASH) slash--
    // After an even number of backslashes the quote is not escaped.
    if ((quote - 1 - slash) % 2 === 0) return quote + 1
    from = quote + 1
  }
}

/** `at` is on the first character of a value. Returns the index after the last one. */
export function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at)
  if (first === QUOTE) return skipString(text, at)
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return skipWord(text, at)
  let depth = 0
  let i = at
  for (const { length } = text; i < length; i++) {
    const c = text.charCodeAt(i)
    if (c === QUOTE) i = skipString(text, i) - 1
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) depth++
    else if ((c === CLOSE_BRACE || c === CLOSE_BRACKET) && --depth === 0) return i + 1
  }
  return i
}

function skipWord(text: string, at: number): number {
  let i = at
  for (; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === COMMA || c === CLOSE_BRACE || c === CLOSE_BRACKET || c <= 0x20) break
  }
  return i
}

/**
 * Visits each item of the array or member of the object at `at`: the positions of its key (or -1) and value, and its
 * end. A visitor that returns false stops. Returns the index after the container.
 */
export function eachChild(
  text: string,
  at: number,
  visit: (keyAt: number, valueAt: number, end: number) => boolean | void,
): number {
  const isObject = text.charCodeAt(at) === OPEN_BRACE
  let i = skipSpace(text, at + 1)
  while (i < text.length) {
    const c = text.charCodeAt(i)
    if (c === CLOSE_BRACE || c === CLOSE_BRACKET) return i + 1
    if (c === COMMA) {
      i = skipSpace(text, i + 1)
      continue
    }
    const keyAt = isObject ? i : -1
    // The key is followed by a colon, with optional white space.
    const valueAt = isObject ? skipSpace(text, skipSpace(text, skipString(text, i)) + 1) : i
    const end = skipValue(text, valueAt)
    if (visit(keyAt, valueAt, end) === false) return end
    i = skipSpace(text, end)
  }
  return i
}

/** Decodes the JSON string at `at`, which is on the opening quote. */
export function stringAt(text: string, at: number, end = skipString(text, at)): string {
  const inner = text.slice(at + 1, end - 1)
  return inner.includes('\\') ? (JSON.parse(text.slice(at, end)) as string) : inner
}
