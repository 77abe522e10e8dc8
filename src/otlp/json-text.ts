import { randomBytes } from 'node:crypto'
import { RawJson } from '../contract/raw-json.ts'
import { type Json, MAX_VALUE_DEPTH } from './json.ts'

/**
 * Reads JSON that instrumentations put into strings. Numbers that `JSON.parse` would change (`1.0`, many digits,
 * exponents) become `RawJson`. Undefined for a text that is no JSON, or nested too deeply.
 */
export function parseJsonText(text: string): Json | undefined {
  const { depth, exceptions } = scanNumbers(text)
  if (depth > MAX_VALUE_DEPTH) return undefined
  try {
    return exceptions.length === 0 ? (JSON.parse(text) as Json) : parseExactly(text, exceptions)
  } catch {
    return undefined
  }
}

/** Whether a string is worth the attempt to parse it: it starts like an object, a list or a string. */
export function looksLikeJson(text: string): boolean {
  let i = 0
  while (i < text.length && text.charCodeAt(i) <= 0x20) i++
  const first = text.charCodeAt(i)
  return first === 0x7b || first === 0x5b || first === 0x22
}

/** Tokens that `JSON.parse` would change or reject, as pairs of start and end. */
interface NumberScan {
  readonly depth: number
  readonly exceptions: readonly number[]
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d

/** Strings are skipped natively, so the cost depends on the number of tokens and not on the length of the texts. */
function scanNumbers(text: string): NumberScan {
  const exceptions: number[] = []
  let depth = 0
  let maxDepth = 0
  for (let i = 0; i < text.length;) {
    const c = text.charCodeAt(i)
    if (c === QUOTE) {
      i = stringEnd(text, i + 1)
      continue
    }
    if (c === 0x7b || c === 0x5b) maxDepth = Math.max(maxDepth, ++depth)
    else if (c === 0x7d || c === 0x5d) depth--
    else if (c === MINUS || (c >= 0x30 && c <= 0x39) || c === 0x4e || c === 0x49) {
      const end = tokenEnd(text, i + 1)
      if (!isCanonical(text, i, end)) exceptions.push(i, end)
      i = end
      continue
    }
    i++
  }
  return { depth: maxDepth, exceptions }
}

/** The index after the closing quote. */
function stringEnd(text: string, start: number): number {
  for (let from = start; ;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return text.length
    let slashes = 0
    while (quote - 1 - slashes >= start && text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote + 1
    from = quote + 1
  }
}

/** Numbers, and the `NaN` and `Infinity` of Python. */
function tokenEnd(text: string, start: number): number {
  let i = start
  while (i < text.length) {
    const c = text.charCodeAt(i)
    const isPart =
      (c >= 0x30 && c <= 0x39) ||
      c === 0x2e ||
      c === 0x2b ||
      c === MINUS ||
      (c >= 0x41 && c <= 0x7a && c !== 0x5d && c !== 0x5b)
    if (!isPart) break
    i++
  }
  return i
}

function isCanonical(text: string, start: number, end: number): boolean {
  if (end - start > 32) return false
  const token = text.slice(start, end)
  return String(Number(token)) === token && token !== 'NaN' && !token.endsWith('Infinity')
}

const NON_FINITE: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity'])
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Random, so that no text of a sender begins with it; a search for an unused mark could take minutes for one that contains many. */
const mark = `#${randomBytes(9).toString('base64url')}#`

/** Puts marked strings in place of the numbers, and takes the marks off again. */
function parseExactly(text: string, exceptions: readonly number[]): Json {
  let marked = ''
  let copied = 0
  for (let i = 0; i < exceptions.length; i += 2) {
    const [start, end] = [exceptions[i]!, exceptions[i + 1]!]
    const token = text.slice(start, end)
    const replacement = NON_FINITE.has(token) ? 'null' : NUMBER.test(token) ? `"${mark}${token}"` : token
    marked += `${text.slice(copied, start)}${replacement}`
    copied = end
  }
  marked += text.slice(copied)
  return JSON.parse(marked, (_, value: Json) =>
    typeof value === 'string' && value.startsWith(mark) ? RawJson.fromText(value.slice(mark.length)) : value,
  ) as Json
}
