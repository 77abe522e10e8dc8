import { caseVariants } from '../../core/calls/case-folding.ts'
import { type Sql, sql } from './sql.ts'

/**
 * Cheap conditions on the text of a JSON document. They hold for every document in which an exact test would find a text,
 * and for few others. A document with `\u` escapes always passes, because any character may be escaped.
 */

/** Characters with a two-character escape in JSON. */
export const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['\b', 'b'],
  ['\f', 'f'],
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
])

const UNICODE_ESCAPE = '\\u'

/** Longer texts are not more selective. */
const MAX_RUN = 100

/** The prefilter of a search, which ignores case as core/calls/case-folding.ts does; none if no text can be searched. */
export function mayContainIgnoringCase(json: Sql, characters: readonly string[]): Sql[] {
  const run = longest(splitRuns(characters, (character) => SHORT_ESCAPES.has(character)))
  if (run.length === 0) return []
  if (!run.every(isAscii)) return [anyOf(json, [...fewSpellings(run), UNICODE_ESCAPE])]
  return [runOrAnyOf(json, IGNORING_CASE, run, run.flatMap(nonAsciiVariants))]
}

/**
 * The prefilter of a substring test on a value of the document, which may be a string, or the minified text of an object
 * or array. Undefined if no part of the text is certain to occur literally.
 */
export function mayContainInValue(json: Sql, text: string, ignoresCase: boolean): Sql | undefined {
  const isBreak = (character: string): boolean =>
    SHORT_ESCAPES.has(character) || (ignoresCase && !isAscii(character))
  const run = longest(splitRuns(Array.from(text), isBreak).flatMap(literalRuns))
  if (run.length === 0) return undefined
  const separators = /^[u0289]$/i.test(run[0]!) ? LINE_SEPARATORS : []
  if (!ignoresCase) return runOrAnyOf(json, sql`position`, run, separators)
  const variants = run.flatMap((character) => [...nonAsciiVariants(character), ...turkishI(character)])
  return runOrAnyOf(json, IGNORING_CASE, run, [...variants, ...separators])
}

/** Outside strings, minified JSON has only these characters: numbers, `true`, `false`, `null` and punctuation. */
const OUTSIDE_STRINGS = /^[-+.0-9eaflnrstu{}[\]:,]$/i
const PUNCTUATION = /^[{}[\]:,]$/
/** ClickHouse formats numbers anew. */
const OF_NUMBERS = /^[-+.0-9e]$/i

/** In the text of an object or array, ClickHouse escapes these two as `\u2028` and `\u2029`. */
const LINE_SEPARATORS = ['\u2028', '\u2029']

/**
 * The parts of a run, which has no quotes, that occur literally in the document of every value that contains the run. If
 * one of its characters occurs only in strings, the whole run is inside one string. Otherwise it may contain several
 * tokens, and the document may have white space between them.
 */
function literalRuns(run: readonly string[]): string[][] {
  if (run.some((character) => !OUTSIDE_STRINGS.test(character))) return [[...run]]
  return splitRuns(run, (character) => PUNCTUATION.test(character)).filter((token) =>
    token.some((character) => !OF_NUMBERS.test(character)),
  )
}

function splitRuns(characters: readonly string[], isBreak: (character: string) => boolean): string[][] {
  const runs: string[][] = [[]]
  for (const character of characters) {
    if (isBreak(character)) runs.push([])
    else runs.at(-1)!.push(character)
  }
  return runs
}

function longest(runs: readonly (readonly string[])[]): readonly string[] {
  return runs.reduce((best, run) => (run.length > best.length ? run : best), []).slice(0, MAX_RUN)
}

const IGNORING_CASE = sql`positionCaseInsensitive`

function runOrAnyOf(json: Sql, position: Sql, run: readonly string[], others: readonly string[]): Sql {
  return sql`${position}(${json}, ${run.join('')}) > 0 OR ${anyOf(json, [UNICODE_ESCAPE, ...others])}`
}

function anyOf(json: Sql, texts: readonly string[]): Sql {
  return sql`multiSearchAny(${json}, ${[...new Set(texts)]})`
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(text)
}

/** Two non-ASCII letters fold to ASCII letters. */
function nonAsciiVariants(character: string): string[] {
  return caseVariants(character).filter((other) => !isAscii(other))
}

/** Lower and upper case of these are ASCII, although they fold to themselves. */
function turkishI(character: string): string[] {
  return character === 'i' || character === 'I' ? ['\u0130', '\u0131'] : []
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
