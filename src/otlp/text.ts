import { createHash } from 'node:crypto'

/** A text that is too long keeps its start and gets a hash, so that different ones stay different. */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return `${text.slice(0, maxCharacters - 9).toWellFormed()}~${hash}`
}
