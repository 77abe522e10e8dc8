import { caseVariants } from '../../core/calls/case-folding.ts'
import { and, join, type Sql, sql } from '../query/sql.ts'

/**
 * Compiles a search text into SQL. The search ignores case (core/calls/case-folding.ts) and JSON escaping: a document may
 * contain `ä` literally or as `\u00e4`, a line end as `\n` or `\u000a`. The pattern covers every spelling of each
 * character, so no second copy of the payloads is stored.
 */
export class SearchPattern {
  readonly #characters: readonly string[]
  readonly #plain: string
  readonly #json: string

  constructor(needle: string) {
    this.#characters = Array.from(needle)
    this.#plain = this.#characters.map(plainSpellings).join('')
    // Anchored at the start, character by character: `\next` contains a line end and `ext`, not `next`.
    this.#json = `^(?s:[^\\\\]|\\\\[^u]|\\\\u.{4})*?${this.#characters.map(jsonSpellings).join('')}`
  }

  /** Whether a plain text contains it. */
  inText(text: Sql): Sql {
    return sql`match(${text}, ${this.#plain})`
  }

  /**
   * Whether a JSON document contains it. The prefilter is three times as fast as the exact pattern and passes every
   * matching document and few others.
   */
  inJson(json: Sql): Sql {
    return and([...this.#prefilter(json), sql`match(${json}, ${this.#json})`])
  }

  #prefilter(json: Sql): Sql[] {
    const run = longestRun(this.#characters)
    if (run.length === 0) return []
    const text = run.join('')
    // Any character may be escaped, and two non-ASCII letters fold to ASCII letters.
    if (!isAscii(text)) return [anyOf(json, [...fewSpellings(run), '\\u'])]
    return [
      join(
        [
          sql`positionCaseInsensitive(${json}, ${text}) > 0`,
          anyOf(json, ['\\u', ...run.flatMap(nonAsciiVariants)]),
        ],
        ' OR ',
      ),
    ]
  }
}

function anyOf(json: Sql, texts: readonly string[]): Sql {
  return sql`multiSearchAny(${json}, ${[...new Set(texts)]})`
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(text)
}

function nonAsciiVariants(character: string): string[] {
  return caseVariants(character).filter((other) => !isAscii(other))
}

function plainSpellings(character: string): string {
  return `[${caseVariants(character).map(codePoint).join('')}]`
}

function codePoint(character: string): string {
  return `\\x{${character.codePointAt(0)!.toString(16)}}`
}

/** Characters with a two-character escape in JSON. */
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['\b', 'b'],
  ['\f', 'f'],
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
])

function jsonSpellings(character: string): string {
  const orbit = caseVariants(character)
  const short = SHORT_ESCAPES.get(character)
  // A backslash is always escaped.
  const itself = character === '\\' ? [] : [`[${orbit.map(codePoint).join('')}]`]
  return `(?:${[
    ...itself,
    ...(short === undefined ? [] : [`\\\\[${codePoint(short)}]`]),
    ...orbit.map(escapes),
  ].join('|')})`
}

/** `\u00e4`, or two of them for characters beyond 16 bits; hexadecimal digits in either case. */
function escapes(character: string): string {
  return Array.from({ length: character.length }, (_, i) => {
    const hex = character.charCodeAt(i).toString(16).padStart(4, '0')
    return `\\\\u${hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`
  }).join('')
}

/** The longest run of characters without a two-character escape. */
function longestRun(characters: readonly string[]): string[] {
  let longest: string[] = []
  let run: string[] = []
  for (const character of characters) {
    run = SHORT_ESCAPES.has(character) ? [] : [...run, character]
    if (run.length > longest.length) longest = run
  }
  return longest
}

/** With more variants, searching for any of them is slower than the exact pattern. */
const MAX_SPELLINGS = 32

/** All case variants of the start of the run; a letter has at most four. */
function fewSpellings(run: readonly string[]): string[] {
  let spelled = ['']
  for (const character of run) {
    const orbit = caseVariants(character)
    if (spelled.length * orbit.length > MAX_SPELLINGS) break
    spelled = spelled.flatMap((prefix) => orbit.map((variant) => prefix + variant))
  }
  return spelled
}
