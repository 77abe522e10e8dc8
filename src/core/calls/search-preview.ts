import { escapeForRegExp } from './case-folding.ts'

/** Where a text that was searched for stands, for people to see. Offsets count UTF-16 units, as JavaScript does. */
export interface Preview {
  readonly excerpt: string
  /** Where the excerpt begins in the text it is of. */
  readonly offset: number
  /** Hits in the excerpt: from, up to but not including. */
  readonly ranges: [number, number][]
  /** Hits in the whole text, up to 100. */
  readonly count: number
}

const BEFORE = 60
const EXCERPT = 240
const MOST_HITS = 100

/**
 * A JSON document as it is searched: its own text, with what stands behind a backslash in place of it. A backslash
 * can only stand in a string, so no walk over the document is needed.
 */
export function unescapeJson(json: string): string {
  if (!json.includes('\\')) return json
  return json.replaceAll(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_all, hex?: string, short?: string) =>
    hex === undefined
      ? (SHORT.get(short ?? '') ?? short ?? '')
      : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/** Undefined if it is not there. */
export function previewOf(text: string, needle: string): Preview | undefined {
  const hits: [number, number][] = []
  for (const hit of text.matchAll(new RegExp(escapeForRegExp(needle), 'giu'))) {
    hits.push([hit.index, hit.index + hit[0].length])
    if (hits.length === MOST_HITS) break
  }
  const [first] = hits
  if (first === undefined) return undefined
  const start = wholeFrom(text, Math.max(0, first[0] - BEFORE))
  const end = wholeUpTo(text, Math.min(text.length, Math.max(start + EXCERPT, first[1])))
  return {
    excerpt: text.slice(start, end),
    offset: start,
    ranges: hits
      .filter(([, to]) => to <= end)
      .map(([from, to]): [number, number] => [from - start, to - start]),
    count: hits.length,
  }
}

/** Of something too large to look through here: how it begins. */
export function openingOf(text: string): Preview {
  return {
    excerpt: text.slice(0, wholeUpTo(text, Math.min(text.length, EXCERPT))),
    offset: 0,
    ranges: [],
    count: 1,
  }
}

/** Not between the halves of a surrogate pair. */
function wholeFrom(text: string, at: number): number {
  return isLow(text, at) ? at + 1 : at
}

function wholeUpTo(text: string, at: number): number {
  return isLow(text, at) ? at - 1 : at
}

function isLow(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.charCodeAt(at) & 0xfc00) === 0xdc00
}
