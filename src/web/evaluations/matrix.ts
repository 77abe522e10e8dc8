import type { ScoreValue } from './trial-scores.ts'

/** One trial of an example in a run. */
export interface MatrixTrial {
  readonly callId: string
  /** How the output begins. */
  readonly outputText: string
  /** The same for the same output, however long. */
  readonly outputKey: string
  readonly scores: ReadonlyMap<string, ScoreValue>
  readonly latencyMs: number | undefined
  readonly tokens: number | undefined
  readonly cost: number | undefined
}

/** An example in one run. */
export interface MatrixCell {
  readonly trials: readonly MatrixTrial[]
  /** Means over its trials; a verdict counts as 1 or 0. */
  readonly scores: ReadonlyMap<string, number>
}

/** An example in every run. */
export interface MatrixRow {
  readonly digest: string
  /** Its place in the order that the server told. */
  readonly index: number
  readonly inputText: string
  /** By number of the run; undefined where a run did not have it. */
  readonly cells: readonly (MatrixCell | undefined)[]
}

export function cellOf(trials: readonly MatrixTrial[]): MatrixCell {
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

/** What is measured, over all examples and runs. */
export interface ScoreColumn {
  readonly name: string
  /** Only ever true or false: its mean is a share. */
  readonly isVerdict: boolean
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
        const known = columns.get(name) ?? { name, isVerdict: true, min: number, max: number }
        columns.set(name, {
          name,
          isVerdict: known.isVerdict && typeof value === 'boolean',
          min: Math.min(known.min, number),
          max: Math.max(known.max, number),
        })
      }
    }
  }
  return [...columns.values()]
}

/** How an example fares in the other runs, measured by the first; of a single run, how it fares at all. */
export interface Verdict {
  /** The largest loss of a score in any run, as a part of how far that score ranges: from pass to fail it is 1. */
  readonly loss: number
  readonly gain: number
  /** Scores or outputs are not the same, or a run has not tried it. */
  readonly isDifferent: boolean
  /** Of the run that is measured, from 0 to 1; undefined without scores. */
  readonly goodness: number | undefined
}

export interface Measure {
  readonly columns: readonly ScoreColumn[]
  /** Names of scores of which less is better. */
  readonly lowerIsBetter: ReadonlySet<string>
}

/** Rounding is no difference. */
const TINY = 1e-9

function verdictOf({ cells }: MatrixRow, { columns, lowerIsBetter }: Measure): Verdict {
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
      // A scorer that has nothing to say any more has most likely failed, as the model may have.
      const change =
        from === undefined || to === undefined
          ? Number(to !== undefined) - Number(from !== undefined)
          : (part(column, to) - part(column, from)) * (lowerIsBetter.has(column.name) ? -1 : 1)
      if (Math.abs(change) < TINY) continue
      isDifferent = true
      if (change < 0) loss = Math.max(loss, -change)
      else gain = Math.max(gain, change)
    }
  }
  return { loss, gain, isDifferent, goodness: goodnessOf(base, columns, lowerIsBetter) }
}

function outputKey(trial: MatrixTrial): string {
  return trial.outputKey
}

/** Where a value lies between the least and the most. */
function part({ min, max, isVerdict }: ScoreColumn, value: number): number {
  if (isVerdict) return value
  return max - min < TINY ? 0 : (value - min) / (max - min)
}

function goodnessOf(
  cell: MatrixCell | undefined,
  columns: readonly ScoreColumn[],
  lowerIsBetter: ReadonlySet<string>,
): number | undefined {
  const parts = columns.flatMap((column) => {
    const value = cell?.scores.get(column.name)
    if (value === undefined) return []
    const at = column.isVerdict || column.max - column.min >= TINY ? part(column, value) : 1
    return lowerIsBetter.has(column.name) ? 1 - at : at
  })
  return parts.length === 0 ? undefined : parts.reduce((sum, each) => sum + each, 0) / parts.length
}

/** Whether a verdict of the first run went against the example, or there is none. */
function isFailed({ cells: [cell] }: MatrixRow, { columns, lowerIsBetter }: Measure): boolean {
  if (cell === undefined || cell.scores.size === 0) return true
  return columns.some(({ name, isVerdict }) => {
    const value = cell.scores.get(name)
    if (!isVerdict || value === undefined) return false
    return lowerIsBetter.has(name) ? value > TINY : value < 1 - TINY
  })
}

export const FILTERS = ['all', 'worse', 'better', 'differ', 'failed'] as const
export type MatrixFilter = (typeof FILTERS)[number]

export const ORDERS = ['regressions', 'improvements', 'dataset'] as const
export type MatrixOrder = (typeof ORDERS)[number]

export interface JudgedRow extends MatrixRow {
  readonly verdict: Verdict
  readonly isFailed: boolean
}

export function judge(rows: readonly MatrixRow[], measure: Measure): readonly JudgedRow[] {
  return rows.map((row) => ({ ...row, verdict: verdictOf(row, measure), isFailed: isFailed(row, measure) }))
}

export function fits({ verdict, isFailed }: JudgedRow, filter: MatrixFilter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'worse':
      return verdict.loss > 0
    case 'better':
      return verdict.gain > 0
    case 'differ':
      return verdict.isDifferent
    case 'failed':
      return isFailed
  }
}

/** Regressions or improvements first, or as the dataset has them. */
export function inOrder(
  rows: readonly JudgedRow[],
  order: MatrixOrder,
  runCount: number,
): readonly JudgedRow[] {
  if (order === 'dataset') return [...rows].sort((a, b) => a.index - b.index)
  return [...rows].sort((a, b) => {
    const by =
      runCount === 1
        ? goodnessOrder(a, b) * (order === 'regressions' ? 1 : -1)
        : order === 'regressions'
          ? changeOrder(a.verdict, b.verdict, 'loss', 'gain')
          : changeOrder(a.verdict, b.verdict, 'gain', 'loss')
    return by || a.index - b.index
  })
}

/** The worst first; what has no score is worse than all. */
function goodnessOrder(a: JudgedRow, b: JudgedRow): number {
  return (a.verdict.goodness ?? -1) - (b.verdict.goodness ?? -1)
}

type Change = 'loss' | 'gain'

/** The most of what is looked for on top, then what only differs, then the opposite, then what is the same. */
function changeOrder(a: Verdict, b: Verdict, wanted: Change, other: Change): number {
  const rank = (verdict: Verdict): number => {
    if (verdict[wanted] > 0) return 0
    return verdict[other] > 0 ? 2 : verdict.isDifferent ? 1 : 3
  }
  return b[wanted] - a[wanted] || rank(a) - rank(b) || a[other] - b[other]
}
