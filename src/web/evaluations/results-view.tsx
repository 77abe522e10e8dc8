import { SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { projectParams, type Project } from '../api/project.ts'
import { MAX_COMPARED } from '../compare/compared-ids.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { toggled } from '../ui/toggled.ts'
import { visibleText } from '../ui/visible-text.ts'
import {
  matchesFilter,
  sortRows,
  scoreRows,
  type ScoredRow,
  type MatrixFilter,
  type MatrixOrder,
  MATRIX_FILTERS,
  MATRIX_ORDERS,
  scoreColumns,
  type Scoring,
} from './matrix.ts'
import { MatrixTable } from './matrix-table.tsx'
import { MAX_ROWS } from './read-results.ts'
import styles from './results-view.module.css'
import { ScoreCards } from './score-cards.tsx'
import { SliceMenu } from './slice-menu.tsx'
import { SliceTable } from './slice-table.tsx'
import { sliceKey } from './slices.ts'
import { summarizeRuns } from './summary.ts'
import type { Results } from './use-results.ts'
import { Verdicts } from './verdicts.tsx'
import type { Search, SearchChange } from '../search-state.ts'

interface Props {
  readonly project: Project
  readonly results: Results
  readonly search: Search<'results'>
  /** Makes another run the baseline. */
  readonly onSetBaseline?: (n: number) => void
  readonly onChange: (next: SearchChange<'results'>) => void
}

/** Summary and per-example results of one run, or of several runs side by side. */
export function ResultsView({ project, results, search, onSetBaseline, onChange }: Props) {
  const navigate = useNavigate()
  const runCount = results.runs?.length ?? 0
  const columns = useMemo(() => scoreColumns(results.rows), [results.rows])
  const lowerIsBetter = useMemo(
    () => new Set((search.lower ?? '').split(',').filter((name) => name !== '')),
    [search.lower],
  )
  const selectedScore = columns.some(({ name }) => name === search.by) ? search.by : undefined
  const scoring = useMemo(() => {
    const used = selectedScore === undefined ? columns : columns.filter(({ name }) => name === selectedScore)
    return { columns: used, lowerIsBetter }
  }, [columns, selectedScore, lowerIsBetter])
  const sliceBy = search.slice
  const scored = useMemo(() => {
    const all = scoreRows(results.rows, scoring)
    return sliceBy === undefined || search.value === undefined
      ? all
      : all.filter((row) => sliceKey(row, sliceBy) === search.value)
  }, [results.rows, scoring, sliceBy, search.value])
  const filter: MatrixFilter = MATRIX_FILTERS.find((each) => each === search.show) ?? 'all'
  const order: MatrixOrder = MATRIX_ORDERS.find((each) => each === search.order) ?? 'regressions'
  const rows = useMemo(
    () =>
      sortRows(
        scored.filter((row) => matchesFilter(row, filter)),
        order,
        runCount,
      ),
    [scored, filter, order, runCount],
  )
  const metrics = useMemo(
    () => summarizeRuns(results.rows, columns, results.runs ?? []),
    [results.rows, columns, results.runs],
  )
  const filters: readonly MatrixFilter[] =
    runCount > 1 ? ['all', 'regressed', 'improved', 'changed'] : ['all', 'failed']

  const open = ({ digest, cells }: ScoredRow): void => {
    const calls = cells
      .flatMap((cell) => cell?.trials.map(({ callId }) => callId) ?? [])
      .slice(0, MAX_COMPARED)
    // Keep the example selected when the user comes back.
    onChange({ example: digest })
    const [only, ...others] = calls
    if (only === undefined) return
    if (others.length === 0)
      void navigate({
        to: '/$entity/$project/weave/calls/$call_id',
        params: { ...projectParams(project), call_id: only },
        search: {},
      })
    else
      void navigate({
        to: '/$entity/$project/weave/compare',
        params: projectParams(project),
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
      label: runCount > 1 ? 'Compare calls' : 'Open call',
      run: () => {
        const row = rows[at]
        if (row !== undefined) open(row)
      },
    },
    { keys: 'f', label: 'Next filter', run: nextFilter },
  ])

  if (results.error !== null && results.rows.length === 0)
    return <ErrorNotice error={results.error} retry={results.retry} />
  if (results.runs === undefined || (results.rows.length === 0 && !results.isComplete))
    return (
      <p className="loading" role="status">
        Loading results…
      </p>
    )
  if (results.rows.length === 0)
    return (
      <EmptyState icon="evaluations" title="No examples yet">
        {runCount > 1 ? 'None of these runs has' : 'This run has no'} results yet. Examples appear here as
        they are scored.
      </EmptyState>
    )
  return (
    <>
      <ScoreCards
        metrics={metrics}
        runCount={runCount}
        lowerIsBetter={lowerIsBetter}
        selectedScore={selectedScore}
        onSelectScore={(score) => onChange({ by: score })}
        onToggleDirection={(score) =>
          onChange({ lower: [...toggled(lowerIsBetter, score)].join(',') || undefined })
        }
      />
      {results.isComplete && runCount > 1 && (
        <Verdicts project={project} runs={results.runs} lowerIsBetter={lowerIsBetter} />
      )}
      <div className={styles.tools}>
        <SegmentedControl
          aria-label="Filter examples"
          value={filters.includes(filter) ? filter : 'all'}
          onChange={(value) => onChange({ show: value === 'all' ? undefined : value })}
          data={filters.map((each) => ({
            value: each,
            label: `${FILTER_LABELS[each]} ${formatCount(scored.filter((row) => matchesFilter(row, each)).length)}`,
          }))}
        />
        <SegmentedControl
          aria-label="Sort examples"
          value={order}
          onChange={(value) => onChange({ order: value === 'regressions' ? undefined : value })}
          data={MATRIX_ORDERS.map((each) => ({
            value: each,
            label: (runCount > 1 ? ORDER_LABELS : SINGLE_RUN_ORDER_LABELS)[each],
          }))}
        />
        <SliceMenu
          rows={results.rows}
          path={sliceBy}
          value={search.value}
          onPath={(slice) => onChange({ slice, value: undefined, slicesort: undefined })}
          onClear={() => onChange({ value: undefined })}
        />
        <span className="faint">
          {selectedScore !== undefined && (
            <>
              Score: <span className="isolate">{visibleText(selectedScore)}</span>
            </>
          )}
        </span>
      </div>
      {results.warnings.map((warning) => (
        <p key={warning} className={styles.warning} role="note">
          {warning}
        </p>
      ))}
      {sliceBy !== undefined && (
        <Slices results={results} path={sliceBy} scoring={scoring} search={search} onChange={onChange} />
      )}
      {rows.length === 0 ? (
        <EmptyState icon="filter" title={EMPTY_TITLES[filter]}>
          {selectedScore === undefined
            ? 'Select “All” to see the other examples.'
            : `Only the score ${selectedScore} is used.`}
        </EmptyState>
      ) : (
        <MatrixTable
          runs={results.runs}
          rows={rows}
          columns={columns}
          lowerIsBetter={lowerIsBetter}
          cursor={search.example}
          onOpen={open}
          onSetBaseline={onSetBaseline}
          foot={footText(results, rows.length)}
        />
      )}
    </>
  )
}

interface SlicesProps extends Pick<Props, 'results' | 'search' | 'onChange'> {
  readonly path: string
  readonly scoring: Scoring
}

/** The slices of all examples: numbers of a part of them would be wrong. */
function Slices({ results, path, scoring, search, onChange }: SlicesProps) {
  const selectSlice = useCallback((value: string | undefined) => onChange({ value }), [onChange])
  if (results.isComplete && results.total > MAX_ROWS)
    return (
      <p className={styles.warning} role="note">
        Slices need all examples. There are {formatCount(results.total)}, and this page reads{' '}
        {formatCount(MAX_ROWS)} of them.
      </p>
    )
  if (!results.isComplete)
    return (
      <p className="loading" role="status">
        Loading examples… {formatCount(results.rows.length)} of {formatCount(results.total)}
      </p>
    )
  return (
    <SliceTable
      rows={results.rows}
      path={path}
      scoring={scoring}
      runCount={results.runs?.length ?? 0}
      selected={search.value}
      onSelect={selectSlice}
      sort={search.slicesort}
      onSort={(slicesort) => onChange({ slicesort })}
    />
  )
}

const FILTER_LABELS: Readonly<Record<MatrixFilter, string>> = {
  all: 'All',
  regressed: 'Regressed',
  improved: 'Improved',
  changed: 'Changed',
  failed: 'Failed',
}

const EMPTY_TITLES: Readonly<Record<MatrixFilter, string>> = {
  all: 'No examples',
  regressed: 'No regressions',
  improved: 'No improvements',
  changed: 'No differences between the runs',
  failed: 'All examples passed',
}

const ORDER_LABELS: Readonly<Record<MatrixOrder, string>> = {
  regressions: 'Regressions first',
  improvements: 'Improvements first',
  dataset: 'Original order',
}

const SINGLE_RUN_ORDER_LABELS: Readonly<Record<MatrixOrder, string>> = {
  regressions: 'Worst first',
  improvements: 'Best first',
  dataset: 'Original order',
}

function footText(results: Results, count: number): string {
  if (!results.isComplete)
    return `Loading… ${formatCount(results.rows.length)} of ${formatCount(results.total)}`
  if (results.total > MAX_ROWS)
    return `First ${formatCount(MAX_ROWS)} of ${formatCount(results.total)} examples`
  return count === 1 ? '1 example' : `${formatCount(count)} examples`
}
