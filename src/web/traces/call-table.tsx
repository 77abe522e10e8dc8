import { useCallback, useMemo } from 'react'
import type { Project } from '../api/project.ts'
import type { CallListItem } from '../call/call-list-item.ts'
import type { GridColumn } from '../ui/data-grid/column.ts'
import { DataGrid, type LoadedPages } from '../ui/data-grid/data-grid.tsx'
import { Cell, Matches, PathValues } from './cells.tsx'
import type { Column } from './columns.ts'
import type { ListQuery } from './list-query.ts'
import type { MatchedCall } from './use-search-list.ts'

type Call = CallListItem | MatchedCall

interface Props {
  readonly project: Project
  readonly calls: readonly Call[]
  readonly columns: readonly Column[]
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly sort: ListQuery['sort']
  /** Identifies the list. A new key scrolls the table to the top. */
  readonly listKey: string
  readonly isSearch: boolean
  readonly isStale: boolean
  /** The row that keyboard shortcuts act on. */
  readonly cursor: string | undefined
  readonly opened: string | undefined
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
  readonly onCursor: (id: string | undefined) => void
  readonly onOpen: (id: string) => void
  readonly onColumns: (columns: readonly Column[]) => void
  readonly onSort: (sort: string | undefined) => void
  readonly pages: LoadedPages
  readonly footer: string
}

const MATCH_COLUMN: Column = { name: 'match', label: 'Match', width: 'minmax(340px, 6fr)' }

/** The table of calls. */
export function CallTable({ project, calls, columns, values, isSearch, opened, onOpen, ...props }: Props) {
  const gridColumns = useMemo(
    () => (isSearch ? searchColumns(columns) : columns).map((column) => callColumn(project, column)),
    [project, columns, isSearch],
  )
  const cursorIndex = props.cursor === undefined ? -1 : calls.findIndex(({ id }) => id === props.cursor)
  // The default order is newest first.
  const sort = props.sort ?? { field: 'started_at', direction: 'desc' }
  const sorted = columns.find(({ sortField }) => sortField === sort.field)
  return (
    <PathValues value={values}>
      <DataGrid
        label="Calls"
        regionLabel="List of calls"
        layoutName="calls"
        rows={calls}
        rowId={({ id }) => id}
        columns={gridColumns}
        rowHeightPx={34}
        rowState={(call) => (call.id === opened ? 'open' : undefined)}
        {...(sorted !== undefined && { sort: { id: sorted.name, desc: sort.direction === 'desc' } })}
        onSort={({ id, desc }) => {
          const field = `${desc ? '-' : ''}${columns.find(({ name }) => name === id)?.sortField}`
          props.onSort(field === '-started_at' ? undefined : field)
        }}
        onOrder={(ids) => {
          // In a search, the match column is where the previews are.
          const position = ({ name }: Column): number => ids.indexOf(ids.includes(name) ? name : 'match')
          props.onColumns(columns.toSorted((a, b) => position(a) - position(b)))
        }}
        selection={{
          selected: props.selected,
          onSelect: props.onSelect,
          label: ({ name }) => `Select ${name}`,
          hasAll: true,
        }}
        cursor={cursorIndex < 0 ? undefined : { row: cursorIndex }}
        onCursor={({ row }) => props.onCursor(calls[row]?.id)}
        onOpen={useCallback(({ id }: Call) => onOpen(id), [onOpen])}
        scrollKey={props.listKey}
        isBusy={props.isStale}
        pages={props.pages}
        footer={props.footer}
      />
    </PathValues>
  )
}

function callColumn(project: Project, column: Column): GridColumn<Call> {
  const { name, label, width, isNumber = false, sortField } = column
  return {
    id: name,
    label,
    width,
    ...(isNumber && { isNumber }),
    ...(sortField !== undefined && { isSortable: true }),
    cell: (call) =>
      name === 'match' && 'matches' in call ? (
        <Matches call={call} />
      ) : (
        <Cell project={project} column={column} call={call} />
      ),
  }
}

/** In a text search the match column replaces the input and output previews. */
function searchColumns(columns: readonly Column[]): readonly Column[] {
  const others = columns.filter(({ name }) => name !== 'input' && name !== 'output')
  const at = others.findIndex(({ name }) => name === 'name') + 1
  return [...others.slice(0, at), MATCH_COLUMN, ...others.slice(at)]
}
