import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useMemo, useRef } from 'react'

interface Options<Row> {
  readonly rows: readonly Row[]
  readonly rowHeight: number
  /** Rows rendered above and below the visible ones. */
  readonly overscan: number
  /** The id of the selected row. A new selection is scrolled into view. */
  readonly selected: string
  /** Keeps the selected row in view while rows before it come and go. Otherwise new rows move nothing. */
  readonly isSelectionPinned: boolean
}

export interface VirtualRows<Row> {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly heightPx: number
  /** The rendered rows with their distance from the top. */
  readonly visible: readonly { readonly row: Row; readonly startPx: number }[]
}

/** Rows of one height in a scroller, of which only the visible ones are rendered. */
export function useVirtualRows<Row extends { readonly id: string }>(options: Options<Row>): VirtualRows<Row> {
  const { rows, selected } = options
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => options.rowHeight,
    overscan: options.overscan,
  })
  const selectedAt = useMemo(() => rows.findIndex(({ id }) => id === selected), [rows, selected])
  const scrolledTo = useRef<string>(undefined)
  useEffect(() => {
    if (selectedAt === -1 || (scrolledTo.current === selected && !options.isSelectionPinned)) return
    scrolledTo.current = selected
    virtual.scrollToIndex(selectedAt, { align: 'auto' })
  }, [selectedAt, selected])
  return {
    scroller,
    heightPx: virtual.getTotalSize(),
    visible: virtual.getVirtualItems().flatMap(({ index, start }) => {
      const row = rows[index]
      return row === undefined ? [] : { row, startPx: start }
    }),
  }
}
