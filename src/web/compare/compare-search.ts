/** What is compared and how it is shown, in the address. */
export interface CompareSearch {
  /** Ids of calls with commas between; the others are measured by the first. */
  calls?: string
  /** Whose text is shown beside the first one's; the second unless said. */
  with?: string
  /** A call at the place of the structure that is looked at; the root unless said. */
  at?: string
  /** `unified`: one column of text. */
  layout?: string
  /** `differences`: only places where something differs. */
  show?: string
}

const KEYS = ['calls', 'with', 'at', 'layout', 'show'] as const

export function readCompareSearch(search: Readonly<Record<string, unknown>>): CompareSearch {
  const read: CompareSearch = {}
  for (const key of KEYS) {
    const value = search[key]
    if (typeof value === 'string' && value !== '') read[key] = value
  }
  return read
}

/** Beside each other on one page. */
export const MOST_CALLS = 6

/** Each once, in order. */
export function readIds(text: string | undefined): readonly string[] {
  const ids = (text ?? '').split(',').map((id) => id.trim())
  return [...new Set(ids.filter((id) => id !== ''))].slice(0, MOST_CALLS)
}

/** What compared calls are called in little room: A, B, C… */
export function letterOf(n: number): string {
  return String.fromCharCode(65 + n)
}
