import { diffSequences } from './sequence-diff.ts'

export type Range = readonly [number, number]

export interface WordDiff {
  /** Ranges of the left line that are not in the right line, and vice versa. */
  readonly left: readonly Range[]
  readonly right: readonly Range[]
}

const NONE: WordDiff = { left: [], right: [] }
const MAX_CHARACTERS = 5000
const WORDS = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu

/** The words that differ between two lines. Empty if the lines have little in common and are replaced as a whole. */
export function diffWords(left: string, right: string): WordDiff {
  if (left.length > MAX_CHARACTERS || right.length > MAX_CHARACTERS) return NONE
  const leftWords = left.match(WORDS) ?? []
  const rightWords = right.match(WORDS) ?? []
  const wordIds = new Map<string, number>()
  const toIds = (words: readonly string[]): Int32Array =>
    Int32Array.from(words, (word) => {
      const id = wordIds.get(word) ?? wordIds.size
      wordIds.set(word, id)
      return id
    })
  const { removed, added } = diffSequences(toIds(leftWords), toIds(rightWords))
  const kept = leftWords.reduce((sum, word, i) => sum + (removed[i] === 1 ? 0 : word.trim().length), 0)
  if (kept * 4 < Math.max(left.trim().length, right.trim().length)) return NONE
  return { left: changedRanges(leftWords, removed), right: changedRanges(rightWords, added) }
}

function changedRanges(words: readonly string[], changed: Uint8Array): Range[] {
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
