/** URL search parameters of the runs list. */
export interface EvaluationsSearch {
  /** Show only the runs of the evaluation with this name. */
  evaluation?: string
  /** Comma-separated ids of the runs selected for comparison. */
  selected?: string
}

/** URL search parameters of the results view. */
export interface ResultsSearch {
  /** One of MATRIX_FILTERS in matrix.ts. */
  show?: string
  /** One of MATRIX_ORDERS in matrix.ts. */
  order?: string
  /** The only score that filter and order use. Default: all scores. */
  by?: string
  /** Comma-separated names of scores where lower is better. */
  lower?: string
  /** Row digest of the example under the keyboard cursor. */
  example?: string
}

export interface CompareRunsSearch extends ResultsSearch {
  /** Comma-separated run ids. The first is the baseline. */
  runs?: string
}

export function readEvaluationsSearch(search: Readonly<Record<string, unknown>>): EvaluationsSearch {
  return pickStrings(search, ['evaluation', 'selected'])
}

export function readResultsSearch(search: Readonly<Record<string, unknown>>): ResultsSearch {
  return pickStrings(search, ['show', 'order', 'by', 'lower', 'example'])
}

export function readCompareRunsSearch(search: Readonly<Record<string, unknown>>): CompareRunsSearch {
  return pickStrings(search, ['runs', 'show', 'order', 'by', 'lower', 'example'])
}

function pickStrings<Key extends string>(
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
