/** Which runs are listed, in the address. */
export interface EvaluationsSearch {
  /** The name of an evaluation: only its runs. */
  evaluation?: string
  /** Ids of runs that are selected to be compared, with commas between. */
  selected?: string
}

/** How the results of runs are shown, in the address. */
export interface ResultsSearch {
  /** One of FILTERS in matrix.ts. */
  show?: string
  /** One of ORDERS in matrix.ts. */
  order?: string
  /** The score that examples are judged by; all of them unless said. */
  by?: string
  /** Scores of which less is better, with commas between. */
  lower?: string
  /** The digest of the example that keys act on. */
  example?: string
}

export interface CompareRunsSearch extends ResultsSearch {
  /** Ids of runs with commas between; the others are measured by the first. */
  runs?: string
}

export function readEvaluationsSearch(search: Readonly<Record<string, unknown>>): EvaluationsSearch {
  return pick(search, ['evaluation', 'selected'])
}

export function readResultsSearch(search: Readonly<Record<string, unknown>>): ResultsSearch {
  return pick(search, ['show', 'order', 'by', 'lower', 'example'])
}

export function readCompareRunsSearch(search: Readonly<Record<string, unknown>>): CompareRunsSearch {
  return pick(search, ['runs', 'show', 'order', 'by', 'lower', 'example'])
}

function pick<Key extends string>(
  search: Readonly<Record<string, unknown>>,
  keys: readonly Key[],
): { [K in Key]?: string } {
  const read: { [K in Key]?: string } = {}
  for (const key of keys) {
    const value = search[key]
    if (typeof value === 'string' && value !== '') read[key] = value
  }
  return read
}
