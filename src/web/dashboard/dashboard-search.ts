/** What the page of numbers shows, all of it in its address. Everything is text; absent is the usual. */
export interface NumbersSearch {
  /** See time/range.ts. */
  range?: string
  /** In the language of src/web/filter. */
  filter?: string
  /** `calls`: every call and not only those that began a trace. */
  show?: string
  /** `model`, `op`, `user`, `status`, or any field of calls. */
  by?: string
  /** How wide a bucket is; by the length of the time when absent. */
  bucket?: string
  /** `p50`, `p95`, `p99`: which latency groups are compared by. */
  percentile?: string
  /** `tables`: numbers in place of pictures. */
  view?: string
}

const KEYS = ['range', 'filter', 'show', 'by', 'bucket', 'percentile', 'view'] as const

export function readNumbersSearch(search: Readonly<Record<string, unknown>>): NumbersSearch {
  const read: NumbersSearch = {}
  for (const key of KEYS) {
    const value = search[key]
    if (typeof value === 'string' && value !== '') read[key] = value
  }
  return read
}
