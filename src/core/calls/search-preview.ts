import { foldedCode } from './case-folding.ts'

/** An excerpt around the first match of a search. Offsets are in UTF-16 code units. */
export interface SearchPreview {
  readonly excerpt: string
  /** Start of the excerpt within the text. */
  readonly offset: number
  /** Matches within the excerpt, `[from, to)`. */
  readonly ranges: [number, number][]
  /** Matches in the whole text, at most 100. */
  readonly count: number
}

const CONTEXT_BEFORE = 60
const MAX_EXCERPT = 240
const MAX_HITS = 100

/**
 * The text of a JSON document with escapes decoded, as search matches it. Backslashes occur only inside strings, so
 * the document need not be parsed.
 */
export function unescapeJson(json: string): string {
  if (!json.includes('\\')) return json
  return json.replaceAll(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_all, hex?: string, short?: string) =>
    hex === undefined
      ? (SHORT_ESCAPES.get(short ?? '') ?? short ?? '')
      : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/** Returns undefined if the text does not contain `needle`. */
export function searchPreview(text: string, needle: string): SearchPreview | undefined {
  const hits = findMatches(text, needle)
  const [first] = hits
  if (first === undefined) return undefined
  const start = alignStart(text, Math.max(0, first[0] - CONTEXT_BEFORE))
  const end = alignEnd(text, Math.min(text.length, Math.max(start + MAX_EXCERPT, first[1])))
  return {
    excerpt: text.slice(start, end),
    offset: start,
    ranges: hits
      .filter(([, to]) => to <= end)
      .map(([from, to]): [number, number] => [from - start, to - start]),
    count: hits.length,
  }
}

/**
 * The first matches, without overlaps, by the algorithm of Knuth, Morris and Pratt: a regular expression takes the product
 * of both lengths for a text that nearly matches everywhere. Case variants have the same length in UTF-16.
 */
function findMatches(text: string, needle: string): [number, number][] {
  const pattern = Array.from(needle, (character) => foldedCode(character.codePointAt(0)!))
  const borders = prefixBorders(pattern)
  const hits: [number, number][] = []
  let matched = 0
  for (let at = 0; at < text.length && hits.length < MAX_HITS;) {
    const code = text.codePointAt(at)!
    at += code > 0xffff ? 2 : 1
    const folded = foldedCode(code)
    while (matched > 0 && pattern[matched] !== folded) matched = borders[matched - 1]!
    if (pattern[matched] === folded) matched++
    if (matched < pattern.length) continue
    hits.push([at - needle.length, at])
    matched = 0
  }
  return hits
}

/** For each prefix, the length of the longest shorter prefix that it ends with. */
function prefixBorders(pattern: readonly number[]): number[] {
  const borders = [0]
  for (let i = 1, length = 0; i < pattern.length; i++) {
    while (length > 0 && pattern[i] !== pattern[length]) length = borders[length - 1]!
    if (pattern[i] === pattern[length]) length++
    borders.push(length)
  }
  return borders
}

/** Preview of a document that is too large to search here: its start, without ranges. */
export function documentStart(text: string): SearchPreview {
  return {
    excerpt: text.slice(0, alignEnd(text, Math.min(text.length, MAX_EXCERPT))),
    offset: 0,
    ranges: [],
    count: 1,
  }
}

/** Moves a start position out of a surrogate pair. */
function alignStart(text: string, at: number): number {
  return isLowSurrogate(text, at) ? at + 1 : at
}

function alignEnd(text: string, at: number): number {
  return isLowSurrogate(text, at) ? at - 1 : at
}

function isLowSurrogate(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.charCodeAt(at) & 0xfc00) === 0xdc00
}
