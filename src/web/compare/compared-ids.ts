/** Maximum number of calls or runs compared on one page. */
export const MAX_COMPARED = 6

/** Parses comma-separated ids: unique, in order, at most MAX_COMPARED. */
export function parseIds(text: string | undefined): readonly string[] {
  const ids = (text ?? '').split(',').map((id) => id.trim())
  return [...new Set(ids.filter((id) => id !== ''))].slice(0, MAX_COMPARED)
}

/** The short label of a compared call: A, B, C… */
export function columnLetter(n: number): string {
  return String.fromCharCode(65 + n)
}
