import { type ChangeEvent, memo, type MouseEvent } from 'react'
import { NativeCheckbox } from '../native-checkbox.tsx'
import type { DisplayedColumn, GridCursor } from './column.ts'
import styles from './data-grid.module.css'

interface Props<Row> {
  readonly id: string
  readonly row: Row
  readonly index: number
  readonly start: number
  readonly displayed: readonly DisplayedColumn<Row>[]
  readonly cellRole: 'cell' | 'gridcell'
  readonly isCursor: boolean
  readonly cursorColumn: string | undefined
  readonly state: string | undefined
  /** Undefined in a grid without selection. */
  readonly isSelected: boolean | undefined
  readonly selectLabel: string
  readonly onSelect: (index: number, event: ChangeEvent<HTMLInputElement>) => void
  readonly onOpen: ((row: Row) => void) | undefined
  readonly onCursor: ((cursor: GridCursor) => void) | undefined
  readonly onActivate: ((cursor: GridCursor) => void) | undefined
}

function GridRowView<Row>(props: Props<Row>) {
  const { id, row, index, cursorColumn, displayed, onOpen } = props
  const hasCells = props.onActivate !== undefined
  const open = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    const isControl =
      event.target instanceof Element &&
      event.target.closest('a:not([data-opens-row]), button, input') !== null
    // After a text selection, the user may want to copy it.
    if (!isControl && window.getSelection()?.type !== 'Range') onOpen?.(row)
  }
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={props.isSelected}
      className={styles.row}
      data-cursor={(props.isCursor && !hasCells) || undefined}
      data-opens={onOpen !== undefined || undefined}
      data-state={props.state}
      style={{ transform: `translateY(${props.start}px)` }}
      onClick={open}
    >
      {props.isSelected !== undefined && (
        <div
          role={props.cellRole}
          className={styles.check}
          onClick={(event) => event.stopPropagation()}
          data-sticky={displayed[0]?.sticky?.['data-sticky']}
        >
          <NativeCheckbox
            aria-label={props.selectLabel}
            tabIndex={-1}
            checked={props.isSelected}
            onChange={(event) => props.onSelect(index, event)}
          />
        </div>
      )}
      {displayed.map(({ column, sticky }) => (
        <div
          key={column.id}
          role={column.isRowHeader === true ? 'rowheader' : props.cellRole}
          className={styles.cell}
          data-number={column.isNumber === true || undefined}
          data-state={column.cellState?.(row, index)}
          {...sticky}
          {...(hasCells &&
            column.isFixed !== true && {
              id: `${id}-${column.id}`,
              'data-cursor': cursorColumn === column.id || undefined,
              onClick: () => props.onCursor?.({ row: index, column: column.id }),
              onDoubleClick: () => props.onActivate?.({ row: index, column: column.id }),
            })}
        >
          {column.cell(row, index)}
        </div>
      ))}
    </div>
  )
}

/** A row of a data grid. `memo` loses the type parameter. */
export const GridRow = memo(GridRowView) as typeof GridRowView
