/**
 * The characters that are equal under Unicode's simple case folding, which `/…/iu` uses: `k`, `K` and the Kelvin
 * sign; `σ`, `Σ` and the final sigma; `ß` and `ẞ`, but not `ss`.
 */
export function caseVariants(character: string): readonly string[] {
  const known = variantCache.get(character)
  if (known !== undefined) return known
  const found = new Set([character])
  for (const each of found) for (const other of caseMappings().get(each) ?? []) found.add(other)
  const isSame = new RegExp(`^${escapeForRegExp(character)}$`, 'iu')
  const variants = [...found].filter((each) => isSame.test(each))
  variantCache.set(character, variants)
  return variants
}

/** The lowest of the case variants of a code point. */
export function foldedCode(code: number): number {
  if (code < 0x80) return code >= 0x61 && code <= 0x7a ? code - 0x20 : code
  const character = String.fromCodePoint(code)
  if (character === character.toLowerCase() && character === character.toUpperCase()) return code
  return Math.min(...caseVariants(character).map((variant) => variant.codePointAt(0)!))
}

/** Escapes text for use in a regular expression with the flag `u`. */
function escapeForRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

const variantCache = new Map<string, readonly string[]>()

/** Characters above this have no case. */
const LAST_CASED = 0x1_ffff

let known: ReadonlyMap<string, readonly string[]> | undefined

/** Maps each letter to its other cases, in both directions. Built at the first search; takes 20 ms. */
function caseMappings(): ReadonlyMap<string, readonly string[]> {
  if (known !== undefined) return known
  const all = new Map<string, string[]>()
  const link = (a: string, b: string): void => {
    all.set(a, [...(all.get(a) ?? []), b])
    all.set(b, [...(all.get(b) ?? []), a])
  }
  for (let code = 0; code <= LAST_CASED; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    for (const other of [character.toLowerCase(), character.toUpperCase()]) {
      if (other !== character && Array.from(other).length === 1) link(character, other)
    }
  }
  known = all
  return all
}
