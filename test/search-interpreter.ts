/**
 * Whether a text stands in another: character by character, by Unicode's own folding as the regular expressions of
 * JavaScript know it. Slow and obvious, to hold search against.
 */
export function holds(text: string, needle: string): boolean {
  const haystack = Array.from(text)
  const wanted = Array.from(needle)
  return haystack.some((_, start) =>
    wanted.every((character, i) => {
      const other = haystack[start + i]
      return other !== undefined && isSameLetter(character, other)
    }),
  )
}

const folds = new Map<string, RegExp>()

function isSameLetter(a: string, b: string): boolean {
  if (a === b) return true
  const fold = folds.get(a) ?? new RegExp(`^\\u{${a.codePointAt(0)!.toString(16)}}$`, 'iu')
  folds.set(a, fold)
  return fold.test(b)
}
