import { useMemo } from 'react'
import type { Project } from '../api/project.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { leaderboardRows } from './leaderboard.ts'
import { LeaderboardTable } from './leaderboard-table.tsx'
import { publishedColumns, readLeaderboard } from './published-leaderboard.ts'
import styles from './run-views.module.css'
import { useRuns } from './use-runs.ts'

interface Props {
  readonly project: Project
  /** The published value. */
  readonly val: string
  readonly sort: string | undefined
  readonly onSort: (sort: string) => void
}

/** A leaderboard that the Python SDK published, with the newest run of each model version. */
export function PublishedLeaderboardView({ project, val, sort, onSort }: Props) {
  const board = useMemo(() => readLeaderboard(val), [val])
  const columns = useMemo(() => publishedColumns(board), [board])
  const filter = useMemo(
    () => ({ evaluationRefs: [...new Set(board.columns.map(({ evaluationRef }) => evaluationRef))] }),
    [board],
  )
  const { list, runs, isComplete } = useRuns(project, filter, true)
  const rows = useMemo(
    () => leaderboardRows(runs, columns, { pick: 'newest', hasVersions: true }),
    [runs, columns],
  )
  if (columns.length === 0)
    return (
      <EmptyState icon="evaluations" title="No columns">
        This leaderboard names no evaluation and scorer. Its value has what was published.
      </EmptyState>
    )
  if (list.isError && runs.length === 0)
    return <ErrorNotice error={list.error} retry={() => void list.refetch()} />
  if (!isComplete)
    return (
      <p className="loading" role="status">
        Loading runs… {formatCount(runs.length)}
      </p>
    )
  if (rows.length === 0)
    return (
      <EmptyState icon="evaluations" title="No runs yet">
        Models appear here when they are evaluated with the evaluation versions of this leaderboard.
      </EmptyState>
    )
  return (
    <>
      {board.description !== '' && (
        <p className={styles.description} dir="auto">
          {visibleText(board.description)}
        </p>
      )}
      <LeaderboardTable label="Leaderboard" columns={columns} rows={rows} sort={sort} onSort={onSort} />
    </>
  )
}
