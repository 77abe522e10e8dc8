import type { KeyboardEvent } from 'react'
import type { GridCursor } from './column.ts'

interface Options {
  readonly cursor: GridCursor | undefined
  readonly onCursor: ((cursor: GridCursor) => void) | undefined
  readonly rowCount: number
  /** Ids of the columns that the cursor can be in, in display order. */
  readonly columnIds: readonly string[]
  readonly pageRows: () => number
}

/** Moves the cursor by row, or by cell if the cursor has a column. Returns whether the key was used. */
export function moveCursor(event: KeyboardEvent, options: Options): boolean {
  const { cursor, onCursor, rowCount, columnIds } = options
  if (onCursor === undefined || rowCount === 0 || event.altKey || event.shiftKey || event.metaKey)
    return false
  const hasCells = cursor?.column !== undefined
  const page = options.pageRows()
  const all = hasCells && !event.ctrlKey ? 0 : rowCount
  const steps: Readonly<Record<string, readonly [number, number]>> = {
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    PageDown: [page, 0],
    PageUp: [-page, 0],
    Home: [-all, -columnIds.length],
    End: [all, columnIds.length],
    ...(hasCells && { ArrowRight: [0, 1], ArrowLeft: [0, -1] }),
  }
  const step = steps[event.key]
  if (step === undefined) return false
  const clamp = (n: number, count: number): number => Math.max(0, Math.min(count - 1, n))
  const row = clamp((cursor?.row ?? -1) + step[0], rowCount)
  const column = columnIds[clamp(columnIds.indexOf(cursor?.column ?? '') + step[1], columnIds.length)]
  onCursor(hasCells && column !== undefined ? { row, column } : { row })
  event.preventDefault()
  event.stopPropagation()
  return true
}
