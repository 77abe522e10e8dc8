import { diffSequences } from './sequence-diff.ts'

export type Range = readonly [number, number]

export interface WordDiff {
  /** What of the first line is not in the second, and the other way round. */
  readonly left: readonly Range[]
  readonly right: readonly Range[]
}

const NONE: WordDiff = { left: [], right: [] }
const MOST_CHARACTERS = 5000
const WORDS = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu

/** Which words of two lines differ. Nothing if little is left between them: then all of it has changed. */
export function diffWords(left: string, right: string): WordDiff {
  if (left.length > MOST_CHARACTERS || right.length > MOST_CHARACTERS) return NONE
  const leftWords = left.match(WORDS) ?? []
  const rightWords = right.match(WORDS) ?? []
  const numbers = new Map<string, number>()
  const numbered = (words: readonly string[]): Int32Array =>
    Int32Array.from(words, (word) => {
      const number = numbers.get(word) ?? numbers.size
      numbers.set(word, number)
      return number
    })
  const { gone, added } = diffSequences(numbered(leftWords), numbered(rightWords))
  const kept = leftWords.reduce((sum, word, i) => sum + (gone[i] === 1 ? 0 : word.trim().length), 0)
  if (kept * 4 < Math.max(left.trim().length, right.trim().length)) return NONE
  return { left: ranges(leftWords, gone), right: ranges(rightWords, added) }
}

function ranges(words: readonly string[], changed: Uint8Array): Range[] {
  const found: [number, number][] = []
  let at = 0
  for (const [i, word] of words.entries()) {
    const last = found.at(-1)
    if (changed[i] === 1) {
      if (last?.[1] === at) last[1] = at + word.length
      else found.push([at, at + word.length])
    }
    at += word.length
  }
  return found
}
