import { useMemo } from 'react'
import type { GridColumn } from '../ui/data-grid/column.ts'
import { DataGrid } from '../ui/data-grid/data-grid.tsx'
import { formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import {
  type LeaderboardCell,
  type LeaderboardColumn,
  type LeaderboardRow,
  sortLeaderboard,
} from './leaderboard.ts'
import styles from './leaderboard-table.module.css'
import { exactMetricValue, formatMetricValue } from './metric-format.ts'
import { RunLink } from './run-link.tsx'
import { ModelName } from './run-table.tsx'

interface Props {
  readonly label: string
  readonly columns: readonly LeaderboardColumn[]
  readonly rows: readonly LeaderboardRow[]
  /** Id of a column, after `-` if descending. Default: the best of the first column first. */
  readonly sort: string | undefined
  readonly onSort: (sort: string) => void
}

/** Table of models × metrics. The best value of each column is marked; each value links to its run. */
export function LeaderboardTable({ label, columns, rows, sort, onSort }: Props) {
  const [first] = columns
  const sorted = columns.find(({ id }) => id === sort?.replace(/^-/, ''))
  const by = useMemo(
    () =>
      sorted === undefined
        ? { id: first?.id ?? '', desc: first?.isLower !== true }
        : { id: sorted.id, desc: sort?.startsWith('-') === true },
    [sorted, first, sort],
  )
  const ordered = useMemo(() => sortLeaderboard(rows, by), [rows, by])
  const gridColumns = useMemo(
    (): readonly GridColumn<LeaderboardRow>[] => [
      {
        id: 'model',
        label: 'Model',
        width: 'minmax(180px, 1.4fr)',
        isRowHeader: true,
        cell: ({ model }) => <ModelName model={model} />,
      },
      ...columns.map((column): GridColumn<LeaderboardRow> => ({
        id: column.id,
        label: `${visibleText(column.label)} ${column.isLower ? '↓' : '↑'}`,
        title: `${column.label}: ${column.isLower ? 'lower' : 'higher'} is better`,
        width: 'minmax(130px, 1fr)',
        isNumber: true,
        isSortable: true,
        cell: ({ cells }) => <Cell column={column} cell={cells.get(column.id)} />,
      })),
      {
        id: 'runs',
        label: 'Runs',
        width: '70px',
        isNumber: true,
        cell: ({ runCount }) => formatCount(runCount),
      },
    ],
    [columns],
  )
  return (
    <DataGrid
      label={label}
      regionLabel={`${label}, table`}
      role="table"
      rows={ordered}
      rowId={({ id }) => id}
      columns={gridColumns}
      rowHeightPx={40}
      sort={by}
      onSort={({ id, desc }) => onSort(desc ? `-${id}` : id)}
      footer="★ marks the best value of a column. A value opens its run."
    />
  )
}

function Cell(props: { readonly column: LeaderboardColumn; readonly cell: LeaderboardCell | undefined }) {
  const { column, cell } = props
  if (cell === undefined) return <span className="faint">not run</span>
  const { kind } = column
  return (
    <span className={styles.value} data-best={cell.isBest || undefined}>
      {cell.isBest && <span title="Best value">★</span>}
      <RunLink id={cell.run.id} title={exactMetricValue(kind, cell.value, cell.isPartial)}>
        {formatMetricValue(kind, cell.value, cell.isPartial)}
      </RunLink>
    </span>
  )
}
