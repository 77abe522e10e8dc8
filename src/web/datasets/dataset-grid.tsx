import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, memo, type RefObject, useEffect, useId, useRef } from 'react'
import { ActionIcon } from '@mantine/core'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { CellEditor } from './cell-editor.tsx'
import { CellView } from './cell-view.tsx'
import styles from './dataset-grid.module.css'
import { rowCells } from './row-text.ts'

const ROW_HEIGHT = 34

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
  /** Reports the range of visible rows. */
  readonly onRange: (from: number, to: number) => void
  readonly gridRef: RefObject<HTMLDivElement | null>
}

/** The virtualized grid of a dataset. Arrow keys move between cells. */
export function DatasetGrid(props: Props) {
  const { columns, count, active, editing, onRange, gridRef } = props
  const id = useId()
  const rows = useVirtualizer({
    count,
    getScrollElement: () => gridRef.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    // The sticky header covers the top of the scroll area.
    scrollPaddingStart: 32,
  })
  const visible = rows.getVirtualItems()
  const from = visible[0]?.index ?? 0
  const to = visible.at(-1)?.index ?? 0
  useEffect(() => onRange(from, to), [from, to, onRange])
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current && active.row === 0) {
      isFirst.current = false
      return
    }
    rows.scrollToIndex(active.row)
  }, [active.row])
  useEffect(() => {
    document
      .querySelector(`#${CSS.escape(cellId(id, active))}`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active.column])

  // `aria-activedescendant` must refer to a rendered cell.
  const isActiveRendered = columns.length > 0 && active.row >= from && active.row <= to && visible.length > 0
  const moveActive = (rowStep: number, columnStep: number): void => {
    const row = Math.max(0, Math.min(count - 1, active.row + rowStep))
    const column = Math.max(0, Math.min(columns.length - 1, active.column + columnStep))
    props.onActive({ row, column })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, to - from - 12)
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
      PageDown: [page, 0],
      PageUp: [-page, 0],
      Home: event.ctrlKey ? [-count, -columns.length] : [0, -columns.length],
      End: event.ctrlKey ? [count, columns.length] : [0, columns.length],
    }
    const step = steps[event.key]
    if (step !== undefined) moveActive(...step)
    else if (event.key === 'Enter' || event.key === 'F2') {
      if (editing === undefined) props.onOpen(active.row)
      else editing.onStart(active)
    } else if (event.key === 'Delete' && editing !== undefined) editing.onRemove(active.row)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const style = {
    '--columns': `64px repeat(${columns.length}, minmax(150px, 1fr))${editing === undefined ? '' : ' 40px'}`,
  } as CSSProperties
  return (
    <div
      ref={gridRef}
      className={styles.scroller}
      role="grid"
      aria-label={props.label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length + 1}
      aria-readonly={editing === undefined}
      aria-activedescendant={isActiveRendered ? cellId(id, active) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      style={style}
    >
      <div className={styles.head} role="row" aria-rowindex={1}>
        <div role="columnheader" className={styles.number}>
          #
        </div>
        {columns.map((column) => (
          <div key={column} role="columnheader" className={styles.cell} title={column}>
            <span className="isolate">{visibleText(column)}</span>
          </div>
        ))}
        {editing !== undefined && (
          <div role="columnheader">
            <span className="visually-hidden">Remove</span>
          </div>
        )}
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: rows.getTotalSize() }}>
        {visible.map(({ index, start }) => {
          const row = props.rowAt(index)
          return (
            <Row
              key={index}
              id={id}
              index={index}
              start={start}
              text={row.text}
              original={row.original}
              state={row.state}
              columns={columns}
              activeColumn={active.row === index ? active.column : undefined}
              editedColumn={editing?.cell?.row === index ? editing.cell.column : undefined}
              isOpen={props.openRow === index}
              editing={editing}
              onActive={props.onActive}
              onOpen={props.onOpen}
            />
          )
        })}
      </div>
    </div>
  )
}

function cellId(id: string, { row, column }: CellPosition): string {
  return `${id}-${row}-${column}`
}

interface RowProps extends GridRow {
  readonly id: string
  readonly index: number
  readonly start: number
  readonly columns: readonly string[]
  readonly activeColumn: number | undefined
  readonly editedColumn: number | undefined
  readonly isOpen: boolean
  readonly editing: GridEditing | undefined
  readonly onActive: (position: CellPosition) => void
  readonly onOpen: (row: number) => void
}

const Row = memo(function Row(props: RowProps) {
  const { index, text, original, state, columns, editing } = props
  const cells = text === undefined ? undefined : rowCells(text)
  const originalCells = state === 'changed' && original !== undefined ? rowCells(original) : undefined
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      data-state={state === 'unchanged' ? undefined : state}
      data-open={props.isOpen || undefined}
      data-editing={props.editedColumn !== undefined || undefined}
      style={{ transform: `translateY(${props.start}px)` }}
    >
      <div role="rowheader" className={styles.number}>
        <button
          type="button"
          className={styles.open}
          tabIndex={-1}
          aria-label={`Open row ${index + 1}`}
          onClick={() => props.onOpen(index)}
        >
          {formatCount(index + 1)}
        </button>
      </div>
      {columns.map((column, i) => {
        const json = cells?.get(column)
        const position = { row: index, column: i }
        return (
          <div
            key={column}
            id={cellId(props.id, position)}
            role="gridcell"
            aria-colindex={i + 2}
            className={styles.cell}
            data-active={props.activeColumn === i || undefined}
            data-changed={(originalCells !== undefined && originalCells.get(column) !== json) || undefined}
            onClick={() => props.onActive(position)}
            onDoubleClick={() => (editing === undefined ? props.onOpen(index) : editing.onStart(position))}
          >
            {text === undefined ? <span className={styles.waiting} /> : <CellView json={json} />}
            {props.editedColumn === i && editing !== undefined && (
              <CellEditor
                label={`${column} of row ${index + 1}`}
                json={json}
                onSave={(next) => editing.onSave(position, next)}
                onCancel={editing.onCancel}
              />
            )}
          </div>
        )
      })}
      {editing !== undefined && (
        <div role="gridcell" className={styles.remove}>
          <ActionIcon
            size={24}
            tabIndex={-1}
            aria-label={state === 'removed' ? `Restore row ${index + 1}` : `Remove row ${index + 1}`}
            onClick={() => editing.onRemove(index)}
          >
            <Icon name={state === 'removed' ? 'undo' : 'trash'} size={13} />
          </ActionIcon>
        </div>
      )}
    </div>
  )
})
