import { type RefObject, useMemo } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import type { GridColumn, GridCursor } from '../ui/data-grid/column.ts'
import gridStyles from '../ui/data-grid/data-grid.module.css'
import { DataGrid } from '../ui/data-grid/data-grid.tsx'
import { formatCount } from '../ui/format.ts'
import { CellEditor } from './cell-editor.tsx'
import { CellView } from './cell-view.tsx'
import styles from './dataset-grid.module.css'
import { rowCells } from './row-text.ts'

export interface CellPosition {
  readonly row: number
  readonly column: number
}

export interface GridRow {
  /** The displayed row; undefined until it is loaded. */
  readonly text: string | undefined
  /** The stored row, to highlight changed cells; undefined for an added row. */
  readonly original: string | undefined
  readonly state: 'unchanged' | 'changed' | 'removed' | 'added'
}

interface GridEditing {
  /** The cell whose value is being edited. */
  readonly cell: CellPosition | undefined
  readonly onStart: (position: CellPosition) => void
  readonly onSave: (position: CellPosition, json: string | undefined) => void
  readonly onCancel: () => void
  /** Removes or restores a row. */
  readonly onRemove: (row: number) => void
}

interface Props {
  readonly label: string
  readonly columns: readonly string[]
  readonly count: number
  readonly rowAt: (index: number) => GridRow
  readonly active: CellPosition
  readonly onActive: (position: CellPosition) => void
  readonly openRow: number | undefined
  readonly onOpen: (row: number) => void
  readonly editing?: GridEditing
  /** Reports the range of rendered rows. */
  readonly onRange: (from: number, to: number) => void
  readonly gridRef: RefObject<HTMLDivElement | null>
}

/** The grid of a dataset. Arrow keys move between cells. */
export function DatasetGrid(props: Props) {
  const { columns, count, rowAt, active, editing, openRow, onOpen } = props
  // Rows are loaded when they are shown, so the grid knows them by their index.
  const rows = useMemo(() => Array.from({ length: count }, (_, index) => index), [count])
  const gridColumns = useMemo(() => datasetColumns(props), [columns, rowAt, editing, onOpen])
  const activate = ({ row, column = '0' }: GridCursor): void =>
    editing === undefined ? onOpen(row) : editing.onStart({ row, column: Number(column) })
  return (
    <DataGrid
      gridRef={props.gridRef}
      label={props.label}
      className={styles.dataset}
      rows={rows}
      rowId={String}
      columns={gridColumns}
      rowHeightPx={34}
      rowState={(index) =>
        [rowAt(index).state, openRow === index && 'open', editing?.cell?.row === index && 'editing']
          .filter((state) => state !== false)
          .join(' ')
      }
      isReadOnly={editing === undefined}
      cursor={{ row: active.row, column: String(active.column) }}
      onCursor={({ row, column }) => props.onActive({ row, column: Number(column) })}
      onActivate={activate}
      onKeyDown={(event) => {
        if (event.key !== 'Delete' || editing === undefined) return
        event.preventDefault()
        editing.onRemove(active.row)
      }}
      onRange={props.onRange}
    />
  )
}

function datasetColumns({ columns, rowAt, editing, onOpen }: Props): readonly GridColumn<number>[] {
  // A row is parsed once for all its cells.
  const parsed = new Map<string, ReadonlyMap<string, string>>()
  const valueAt = (text = '', column: string): string | undefined => {
    const cells = parsed.get(text) ?? rowCells(text)
    parsed.set(text, cells)
    return cells.get(column)
  }
  const valueColumns = columns.map((column, i): GridColumn<number> => ({
    id: String(i),
    label: column,
    title: column,
    width: 'minmax(150px, 1fr)',
    cellState: (index) => {
      const { text, original, state } = rowAt(index)
      const isChanged = state === 'changed' && valueAt(text, column) !== valueAt(original, column)
      return isChanged ? 'changed' : undefined
    },
    cell: (index) => {
      const { text } = rowAt(index)
      const json = valueAt(text, column)
      return (
        <>
          {text === undefined ? <span className={styles.waiting} /> : <CellView json={json} />}
          {editing?.cell?.row === index && editing.cell.column === i && (
            <CellEditor
              label={`${column} of row ${index + 1}`}
              json={json}
              onSave={(next) => editing.onSave({ row: index, column: i }, next)}
              onCancel={editing.onCancel}
            />
          )}
        </>
      )
    },
  }))
  const numberColumn: GridColumn<number> = {
    id: '#',
    label: '#',
    width: '76px',
    isFixed: true,
    isNumber: true,
    isRowHeader: true,
    cell: (index) => (
      <button
        type="button"
        className={gridStyles.action}
        tabIndex={-1}
        aria-label={`Open row ${index + 1}`}
        onClick={() => onOpen(index)}
      >
        {formatCount(index + 1)}
      </button>
    ),
  }
  if (editing === undefined) return [numberColumn, ...valueColumns]
  const removeColumn: GridColumn<number> = {
    id: 'remove',
    label: 'Remove',
    header: <span className="visually-hidden">Remove</span>,
    width: '44px',
    isFixed: true,
    cell: (index) => {
      const isRemoved = rowAt(index).state === 'removed'
      return (
        <IconButton
          icon={isRemoved ? 'undo' : 'trash'}
          label={`${isRemoved ? 'Restore' : 'Remove'} row ${index + 1}`}
          size={24}
          tabIndex={-1}
          onClick={() => editing.onRemove(index)}
        />
      )
    },
  }
  return [numberColumn, ...valueColumns, removeColumn]
}
