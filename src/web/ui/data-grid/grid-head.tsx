import { Tooltip } from '@mantine/core'
import { type KeyboardEvent, type SyntheticEvent, useId, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'
import { NativeCheckbox } from '../native-checkbox.tsx'
import { visibleText } from '../visible-text.ts'
import type { DisplayedColumn } from './column.ts'
import { ColumnMenu } from './column-menu.tsx'
import styles from './data-grid.module.css'
import type { GridTable } from './use-grid-table.ts'

/** How much the menu makes a column wider. */
const STEP_PX = 40
const ARIA_SORT = { asc: 'ascending', desc: 'descending', none: 'none' } as const

interface Props<Row> {
  readonly table: GridTable
  readonly displayed: readonly DisplayedColumn<Row>[]
  /** `all` shows a checkbox for all rows. */
  readonly selection: 'none' | 'rows' | 'all'
  readonly onMove: (id: string, to: string) => void
}

/** The header row of a data grid. Columns are resized by their edge, moved by dragging, and both by their menu. */
export function GridHead<Row>({ table, displayed, selection, onMove }: Props<Row>) {
  const id = useId()
  const head = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<string>()
  const [target, setTarget] = useState<string>()
  /** Gives the columns up to this one their current width in pixels, so that they stay while it changes. */
  const fixWidths = (until: number): void => {
    const cells = [...(head.current?.children ?? [])].slice(selection === 'none' ? 0 : 1)
    const widths = displayed
      .slice(0, until + 1)
      .flatMap(({ column }, i) =>
        column.isFixed === true ? [] : [[column.id, cells[i]?.getBoundingClientRect().width ?? 0]],
      )
    table.setColumnSizing((before) => ({ ...before, ...Object.fromEntries(widths) }))
  }
  const firstMovable = displayed.findIndex(({ column }) => column.isFixed !== true)
  return (
    <div ref={head} className={styles.head} role="row" aria-rowindex={1} onKeyDown={moveFocus}>
      {selection !== 'none' && (
        <div role="columnheader" className={styles.check} data-sticky={displayed[0]?.sticky?.['data-sticky']}>
          {selection === 'all' ? (
            <SelectAll table={table} />
          ) : (
            <span className="visually-hidden">Selected</span>
          )}
        </div>
      )}
      {displayed.map(({ column, isPinned, sticky }, i) => {
        const state = column.isFixed === true ? undefined : table.getColumn(column.id)
        const isMovable = state !== undefined
        const direction = state?.getIsSorted() ?? false
        const labelId = `${id}-${i}`
        const moveTo = (other: DisplayedColumn<Row> | undefined) =>
          other === undefined || other.column.isFixed === true || other.isPinned !== isPinned
            ? undefined
            : () => onMove(column.id, other.column.id)
        const widen = (stepPx: number): void => {
          fixWidths(i)
          table.setColumnSizing((before) => ({ ...before, [column.id]: (before[column.id] ?? 0) + stepPx }))
        }
        // The place of pinned columns depends on widths in pixels.
        const resetWidth = isPinned ? undefined : () => state?.resetSize()
        const resize = (event: SyntheticEvent): void => {
          // Neither drags the header nor selects text.
          if (event.type === 'mousedown') event.preventDefault()
          fixWidths(i)
          table
            .getHeaderGroups()[0]
            ?.headers.find((each) => each.column === state)
            ?.getResizeHandler()(event)
        }
        return (
          <div
            key={column.id}
            role="columnheader"
            className={styles.cell}
            title={column.title}
            aria-labelledby={labelId}
            data-number={column.isNumber === true || undefined}
            data-target={(dragged !== undefined && target === column.id) || undefined}
            draggable={isMovable}
            onDragStart={() => setDragged(column.id)}
            onDragOver={(event) => {
              if (dragged === undefined || !isMovable) return
              event.preventDefault()
              setTarget(column.id)
            }}
            onDrop={() => dragged !== undefined && onMove(dragged, column.id)}
            onDragEnd={() => setDragged(undefined)}
            aria-sort={state?.getCanSort() === true ? ARIA_SORT[direction || 'none'] : undefined}
            {...sticky}
          >
            <span id={labelId} className={styles.label}>
              {state?.getCanSort() === true ? (
                <SortButton
                  label={column.label}
                  direction={direction}
                  onClick={() => state.toggleSorting()}
                />
              ) : (
                (column.header ?? <span className="isolate">{visibleText(column.label)}</span>)
              )}
            </span>
            {isMovable && (
              <>
                <ColumnMenu
                  labelId={labelId}
                  // Tab reaches the first control of the header, arrow keys the others.
                  tabIndex={selection !== 'all' && i === firstMovable ? 0 : -1}
                  actions={{
                    [isPinned ? 'Unpin' : 'Pin to the left']: () => {
                      fixWidths(i)
                      state.pin(isPinned ? false : 'start')
                    },
                    'Move left': moveTo(displayed[i - 1]),
                    'Move right': moveTo(displayed[i + 1]),
                    Wider: () => widen(STEP_PX),
                    Narrower: () => widen(-STEP_PX),
                    'Reset width': resetWidth,
                  }}
                />
                <span
                  aria-hidden
                  className={styles.resizer}
                  onDoubleClick={resetWidth}
                  onMouseDown={resize}
                  onTouchStart={resize}
                />
              </>
            )}
          </div>
        )
      })}
    </div>
  )
}

function SelectAll({ table }: { readonly table: GridTable }) {
  const isSome = table.getSelectedRowIds().length > 0
  const isAll = isSome && table.getIsAllRowsSelected()
  return (
    <NativeCheckbox
      aria-label="Select all"
      checked={isAll}
      indeterminate={isSome && !isAll}
      onChange={(event) => table.toggleAllRowsSelected(event.target.checked)}
    />
  )
}

interface SortButtonProps {
  readonly label: string
  readonly direction: false | 'asc' | 'desc'
  readonly onClick: () => void
}

function SortButton({ label, direction, onClick }: SortButtonProps) {
  return (
    <Tooltip label={direction === 'desc' ? 'Sort ascending' : 'Sort descending'}>
      <button type="button" className={styles.sort} onClick={onClick}>
        {label}
        {direction !== false && <Icon name={direction === 'desc' ? 'chevronDown' : 'chevronUp'} size={12} />}
      </button>
    </Tooltip>
  )
}

/** Arrow keys move between the controls of the header. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>('button, input')]
  const at = controls.indexOf(event.target as HTMLElement)
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (at === -1 || step === 0) return
  event.preventDefault()
  event.stopPropagation()
  controls[at + step]?.focus()
}
