/** URL search parameters of the comparison page. */
export interface CompareSearch {
  /** Comma-separated call ids. The first is the baseline. */
  calls?: string
  /** The call whose text is compared with the baseline. Default: the second. */
  with?: string
  /** Any call of the selected node. Default: the root. */
  at?: string
  /** `unified`: unified diff. Default: side by side. */
  layout?: string
  /** `differences`: only nodes with a difference. */
  show?: string
  /** `on`: IDs, times and durations in documents count as differences. */
  volatile?: string
}

const KEYS = ['calls', 'with', 'at', 'layout', 'show', 'volatile'] as const

export function readCompareSearch(search: Readonly<Record<string, unknown>>): CompareSearch {
  const read: CompareSearch = {}
  for (const key of KEYS) {
    const value = search[key]
    if (typeof value === 'string' && value !== '') read[key] = value
  }
  return read
}

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
