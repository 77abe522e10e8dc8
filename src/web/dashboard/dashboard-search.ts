/** URL search parameters of the dashboard. All are strings; an absent one has its default. */
export interface DashboardSearch {
  /** See time/range.ts. */
  range?: string
  /** Filter expression, see src/web/filter. */
  filter?: string
  /** `calls`: all calls. Default: only trace roots. */
  show?: string
  /** Group by `model`, `op`, `user`, `status`, or any call field. */
  by?: string
  /** Bucket size. Default: depends on the time range. */
  bucket?: string
  /** Latency percentile of grouped charts: `p50`, `p95` or `p99`. */
  percentile?: string
  /** `tables`: tables instead of charts. */
  view?: string
}

const KEYS = ['range', 'filter', 'show', 'by', 'bucket', 'percentile', 'view'] as const

export function readDashboardSearch(search: Readonly<Record<string, unknown>>): DashboardSearch {
  const read: DashboardSearch = {}
  for (const key of KEYS) {
    const value = search[key]
    if (typeof value === 'string' && value !== '') read[key] = value
  }
  return read
}
