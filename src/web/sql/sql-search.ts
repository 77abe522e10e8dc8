/** The URL search parameters of the SQL page. */
export interface SqlSearch {
  query?: string
  /** `chart`; the table if absent. */
  view?: string
  /** Name of the x column of the chart. */
  x?: string
  /** Comma-separated names of the y columns. */
  y?: string
  /** Object id of the saved query that is open. */
  saved?: string
}

const KEYS = ['query', 'view', 'x', 'y', 'saved'] as const

export function readSqlSearch(search: Readonly<Record<string, unknown>>): SqlSearch {
  const read: SqlSearch = {}
  for (const key of KEYS) {
    const value = search[key]
    if (typeof value === 'string' && value !== '') read[key] = value
  }
  return read
}
