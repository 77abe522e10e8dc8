/**
 * Reference implementation of search: whether a text contains another, compared character by character with the
 * Unicode case folding of JavaScript's regular expressions. Slow and obvious.
 */
export function containsFolded(text: string, needle: string): boolean {
  const haystack = Array.from(text)
  const needleCharacters = Array.from(needle)
  return haystack.some((_, start) =>
    needleCharacters.every((character, i) => {
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
