import {
  type ColumnDef,
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  functionalUpdate,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { readLocalStorageValue } from '@mantine/hooks'
import { type CSSProperties, useEffect, useMemo, useState } from 'react'
import type { DisplayedColumn, GridColumn } from './column.ts'

const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  rowSelectionFeature,
  rowSortingFeature,
})

interface GridSort {
  readonly id: string
  readonly desc: boolean
}

interface GridSelection<Row> {
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
  readonly label: (row: Row) => string
  /** Shows a checkbox for all rows. */
  readonly hasAll?: boolean
}

export interface TableProps<Row> {
  readonly rows: readonly Row[]
  readonly rowId: (row: Row, index: number) => string
  /** Must be stable between renders: new columns render all rows again. */
  readonly columns: readonly GridColumn<Row>[]
  readonly sort?: GridSort
  readonly onSort?: (sort: GridSort) => void
  readonly selection?: GridSelection<Row>
  /** Called with the ids in their new order. Without it, the grid keeps the order. */
  readonly onOrder?: (ids: readonly string[]) => void
  /** Remembers widths, order and pinned columns in this browser under this name. */
  readonly layoutName?: string
}

const MIN_WIDTH_PX = 48
const CHECK_WIDTH = '34px'

/** The state of a grid's columns and selection, kept by TanStack Table. It renders nothing and reads no rows. */
export function useGridTable<Row>(props: TableProps<Row>) {
  const { columns, sort, selection, onOrder, onSort, layoutName } = props
  const storageKey = `heddle-grid-${layoutName}`
  const [initialState] = useState(() =>
    layoutName === undefined ? {} : readLocalStorageValue<object>({ key: storageKey, defaultValue: {} }),
  )
  const definitions = useMemo(
    () =>
      columns
        .filter(({ isFixed }) => isFixed !== true)
        .map(({ id, isSortable = false }): ColumnDef<typeof features, object> => ({
          id,
          // Sortable columns need an accessor, but the pages sort.
          accessorFn: () => undefined,
          enableSorting: isSortable,
          minSize: MIN_WIDTH_PX,
        })),
    [columns],
  )
  const sorting = useMemo(() => (sort === undefined ? [] : [sort]), [sort?.id, sort?.desc])
  const selected = selection?.selected
  const rowSelection = useMemo(
    () => Object.fromEntries([...(selected ?? [])].map((id) => [id, true as const])),
    [selected],
  )
  const table = useTable(
    {
      features,
      columns: definitions,
      data: props.rows as unknown as object[],
      getRowId: (row, index) => props.rowId(row as Row, index),
      initialState,
      state: { sorting, rowSelection },
      onSortingChange: (updater) => {
        const [next] = functionalUpdate(updater, sorting)
        if (next !== undefined) onSort?.(next)
      },
      onRowSelectionChange: (updater) =>
        selection?.onSelect(new Set(Object.keys(functionalUpdate(updater, rowSelection)))),
      manualSorting: true,
      enableMultiSort: false,
      enableSortingRemoval: false,
      sortDescFirst: true,
      columnResizeMode: 'onChange',
      isRowRangeSelectionEvent: (event) =>
        (event as { readonly nativeEvent: { readonly shiftKey?: boolean } }).nativeEvent.shiftKey === true,
    },
    ({ columnSizing, columnOrder, columnPinning }) => ({ columnSizing, columnOrder, columnPinning }),
  )
  const { columnSizing, columnOrder, columnPinning } = table.state
  useEffect(() => {
    if (layoutName === undefined) return
    try {
      localStorage.setItem(storageKey, JSON.stringify(table.state))
    } catch {
      // Storage is disabled or full: the layout lasts until the page is closed.
    }
  }, [layoutName, columnSizing, columnOrder, columnPinning])

  const displayed = useMemo((): readonly DisplayedColumn<Row>[] => {
    const movable = (table.getHeaderGroups()[0]?.headers ?? []).flatMap(({ column: { id } }) =>
      columns.filter((column) => column.id === id),
    )
    const from = columns.findIndex(({ isFixed }) => isFixed !== true)
    const all = columns.toSpliced(from, movable.length, ...movable)
    const pinCount = table.getStartLeafColumns().length
    return all.map((column, i) => {
      const isSticky = pinCount > 0 && i < from + pinCount
      return {
        column,
        isPinned: isSticky && i >= from,
        sticky: isSticky ? { 'data-sticky': true, style: { left: `var(--left-${i})` } } : undefined,
      }
    })
  }, [columns, columnOrder, columnPinning])

  /** Moves a column to the place of another. Pinned columns stay first. */
  const move = (id: string, to: string): void => {
    const movable = displayed.filter(({ column }) => column.isFixed !== true)
    const ids = movable.map(({ column }) => column.id)
    const pinned = new Set(movable.filter(({ isPinned }) => isPinned).map(({ column }) => column.id))
    if (pinned.has(id) !== pinned.has(to)) return
    const next = ids.filter((each) => each !== id).toSpliced(ids.indexOf(to), 0, id)
    if (pinned.has(id)) table.setColumnPinning({ start: next.slice(0, pinned.size), end: [] })
    else (onOrder ?? table.setColumnOrder)(next)
  }
  const widths = displayed.map(({ column: { id, width } }) => {
    const px = columnSizing[id]
    return px === undefined ? width : `${Math.max(px, MIN_WIDTH_PX)}px`
  })
  if (selection !== undefined) widths.unshift(CHECK_WIDTH)
  const style: Record<string, string> = { '--columns': widths.join(' ') }
  for (const [i, { sticky }] of displayed.entries()) {
    const before = widths.slice(0, i + widths.length - displayed.length)
    if (sticky !== undefined) style[`--left-${i}`] = `calc(${['0px', ...before].join(' + ')})`
  }
  return { table, displayed, move, style: style as CSSProperties }
}

export type GridTable = ReturnType<typeof useGridTable>['table']
