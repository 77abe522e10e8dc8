/** What the SQL page shows: the query that was run, and how its answer is looked at. */
export interface SqlSearch {
  query?: string
  /** `chart` in place of the table. */
  view?: string
  /** The column along the axis of the chart, by name. */
  x?: string
  /** The columns that are drawn, with commas between. */
  y?: string
}

const KEYS = ['query', 'view', 'x', 'y'] as const

export function readSqlSearch(search: Readonly<Record<string, unknown>>): SqlSearch {
  const read: SqlSearch = {}
  for (const key of KEYS) {
    const value = search[key]
    if (typeof value === 'string' && value !== '') read[key] = value
  }
  return read
}
