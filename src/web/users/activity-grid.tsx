import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { GridColumn } from '../ui/data-grid/column.ts'
import { DataGrid } from '../ui/data-grid/data-grid.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { activityColumns } from './activity-columns.tsx'
import type { Activity, ActivityRank } from './read-groups.ts'

interface Props {
  /** What a row is, in the plural: `users`. */
  readonly noun: 'users' | 'sessions'
  readonly query: UseQueryResult<readonly Activity[]>
  readonly nameColumn: GridColumn<Activity>
  readonly rank: ActivityRank
  readonly onRank: (rank: string | undefined) => void
  /** Shown instead of an empty list. */
  readonly empty: ReactNode
}

/** Users or sessions with their totals, ranked by one of them. */
export function ActivityGrid({ noun, query, nameColumn, rank, onRank, empty }: Props) {
  const columns = useMemo(() => [nameColumn, ...activityColumns()], [nameColumn])
  const rows = query.data ?? []
  if (query.isError && query.data === undefined)
    return <ErrorNotice error={query.error} retry={() => void query.refetch()} />
  if (query.isSuccess && rows.length === 0) return empty
  return (
    <DataGrid
      role="table"
      label={noun === 'users' ? 'Users' : 'Sessions'}
      regionLabel={`List of ${noun}`}
      layoutName={noun}
      isRoomy
      rows={rows}
      rowId={({ key }) => key}
      columns={columns}
      rowHeightPx={40}
      sort={{ id: rank, desc: true }}
      onSort={({ id }) => onRank(id === 'count' ? undefined : id)}
      isBusy={query.isPlaceholderData}
    />
  )
}
