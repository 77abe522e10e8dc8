import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type ChangeEvent,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
} from 'react'
import type { DisplayedColumn, GridCursor } from './column.ts'
import styles from './data-grid.module.css'
import { GridHead } from './grid-head.tsx'
import { moveCursor } from './grid-keys.ts'
import { GridRow } from './grid-row.tsx'
import { type TableProps, useGridTable } from './use-grid-table.ts'

/** Rows before the end at which the next page is fetched: at once, and earlier when the user scrolls. */
const END_ROWS = 15
const SCROLLED_END_ROWS = 65
const HEAD_HEIGHT_PX = 30
const OVERSCAN = 12

/** The part of an infinite query that loads more. */
export interface LoadedPages {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => Promise<unknown>
}

interface Props<Row> extends TableProps<Row> {
  readonly label: string
  /** Name of the scrolled region. */
  readonly regionLabel?: string
  /** A table is for reading; a grid has a selection or a cursor. */
  readonly role?: 'grid' | 'table'
  readonly className?: string | undefined
  /** Has more space between the columns. */
  readonly isRoomy?: boolean
  /** All rows have this height. */
  readonly rowHeightPx: number
  readonly rowState?: (row: Row, index: number) => string | undefined
  readonly cursor?: GridCursor | undefined
  readonly onCursor?: (cursor: GridCursor) => void
  readonly onOpen?: (row: Row) => void
  /** Enter or double click on a cell. If set, arrow keys move between cells. */
  readonly onActivate?: (cursor: GridCursor) => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
  /** A new value scrolls the grid to the top. */
  readonly scrollKey?: string
  readonly isBusy?: boolean
  readonly isReadOnly?: boolean
  /** Loads the next page before the end is reached. */
  readonly pages?: LoadedPages
  readonly onRange?: (from: number, to: number) => void
  readonly footer?: string
  readonly gridRef?: RefObject<HTMLDivElement | null>
}

/** A virtualized grid whose columns can be resized, moved and pinned. The pages sort and load its rows. */
export function DataGrid<Row>(props: Props<Row>) {
  const { rows, selection, sort } = props
  const selected = selection?.selected
  const { table, displayed, move, style } = useGridTable(props)
  const latest = useRef({ props, table, move })
  latest.current = { props, table, move }
  // Stable, so that rows are not rendered again.
  const onSelect = useCallback((index: number, event: ChangeEvent<HTMLInputElement>) => {
    const { props, table } = latest.current
    const row = props.rows[index]
    if (row !== undefined) table.getRow(props.rowId(row, index)).getToggleSelectedHandler()(event)
  }, [])
  const kind = selection === undefined ? 'none' : selection.hasAll === true ? 'all' : 'rows'
  // The menus of the header are slow to render, and pages render often while they load.
  const head = useMemo(
    () => (
      <GridHead
        table={table}
        displayed={displayed}
        selection={kind}
        onMove={(id, to) => latest.current.move(id, to)}
      />
    ),
    [
      table.state,
      displayed,
      kind,
      sort?.id,
      sort?.desc,
      selected,
      selected !== undefined && selected.size > 0 && rows,
    ],
  )
  return (
    <Viewport {...props} displayed={displayed} style={style} onSelect={onSelect}>
      {head}
    </Viewport>
  )
}

interface ViewportProps<Row> extends Props<Row> {
  readonly displayed: readonly DisplayedColumn<Row>[]
  readonly style: CSSProperties
  readonly onSelect: (index: number, event: ChangeEvent<HTMLInputElement>) => void
  /** The header. */
  readonly children: ReactNode
}

