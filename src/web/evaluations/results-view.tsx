import { SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { inPath, type Project } from '../api/project.ts'
import { MOST_CALLS } from '../compare/compare-search.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import type { ResultsSearch } from './evaluations-search.ts'
import {
  fits,
  inOrder,
  judge,
  type JudgedRow,
  type MatrixFilter,
  type MatrixOrder,
  FILTERS,
  ORDERS,
  scoreColumns,
} from './matrix.ts'
import { MatrixTable } from './matrix-table.tsx'
import { MOST_ROWS } from './read-results.ts'
import styles from './results-view.module.css'
import { ScoreCards } from './score-cards.tsx'
import { summaryOf } from './summary.ts'
import type { Results } from './use-results.ts'

interface Props {
  readonly project: Project
  readonly results: Results
  readonly runIds: readonly string[]
  readonly search: ResultsSearch
  /** Measures the others by another run. */
  readonly onFirst?: (n: number) => void
  readonly onChange: (next: { [Key in keyof ResultsSearch]: ResultsSearch[Key] | undefined }) => void
}

/** What runs came to and what they made of every example, of one run or of several side by side. */
export function ResultsView({ project, results, runIds, search, onFirst, onChange }: Props) {
  const navigate = useNavigate()
  const runCount = runIds.length
  const columns = useMemo(() => scoreColumns(results.rows), [results.rows])
  const lowerIsBetter = useMemo(
    () => new Set((search.lower ?? '').split(',').filter((name) => name !== '')),
    [search.lower],
  )
  const by = columns.some(({ name }) => name === search.by) ? search.by : undefined
  const judged = useMemo(() => {
    const measured = by === undefined ? columns : columns.filter(({ name }) => name === by)
    return judge(results.rows, { columns: measured, lowerIsBetter })
  }, [results.rows, columns, by, lowerIsBetter])
  const filter: MatrixFilter = FILTERS.find((each) => each === search.show) ?? 'all'
  const order: MatrixOrder = ORDERS.find((each) => each === search.order) ?? 'regressions'
  const rows = useMemo(
    () =>
      inOrder(
        judged.filter((row) => fits(row, filter)),
        order,
        runCount,
      ),
    [judged, filter, order, runCount],
  )
  const measures = useMemo(
    () => summaryOf(results.rows, columns, runCount),
    [results.rows, columns, runCount],
  )
  const filters: readonly MatrixFilter[] =
    runCount > 1 ? ['all', 'worse', 'better', 'differ'] : ['all', 'failed']

  const open = ({ digest, cells }: JudgedRow): void => {
    const calls = cells.flatMap((cell) => cell?.trials.map(({ callId }) => callId) ?? []).slice(0, MOST_CALLS)
    // The example stays marked for whoever comes back.
    onChange({ example: digest })
    const [only, ...others] = calls
    if (only === undefined) return
    if (others.length === 0)
      void navigate({
        to: '/$entity/$project/weave/calls/$call_id',
        params: { ...inPath(project), call_id: only },
        search: {},
      })
    else
      void navigate({
        to: '/$entity/$project/weave/compare',
        params: inPath(project),
        search: { calls: calls.join(',') },
      })
  }
  const at = rows.findIndex(({ digest }) => digest === search.example)
  const move = (step: number): void =>
    onChange({ example: rows[Math.max(0, Math.min(rows.length - 1, at === -1 ? 0 : at + step))]?.digest })
  const nextFilter = (): void => {
    const next = filters[(filters.indexOf(filter) + 1) % filters.length]
    onChange({ show: next === 'all' ? undefined : next })
  }
  useShortcuts('Examples', [
    { keys: 'j ArrowDown', label: 'Next example', run: () => move(1) },
    { keys: 'k ArrowUp', label: 'Previous example', run: () => move(-1) },
    {
      keys: 'Enter',
      label: runCount > 1 ? 'Open its calls side by side' : 'Open its call',
      run: () => {
        const row = rows[at]
        if (row !== undefined) open(row)
      },
    },
    { keys: 'f', label: 'Next filter', run: nextFilter },
  ])

  if (results.error !== null && results.rows.length === 0)
    return <Failure error={results.error} retry={results.retry} />
  if (results.runs === undefined || (results.rows.length === 0 && !results.isWhole))
    return (
      <p className={styles.waiting} role="status">
        Reading the results…
      </p>
    )
  if (results.rows.length === 0)
    return (
      <Empty icon="evaluations" title="No examples yet">
        {runCount > 1 ? 'None of these runs has' : 'This run has not'} tried an example so far. They appear
        here as they are scored.
      </Empty>
    )
  return (
    <>
      <ScoreCards
        measures={measures}
        runCount={runCount}
        lowerIsBetter={lowerIsBetter}
        by={by}
        onBy={(score) => onChange({ by: score })}
        onLower={(score) => onChange({ lower: toggled(lowerIsBetter, score) })}
      />
      <div className={styles.tools}>
        <SegmentedControl
          aria-label="Which examples are shown"
          value={filters.includes(filter) ? filter : 'all'}
          onChange={(value) => onChange({ show: value === 'all' ? undefined : value })}
          data={filters.map((each) => ({
            value: each,
            label: `${FILTER_WORDS[each]} ${formatCount(judged.filter((row) => fits(row, each)).length)}`,
          }))}
        />
        <SegmentedControl
          aria-label="Order of the examples"
          value={order}
          onChange={(value) => onChange({ order: value === 'regressions' ? undefined : value })}
          data={ORDERS.map((each) => ({
            value: each,
            label: (runCount > 1 ? ORDER_WORDS : ORDER_WORDS_ALONE)[each],
          }))}
        />
        <span className={styles.about}>
          {by !== undefined && (
            <>
              judged by <span className="foreign">{visibleText(by)}</span>
            </>
          )}
        </span>
      </div>
      {results.warnings.map((warning) => (
        <p key={warning} className={styles.warning} role="note">
          {warning}
        </p>
      ))}
      {rows.length === 0 ? (
        <Empty icon="filter" title={NONE_WORDS[filter]}>
          {by === undefined ? 'Look at all examples to see the rest.' : `Judged by ${by} alone.`}
        </Empty>
      ) : (
        <MatrixTable
          runs={results.runs}
          rows={rows}
          columns={columns}
          lowerIsBetter={lowerIsBetter}
          cursor={search.example}
          onOpen={open}
          onFirst={onFirst}
          foot={footText(results, rows.length)}
        />
      )}
    </>
  )
}

const FILTER_WORDS: Readonly<Record<MatrixFilter, string>> = {
  all: 'All',
  worse: 'Got worse',
  better: 'Got better',
  differ: 'Differ',
  failed: 'Not passed',
}

const NONE_WORDS: Readonly<Record<MatrixFilter, string>> = {
  all: 'No examples',
  worse: 'No example got worse',
  better: 'No example got better',
  differ: 'The runs do not differ',
  failed: 'Every example passed',
}

const ORDER_WORDS: Readonly<Record<MatrixOrder, string>> = {
  regressions: 'Regressions first',
  improvements: 'Improvements first',
  dataset: 'As tried',
}

const ORDER_WORDS_ALONE: Readonly<Record<MatrixOrder, string>> = {
  regressions: 'Worst first',
  improvements: 'Best first',
  dataset: 'As tried',
}

function toggled(names: ReadonlySet<string>, name: string): string | undefined {
  const next = new Set(names)
  if (!next.delete(name)) next.add(name)
  return next.size === 0 ? undefined : [...next].join(',')
}

function footText(results: Results, count: number): string {
  if (!results.isWhole) return `Reading… ${formatCount(results.rows.length)} of ${formatCount(results.total)}`
  if (results.total > MOST_ROWS)
    return `These are of the first ${formatCount(MOST_ROWS)} of ${formatCount(results.total)} examples`
  return `That is all: ${formatCount(count)}`
}
