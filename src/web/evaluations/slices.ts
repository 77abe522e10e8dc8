import { isFailed, type MatrixRow, type Scoring } from './matrix.ts'
import { type SummarizedRun, summarizeRuns, type SummaryMetric } from './summary.ts'

/** A column of the examples that can divide them into slices. */
export interface SliceColumn {
  readonly path: string
  /** Number of distinct values. */
  readonly valueCount: number
}

/** The examples that have the same value in a column. */
export interface Slice {
  /** JSON text of the value, or `NO_VALUE`. */
  readonly key: string
  readonly exampleCount: number
  /** By id. */
  readonly metrics: ReadonlyMap<string, SliceMetric>
}

/** A metric with a value for every run. */
export interface SliceMetric extends SummaryMetric {
  /** The label, or `score:` and the name of the score. */
  readonly id: string
}

/** The key of examples without a value. It is not JSON, so it never equals the key of a value. */
export const NO_VALUE = 'none'

/** Label and id of the metric that counts the examples that the “Failed” filter selects. */
export const FAILED = 'Failed'

/** The columns of the examples, without those that have long texts. */
export function sliceColumns(rows: readonly MatrixRow[]): readonly SliceColumn[] {
  const values = new Map<string, Set<string | undefined>>()
  for (const { fields } of rows) {
    for (const [path, value] of fields) {
      const known = values.get(path)
      if (known === undefined) values.set(path, new Set([value]))
      else known.add(value)
    }
  }
  return [...values].flatMap(([path, known]) =>
    known.has(undefined) ? [] : [{ path, valueCount: known.size }],
  )
}

export function sliceKey({ fields }: MatrixRow, path: string): string {
  return fields.get(path) ?? NO_VALUE
}

/** Of a slice, the SDK recorded no summary: it is computed from the trials by the rules of the SDK. */
const UNRECORDED: SummarizedRun = {
  scores: [],
  modelLatencyMs: undefined,
  call: { tokens: undefined, cost: undefined, unpriced: [] },
}

/** The metrics of each slice, for each of the runs. The largest slice is first. */
export function sliceRows(
  rows: readonly MatrixRow[],
  path: string,
  scoring: Scoring,
  runCount: number,
): readonly Slice[] {
  const byKey = new Map<string, MatrixRow[]>()
  for (const row of rows) {
    const key = sliceKey(row, path)
    const own = byKey.get(key)
    if (own === undefined) byKey.set(key, [row])
    else own.push(row)
  }
  return [...byKey]
    .map(([key, own]) => ({
      key,
      exampleCount: own.length,
      metrics: new Map(sliceMetrics(own, scoring, runCount).map((metric) => [metric.id, metric])),
    }))
    .sort((a, b) => b.exampleCount - a.exampleCount || (a.key < b.key ? -1 : 1))
}

/** The metrics of some examples: failed examples first, then scores, latency, tokens and cost. */
export function sliceMetrics(
  rows: readonly MatrixRow[],
  scoring: Scoring,
  runCount: number,
): readonly SliceMetric[] {
  const runs = Array.from({ length: runCount }, () => UNRECORDED)
  const failed: SummaryMetric = {
    score: undefined,
    label: FAILED,
    kind: 'count',
    isOfExamples: true,
    values: runs.map(
      (_, n) => rows.filter(({ cells }) => cells[n] !== undefined && isFailed(cells[n], scoring)).length,
    ),
    isPartial: runs.map(() => false),
  }
  const others = summarizeRuns(rows, scoring.columns, runs).filter(
    ({ label, score }) => score !== undefined || label !== 'Errors',
  )
  return [failed, ...others].map((metric) => ({
    ...metric,
    id: metric.score === undefined ? metric.label : `score:${metric.score}`,
  }))
}

/** Sorts by a metric of the first run, or by `examples`; missing values last. */
export function sortSlices(
  slices: readonly Slice[],
  sort: { readonly id: string; readonly desc: boolean },
): readonly Slice[] {
  const value = ({ exampleCount, metrics }: Slice): number | undefined =>
    sort.id === 'examples' ? exampleCount : metrics.get(sort.id)?.values[0]
  return slices.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)]
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined)
    return sort.desc ? right - left : left - right
  })
}
