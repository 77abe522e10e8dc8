import type { ExampleFields } from './example-fields.ts'
import type { ScoreValue } from './trial-scores.ts'

/** One trial of an example in a run. */
export interface MatrixTrial {
  readonly callId: string
  /** The start of the output. */
  readonly outputText: string
  /** Equal for equal outputs of any length. */
  readonly outputKey: string
  readonly scores: ReadonlyMap<string, ScoreValue>
  /** Why the model or a scorer failed, in one line. */
  readonly error: string | undefined
  readonly latencyMs: number | undefined
  /** Of the model and the scorers. */
  readonly tokens: number | undefined
  readonly cost: number | undefined
  /** A model without a price was called, so that the cost is a lower bound. */
  readonly isPartialCost: boolean
}

/** The trials of one example in one run. */
export interface MatrixCell {
  readonly trials: readonly MatrixTrial[]
  /** Mean score over the trials; true counts as 1, false as 0. */
  readonly scores: ReadonlyMap<string, number>
}

/** One example with its cell in every run. */
export interface MatrixRow {
  readonly digest: string
  /** Position in the order of the server. */
  readonly index: number
  readonly inputText: string
  readonly fields: ExampleFields
  /** Indexed by run; undefined where a run has no trial of the example. */
  readonly cells: readonly (MatrixCell | undefined)[]
}

export function createCell(trials: readonly MatrixTrial[]): MatrixCell {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const { scores } of trials) {
    for (const [name, value] of scores) {
      if (typeof value === 'string' || Number.isNaN(Number(value))) continue
      const known = sums.get(name) ?? { sum: 0, count: 0 }
      sums.set(name, { sum: known.sum + Number(value), count: known.count + 1 })
    }
  }
  return {
    trials,
    scores: new Map([...sums].map(([name, { sum, count }]) => [name, sum / count])),
  }
}

/** A score, with its range over all examples and runs. */
export interface ScoreColumn {
  readonly name: string
  /** All values are booleans, so the mean is a share. */
  readonly isBoolean: boolean
  readonly min: number
  readonly max: number
}

export function scoreColumns(rows: readonly MatrixRow[]): readonly ScoreColumn[] {
  const columns = new Map<string, ScoreColumn>()
  for (const { cells } of rows) {
    for (const { scores } of cells.flatMap((cell) => cell?.trials ?? [])) {
      for (const [name, value] of scores) {
        if (typeof value === 'string') continue
        const number = Number(value)
        const known = columns.get(name) ?? { name, isBoolean: true, min: number, max: number }
        columns.set(name, {
          name,
          isBoolean: known.isBoolean && typeof value === 'boolean',
          min: Math.min(known.min, number),
          max: Math.max(known.max, number),
        })
      }
    }
  }
  return [...columns.values()]
}

/** How the scores of an example change from the baseline run to the other runs. */
export interface RowChange {
  /** The largest drop of any score in any run, relative to the range of that score. Pass to fail is 1. */
  readonly loss: number
  readonly gain: number
  /** Scores or outputs differ, or a run has no trial of the example. */
  readonly isDifferent: boolean
  /** Mean normalized score of the baseline run, from 0 to 1; undefined without scores. */
  readonly meanScore: number | undefined
}

/** The scores to use, and their direction. */
export interface Scoring {
  readonly columns: readonly ScoreColumn[]
  /** Names of scores where lower is better. */
  readonly lowerIsBetter: ReadonlySet<string>
}

/** Differences below this are rounding errors. */
const EPSILON = 1e-9

function rowChange({ cells }: MatrixRow, { columns, lowerIsBetter }: Scoring): RowChange {
  const [base, ...others] = cells
  let loss = 0
  let gain = 0
  let isDifferent = cells.some((cell) => (cell === undefined) !== (base === undefined))
  for (const other of others) {
    if (base === undefined || other === undefined) continue
    if (base.trials.map(outputKey).join() !== other.trials.map(outputKey).join()) isDifferent = true
    for (const column of columns) {
      const from = base.scores.get(column.name)
      const to = other.scores.get(column.name)
      // A missing score counts as a full loss: most likely the scorer or the model failed.
      const change =
        from === undefined || to === undefined
          ? Number(to !== undefined) - Number(from !== undefined)
          : (normalize(column, to) - normalize(column, from)) * (lowerIsBetter.has(column.name) ? -1 : 1)
      if (Math.abs(change) < EPSILON) continue
      isDifferent = true
      if (change < 0) loss = Math.max(loss, -change)
      else gain = Math.max(gain, change)
    }
  }
  return { loss, gain, isDifferent, meanScore: normalizedMean(base, columns, lowerIsBetter) }
}

