/**
 * Characters that are the same letter but for their case, by Unicode's simple case folding: what `/…/iu` goes by.
 * `k`, `K` and the Kelvin sign; `σ`, `Σ` and the sigma at the end of a word; `ß` and `ẞ`, but not `ss`.
 */
export function caseOrbit(character: string): readonly string[] {
  const known = orbits.get(character)
  if (known !== undefined) return known
  const found = new Set([character])
  for (const each of found) for (const other of neighbours().get(each) ?? []) found.add(other)
  const isSame = new RegExp(`^${escapeForRegExp(character)}$`, 'iu')
  const orbit = [...found].filter((each) => isSame.test(each))
  orbits.set(character, orbit)
  return orbit
}

/** Text as a pattern that matches just this text, with the flag `u`. */
export function escapeForRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

const orbits = new Map<string, readonly string[]>()

/** Letters beyond this have no case. */
const LAST_CASED = 0x1_ffff

let known: ReadonlyMap<string, readonly string[]> | undefined

/** Both ways between a letter and its other cases; 20 ms, once, when somebody searches for the first time. */
function neighbours(): ReadonlyMap<string, readonly string[]> {
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
