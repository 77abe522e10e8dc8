/**
 * The URL search parameters of every page that has some: one table, from which types and parsing are derived. All are
 * texts. An absent one has its default.
 */
const text = undefined

/** The state of an open trace. */
const TRACE = {
  /** `transcript`; the tree if absent. */
  view: text,
  /** Tab of the call detail: `raw`, `cost`, `feedback`; the overview if absent. */
  tab: text,
  /** Text to find in the trace. */
  find: text,
  /** Time window selected on the timeline; see trace/time-window.ts. */
  time: text,
  /** Metric of the timeline colors: `latency` or `cost`; the call kind if absent. */
  heat: text,
}

const RESULTS = {
  /** One of MATRIX_FILTERS in evaluations/matrix.ts. */
  show: text,
  /** One of MATRIX_ORDERS in evaluations/matrix.ts. */
  order: text,
  /** The only score that filter and order use. Default: all scores. */
  by: text,
  /** Comma-separated names of scores where lower is better. */
  lower: text,
  /** Row digest of the example under the keyboard cursor. */
  example: text,
  /** Path of the column that divides the examples into slices. */
  slice: text,
  /** Key of the slice whose examples are shown; see evaluations/slices.ts. */
  value: text,
  /** Id of the metric that sorts the slices, after `-` if descending. */
  slicesort: text,
}

const TABLE = {
  signIn: {
    /** Path of the page to open after signing in. */
    next: text,
  },
  traces: {
    /** Filter text; see src/web/filter. */
    filter: text,
    /** Text to search for anywhere in a call. */
    text,
    /** See time/range.ts. */
    range: text,
    /** `calls` lists every call instead of root calls only. */
    show: text,
    /** Comma-separated column names; see traces/columns.ts. */
    columns: text,
    /** A query field; a leading `-` sorts descending. */
    sort: text,
    live: text,
    /** Object id of the open saved view. The other parameters repeat its definition. */
    saved: text,
    /** Object id of a saved view to open. Links printed by SDKs have only this. */
    open: text,
    /** The call whose trace is open in the drawer. */
    call: text,
    ...TRACE,
  },
  trace: TRACE,
  threads: {
    /** See time/range.ts. */
    range: text,
    /** Sort column; a leading `-` sorts in descending order. */
    sort: text,
    /** Only threads that contain this text. */
    text,
  },
  users: {
    /** See time/range.ts. */
    range: text,
    /** The measure that ranks the users, most first. */
    rank: text,
  },
  dashboard: {
    /** See time/range.ts. */
    range: text,
    /** Filter expression, see src/web/filter. */
    filter: text,
    /** `calls`: all calls. Default: only trace roots. */
    show: text,
    /** Group by `model`, `op`, `user`, `status`, or any call field. */
    by: text,
    /** Bucket size. Default: depends on the time range. */
    bucket: text,
    /** Latency percentile of grouped charts: `p50`, `p95` or `p99`. */
    percentile: text,
    /** `tables`: tables instead of charts. */
    view: text,
  },
  costs: {
    /** See time/range.ts. */
    range: text,
    /** Show prices of models whose name contains this text. */
    find: text,
    /** `all`: include built-in prices. */
    prices: text,
    /** The model whose price form is open; `*` for the form of a new price. */
    model: text,
    /** `tables`: tables instead of charts. */
    view: text,
  },
  sql: {
    query: text,
    /** `chart`; the table if absent. */
    view: text,
    /** Name of the x column of the chart. */
    x: text,
    /** Comma-separated names of the y columns. */
    y: text,
    /** Object id of the saved query that is open. */
    saved: text,
  },
  settings: {
    /** One of TABS in settings/settings-page.tsx. */
    tab: text,
  },
  objects: {
    /** For kinds without a URL segment of their own. */
    kind: text,
    /** Part of the name. */
    name: text,
  },
  version: {
    tab: text,
    /** Column that sorts a leaderboard, after `-` if descending. */
    sort: text,
    /** The dataset row that is open in the side panel. */
    row: text,
    /** `on` while the dataset is edited. */
    edit: text,
  },
  /** Versions are digests, `latest`, `v3` or aliases. */
  diff: { from: text, to: text, layout: text },
  newDataset: {
    /** Name of the dataset that gets the rows. */
    into: text,
  },
  compare: {
    /** Comma-separated call ids. The first is the baseline. */
    calls: text,
    /** The call whose text is compared with the baseline. Default: the second. */
    with: text,
    /** Any call of the selected node. Default: the root. */
    at: text,
    /** `unified`: unified diff. Default: side by side. */
    layout: text,
    /** `differences`: only nodes with a difference. */
    show: text,
    /** `on`: IDs, times and durations in documents count as differences. */
    volatile: text,
  },
  evaluations: {
    /** Show only the runs of the evaluation with this name. */
    evaluation: text,
    /** Comma-separated ids of the runs selected for comparison. */
    selected: text,
    /** One of RUN_VIEWS in evaluations/evaluations-page.tsx. Default: the list of runs. */
    view: text,
    /** `model`: the trends have a line for each model. Default: for each evaluation. */
    per: text,
    /** `tables`: the trends are tables. */
    as: text,
    /** Ids of the metrics on the axes of the scatter plot. */
    x: text,
    y: text,
    /** `best`: the leaderboard has the best value of all runs of a model. Default: the value of its newest run. */
    pick: text,
    /** `versions`: the leaderboard has a row for each version of a model. Default: for each name. */
    rows: text,
    /** Id of the column that sorts the leaderboard, after `-` if descending. */
    sort: text,
    /** Comma-separated names of scores where lower is better. */
    lower: text,
    /** Name of the scorer whose report card is shown, of the label of people, and the field of the score. */
    judge: text,
    label: text,
    path: text,
  },
  results: RESULTS,
  compareRuns: {
    /** Comma-separated run ids. */
    runs: text,
    /** Id of the baseline run. Default: the oldest. */
    baseline: text,
    ...RESULTS,
  },
  queue: {
    /** Id of the call; without it the page opens the next open call. */
    item: text,
    /** `on` includes calls that the user skipped. */
    skipped: text,
    /** The selected tab of the call. */
    tab: text,
  },
}

export type PageName = keyof typeof TABLE

export type Search<Name extends PageName> = { -readonly [Key in keyof (typeof TABLE)[Name]]?: string }

/** Parameters to change; `undefined` removes one. */
export type SearchChange<Name extends PageName> = {
  readonly [Key in keyof (typeof TABLE)[Name]]?: string | undefined
}

/** Reads the parameters of a page from those of the URL. Empty ones are absent. */
export const readSearch = Object.fromEntries(
  Object.entries(TABLE).map(([page, parameters]) => [
    page,
    (search: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(
        Object.keys(parameters).flatMap((key) => {
          const value = search[key]
          return typeof value === 'string' && value !== '' ? [[key, value]] : []
        }),
      ),
  ]),
) as { readonly [Name in PageName]: (search: Readonly<Record<string, unknown>>) => Search<Name> }