function outputKey(trial: MatrixTrial): string {
  return trial.outputKey
}

/** Scales a value to 0..1 within the range of the score. */
function normalize({ min, max, isBoolean }: ScoreColumn, value: number): number {
  if (isBoolean) return value
  return max - min < EPSILON ? 0 : (value - min) / (max - min)
}

function normalizedMean(
  cell: MatrixCell | undefined,
  columns: readonly ScoreColumn[],
  lowerIsBetter: ReadonlySet<string>,
): number | undefined {
  const values = columns.flatMap((column) => {
    const value = cell?.scores.get(column.name)
    if (value === undefined) return []
    const normalized = column.isBoolean || column.max - column.min >= EPSILON ? normalize(column, value) : 1
    return lowerIsBetter.has(column.name) ? 1 - normalized : normalized
  })
  return values.length === 0 ? undefined : values.reduce((sum, each) => sum + each, 0) / values.length
}

/** Whether a boolean score is negative, or the example has no scores. */
export function isFailed(cell: MatrixCell | undefined, { columns, lowerIsBetter }: Scoring): boolean {
  if (cell === undefined || cell.scores.size === 0) return true
  return columns.some(({ name, isBoolean }) => {
    const value = cell.scores.get(name)
    if (!isBoolean || value === undefined) return false
    return lowerIsBetter.has(name) ? value > EPSILON : value < 1 - EPSILON
  })
}

export const MATRIX_FILTERS = ['all', 'regressed', 'improved', 'changed', 'failed'] as const
export type MatrixFilter = (typeof MATRIX_FILTERS)[number]

export const MATRIX_ORDERS = ['regressions', 'improvements', 'dataset'] as const
export type MatrixOrder = (typeof MATRIX_ORDERS)[number]

export interface ScoredRow extends MatrixRow {
  readonly change: RowChange
  readonly isFailed: boolean
}

export function scoreRows(rows: readonly MatrixRow[], scoring: Scoring): readonly ScoredRow[] {
  return rows.map((row) => ({
    ...row,
    change: rowChange(row, scoring),
    isFailed: isFailed(row.cells[0], scoring),
  }))
}

export function matchesFilter({ change, isFailed }: ScoredRow, filter: MatrixFilter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'regressed':
      return change.loss > 0
    case 'improved':
      return change.gain > 0
    case 'changed':
      return change.isDifferent
    case 'failed':
      return isFailed
  }
}

/** Sorts regressions first, improvements first, or in dataset order. */
export function sortRows(
  rows: readonly ScoredRow[],
  order: MatrixOrder,
  runCount: number,
): readonly ScoredRow[] {
  if (order === 'dataset') return [...rows].sort((a, b) => a.index - b.index)
  return [...rows].sort((a, b) => {
    const by =
      runCount === 1
        ? compareMeanScores(a, b) * (order === 'regressions' ? 1 : -1)
        : order === 'regressions'
          ? compareChanges(a.change, b.change, 'loss', 'gain')
          : compareChanges(a.change, b.change, 'gain', 'loss')
    return by || a.index - b.index
  })
}

/** Lowest mean score first; rows without scores come before all others. */
function compareMeanScores(a: ScoredRow, b: ScoredRow): number {
  return (a.change.meanScore ?? -1) - (b.change.meanScore ?? -1)
}

type Direction = 'loss' | 'gain'

/** Largest wanted change first, then rows that only differ, then the opposite change, then equal rows. */
function compareChanges(a: RowChange, b: RowChange, wanted: Direction, other: Direction): number {
  const rank = (change: RowChange): number => {
    if (change[wanted] > 0) return 0
    return change[other] > 0 ? 2 : change.isDifferent ? 1 : 3
  }
  return b[wanted] - a[wanted] || rank(a) - rank(b) || a[other] - b[other]
}
