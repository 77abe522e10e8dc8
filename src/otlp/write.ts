import { RawJson } from '../contract/raw-json.ts'
import { writeJson } from '../core/json/write.ts'
import type { Json } from './json.ts'

/** Writes JSON with long texts, which prompts are. */

/** `writeJson` for values that contain long texts. */
export function writeTexts(value: Json): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return writeJson(value)
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(writeTexts).join(',')}]`
  let members = ''
  for (const [key, member] of Object.entries(value))
    if (member !== undefined) members += `${members === '' ? '' : ','}${quoteKey(key)}:${writeTexts(member)}`
  return `{${members}}`
}

/** Shorter texts are left to `writeJson`. */
const MIN_LONG_TEXT = 65
/** A text with more escapes than one in this many characters is quoted faster by `JSON.stringify`. */
const CHARACTERS_PER_ESCAPE = 32
/** Control characters other than the line feed, which texts are full of. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/

/** `JSON.stringify` for a text. It takes 2 ns per character; most texts have little to escape, which is found natively. */
export function quote(text: string): string {
  if (text.length < MIN_LONG_TEXT) return writeJson(text)
  if (CONTROL.test(text) || !text.isWellFormed()) return JSON.stringify(text)
  let quoted = '"'
  let copied = 0
  let left = text.length / CHARACTERS_PER_ESCAPE
  let quoteAt = find(text, '"', 0)
  let backslashAt = find(text, '\\', 0)
  let lineFeedAt = find(text, '\n', 0)
  for (;;) {
    const at = Math.min(quoteAt, backslashAt, lineFeedAt)
    if (at === Infinity) return `${quoted}${text.slice(copied)}"`
    if (--left < 0) return JSON.stringify(text)
    quoted += `${text.slice(copied, at)}${at === lineFeedAt ? '\\n' : at === quoteAt ? '\\"' : '\\\\'}`
    copied = at + 1
    if (at === quoteAt) quoteAt = find(text, '"', copied)
    else if (at === backslashAt) backslashAt = find(text, '\\', copied)
    else lineFeedAt = find(text, '\n', copied)
  }
}

function find(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from)
  return at === -1 ? Infinity : at
}

/** Keys are few, and the same in all spans of a program. */
const MAX_KNOWN_KEYS = 1000
const MAX_KEY_CHARACTERS = 100
const knownKeys = new Map<string, string>()

export function quoteKey(key: string): string {
  const known = knownKeys.get(key)
  if (known !== undefined) return known
  const quoted = writeJson(key)
  if (key.length <= MAX_KEY_CHARACTERS && knownKeys.size < MAX_KNOWN_KEYS) knownKeys.set(key, quoted)
  return quoted
}