function Viewport<Row>(props: ViewportProps<Row>) {
  const { rows, rowId, cursor, displayed, selection, role = 'grid', rowHeightPx, pages, onRange } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const ownRef = useRef<HTMLDivElement>(null)
  const grid = props.gridRef ?? ownRef
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: OVERSCAN,
    // The header is above the rows, and covers the top of the scroll area.
    scrollMargin: HEAD_HEIGHT_PX,
    scrollPaddingStart: HEAD_HEIGHT_PX,
  })
  const visible = virtual.getVirtualItems()
  const from = visible[0]?.index ?? 0
  const to = visible.at(-1)?.index ?? 0
  useEffect(() => {
    onRange?.(from, to)
    const ahead = (scroller.current?.scrollTop ?? 0) > 0 ? SCROLLED_END_ROWS : END_ROWS
    const isNearEnd = rows.length > 0 && to >= rows.length - ahead
    if (isNearEnd && pages?.hasNextPage === true && !pages.isFetchingNextPage) void pages.fetchNextPage()
  }, [from, to, rows.length, pages?.hasNextPage, pages?.isFetchingNextPage, onRange])
  useEffect(() => {
    scroller.current?.scrollTo(0, 0)
  }, [props.scrollKey])

  const activeId =
    cursor === undefined || cursor.row < from || cursor.row > to || cursor.row >= rows.length
      ? undefined
      : `${id}-${cursor.row}${cursor.column === undefined ? '' : `-${cursor.column}`}`
  const cursorRow = cursor?.row ?? -1
  useEffect(() => {
    if (cursorRow < 0) return
    if (cursorRow > 0 || (scroller.current?.scrollTop ?? 0) > 0) virtual.scrollToIndex(cursorRow)
    // A button that kept the focus would receive the Enter that is meant for the row. The editor of a cell keeps it.
    const hasFocus = grid.current?.contains(document.activeElement) === true
    if (hasFocus && cursor?.column === undefined) grid.current?.focus({ preventScroll: true })
  }, [cursorRow])
  useEffect(() => {
    if (cursor?.column === undefined || activeId === undefined) return
    document.getElementById(activeId)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [cursor?.column])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // The events of menus arrive here too, although they are rendered elsewhere.
    const target = event.target as Element
    if (!event.currentTarget.contains(target) || target.closest('[role=columnheader]') !== null) return
    const columnIds = displayed.flatMap(({ column }) => (column.isFixed === true ? [] : [column.id]))
    const pageRows = (): number =>
      Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeightPx) - 2)
    if (moveCursor(event, { cursor, onCursor: props.onCursor, rowCount: rows.length, columnIds, pageRows }))
      return
    if (
      (event.key === 'Enter' || event.key === 'F2') &&
      cursor !== undefined &&
      props.onActivate !== undefined
    ) {
      event.preventDefault()
      event.stopPropagation()
      props.onActivate(cursor)
    } else props.onKeyDown?.(event)
  }
  const style = { ...props.style, '--row-height': `${rowHeightPx}px` } as CSSProperties
  return (
    <div
      ref={scroller}
      className={`${styles.scroller} ${props.className ?? ''}`}
      data-roomy={props.isRoomy}
      {...(props.regionLabel !== undefined && { role: 'region', 'aria-label': props.regionLabel })}
    >
      <div
        ref={grid}
        role={role}
        className={styles.grid}
        tabIndex={0}
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
        aria-colcount={displayed.length + (selection === undefined ? 0 : 1)}
        aria-busy={props.isBusy}
        {...(role === 'grid' && {
          'aria-activedescendant': activeId,
          'aria-readonly': props.isReadOnly,
          'aria-multiselectable': selection === undefined ? undefined : true,
        })}
        style={style}
        onKeyDown={onKeyDown}
      >
        {props.children}
        <div className={styles.body} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {visible.map(({ index, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            const key = rowId(row, index)
            return (
              <GridRow
                key={key}
                id={`${id}-${index}`}
                row={row}
                index={index}
                start={start - HEAD_HEIGHT_PX}
                displayed={displayed}
                cellRole={role === 'grid' ? 'gridcell' : 'cell'}
                isCursor={index === cursorRow}
                cursorColumn={index === cursorRow ? cursor?.column : undefined}
                state={props.rowState?.(row, index)}
                isSelected={selection === undefined ? undefined : selection.selected.has(key)}
                selectLabel={selection?.label(row) ?? ''}
                onSelect={props.onSelect}
                onOpen={props.onOpen}
                onCursor={props.onActivate && props.onCursor}
                onActivate={props.onActivate}
              />
            )
          })}
        </div>
      </div>
      {props.footer !== undefined && (
        <p className={styles.footer} role="status">
          {props.footer}
        </p>
      )}
    </div>
  )
}
