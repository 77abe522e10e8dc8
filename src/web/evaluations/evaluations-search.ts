/** URL search parameters of the runs list. */
export interface EvaluationsSearch {
  /** Show only the runs of the evaluation with this name. */
  evaluation?: string
  /** Comma-separated ids of the runs selected for comparison. */
  selected?: string
  /** One of RUN_VIEWS. Default: the list of runs. */
  view?: string
  /** `model`: the trends have a line for each model. Default: for each evaluation. */
  per?: string
  /** `tables`: the trends are tables. */
  as?: string
  /** Ids of the metrics on the axes of the scatter plot. */
  x?: string
  y?: string
  /** `best`: the leaderboard has the best value of all runs of a model. Default: the value of its newest run. */
  pick?: string
  /** `versions`: the leaderboard has a row for each version of a model. Default: for each name. */
  rows?: string
  /** Id of the column that sorts the leaderboard, after `-` if descending. */
  sort?: string
  /** Comma-separated names of scores where lower is better. */
  lower?: string
}

/** The views of the runs. */
export const RUN_VIEWS = [
  { value: 'runs', label: 'Runs' },
  { value: 'trends', label: 'Trends' },
  { value: 'scatter', label: 'Scatter' },
  { value: 'leaderboard', label: 'Leaderboard' },
] as const

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
  /** Path of the column that divides the examples into slices. */
  slice?: string
  /** Key of the slice whose examples are shown; see slices.ts. */
  value?: string
  /** Id of the metric that sorts the slices, after `-` if descending. */
  slicesort?: string
}

export interface CompareRunsSearch extends ResultsSearch {
  /** Comma-separated run ids. */
  runs?: string
  /** Id of the baseline run. Default: the oldest. */
  baseline?: string
}

const RESULTS_KEYS = ['show', 'order', 'by', 'lower', 'example', 'slice', 'value', 'slicesort'] as const

export function readEvaluationsSearch(search: Readonly<Record<string, unknown>>): EvaluationsSearch {
  return pickStrings(search, [
    'evaluation',
    'selected',
    'view',
    'per',
    'as',
    'x',
    'y',
    'pick',
    'rows',
    'sort',
    'lower',
  ])
}

export function readResultsSearch(search: Readonly<Record<string, unknown>>): ResultsSearch {
  return pickStrings(search, RESULTS_KEYS)
}

export function readCompareRunsSearch(search: Readonly<Record<string, unknown>>): CompareRunsSearch {
  return pickStrings(search, ['runs', 'baseline', ...RESULTS_KEYS])
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
