import type { MetricKind } from './metric-format.ts'
import type { NamedVersion, Run } from './run.ts'
import { runMetrics } from './run-metrics.ts'

/** One metric of one evaluation. */
export interface LeaderboardColumn {
  readonly id: string
  readonly label: string
  readonly kind: MetricKind
  /** Lower values are better. */
  readonly isLower: boolean
  readonly isOf: (run: Run) => boolean
  readonly value: (run: Run) => number | undefined
  /** Whether the value is a lower bound. */
  readonly isPartial: (run: Run) => boolean
}

export interface LeaderboardCell {
  readonly run: Run
  readonly value: number | undefined
  readonly isPartial: boolean
  readonly isBest: boolean
}

export interface LeaderboardRow {
  readonly id: string
  /** Without a digest if the row is for all versions of a name. */
  readonly model: NamedVersion
  readonly runCount: number
  /** By column id; missing where the model has no run of the evaluation. */
  readonly cells: ReadonlyMap<string, LeaderboardCell>
}

interface Options {
  /** Of several runs of a model: the value of the newest one, or the best value. */
  readonly pick: 'newest' | 'best'
  /** A row for each version of a model, not for each name. */
  readonly hasVersions: boolean
}

/** The columns of runs: each metric of each evaluation. */
export function leaderboardColumns(
  runs: readonly Run[],
  lowerIsBetter: ReadonlySet<string>,
): readonly LeaderboardColumn[] {
  const evaluations = [...new Set(runs.map(({ evaluation }) => evaluation.name))].sort()
  return evaluations.flatMap((name) => {
    const isOf = ({ evaluation }: Run): boolean => evaluation.name === name
    return runMetrics(runs.filter(isOf)).map((metric) => ({
      id: `${name}:${metric.id}`,
      label: evaluations.length === 1 ? metric.label : `${name} · ${metric.label}`,
      kind: metric.kind,
      isLower: metric.score === undefined || lowerIsBetter.has(metric.score),
      isOf,
      value: metric.value,
      isPartial: metric.isPartial,
    }))
  })
}

/** A row for each model. `runs` are newest first. */
export function leaderboardRows(
  runs: readonly Run[],
  columns: readonly LeaderboardColumn[],
  { pick, hasVersions }: Options,
): readonly LeaderboardRow[] {
  const models = new Map<string, Run[]>()
  for (const run of runs) {
    const id = hasVersions ? `${run.model.name}:${run.model.digest}` : run.model.name
    models.set(id, [...(models.get(id) ?? []), run])
  }
  const rows = [...models].flatMap(([id, own]) => {
    const [newest] = own
    if (newest === undefined) return []
    const cells = columns.flatMap((column) => {
      const run = pickRun(own.filter(column.isOf), column, pick)
      return run === undefined
        ? []
        : [[column.id, { run, value: column.value(run), isPartial: column.isPartial(run) }] as const]
    })
    const model = hasVersions ? newest.model : { ...newest.model, digest: '' }
    return [{ id, model, runCount: own.length, cells: new Map(cells) }]
  })
  const best = new Map(columns.map((column) => [column.id, bestValue(column, rows)]))
  return rows.map((row) => ({
    ...row,
    cells: new Map(
      [...row.cells].map(([id, cell]) => {
        const isBest = !cell.isPartial && cell.value !== undefined && cell.value === best.get(id)
        return [id, { ...cell, isBest }]
      }),
    ),
  }))
}

function pickRun(
  runs: readonly Run[],
  { value, isPartial, isLower }: LeaderboardColumn,
  pick: Options['pick'],
): Run | undefined {
  // A run in progress has no scores yet.
  const newest = runs.find(({ scores }) => scores.length > 0) ?? runs[0]
  if (pick === 'newest') return newest
  return (
    runs
      .filter((run) => value(run) !== undefined)
      .reduce<Run | undefined>((best, run) => {
        if (best === undefined) return run
        if (isPartial(best) !== isPartial(run)) return isPartial(best) ? run : best
        return isBetter(value(run), value(best), isLower) ? run : best
      }, undefined) ?? newest
  )
}

type Measured = Pick<LeaderboardCell, 'value' | 'isPartial'>

/**
 * The best value of a column; undefined with fewer than two values to compare, or if a lower bound leaves open which is
 * the best.
 */
function bestValue(
  { id, isLower }: LeaderboardColumn,
  rows: readonly { readonly cells: ReadonlyMap<string, Measured> }[],
): number | undefined {
  const cells = rows.flatMap(({ cells: each }) => each.get(id) ?? [])
  const known = cells.flatMap(({ value, isPartial }) => (value === undefined || isPartial ? [] : [value]))
  const bounds = cells.filter(({ isPartial }) => isPartial).map(({ value }) => value ?? 0)
  if (known.length === 0 || known.length + bounds.length < 2) return undefined
  const best = isLower ? Math.min(...known) : Math.max(...known)
  return bounds.some((bound) => !isLower || bound < best) ? undefined : best
}

function isBetter(a: number | undefined, b: number | undefined, isLower: boolean): boolean {
  if (a === undefined || b === undefined) return a !== undefined
  return isLower ? a < b : a > b
}

/** Sorts by the values of a column, missing values last. */
export function sortLeaderboard(
  rows: readonly LeaderboardRow[],
  sort: { readonly id: string; readonly desc: boolean },
): readonly LeaderboardRow[] {
  return rows.toSorted((a, b) => {
    const [left, right] = [a.cells.get(sort.id)?.value, b.cells.get(sort.id)?.value]
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined)
    return sort.desc ? right - left : left - right
  })
}
