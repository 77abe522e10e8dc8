import type { CSSProperties, ReactNode } from 'react'

/** A column of a data grid. */
export interface GridColumn<Row> {
  readonly id: string
  /** The header text, unless `header` is set. */
  readonly label: string
  readonly header?: ReactNode
  readonly title?: string
  /** CSS grid track size, used until the user resizes the column. In pixels if the column is fixed. */
  readonly width: string
  readonly isNumber?: boolean
  readonly isSortable?: boolean
  /** Cannot be moved, pinned or resized. Only the first and last columns can be fixed. */
  readonly isFixed?: boolean
  readonly isRowHeader?: boolean
  readonly cell: (row: Row, index: number) => ReactNode
  /** `data-state` of the cell, for styles. */
  readonly cellState?: (row: Row, index: number) => string | undefined
}

export function numberColumn<Row>(
  id: string,
  label: string,
  width: string,
  cell: (row: Row) => ReactNode,
): GridColumn<Row> {
  return { id, label, width, isNumber: true, cell }
}

/** The current row, or the current cell in a grid whose arrow keys move between cells. */
export interface GridCursor {
  readonly row: number
  readonly column?: string
}

/** A column in display order. */
export interface DisplayedColumn<Row> {
  readonly column: GridColumn<Row>
  readonly isPinned: boolean
  /** Attributes of cells that stay in view when the grid is scrolled sideways. */
  readonly sticky: { readonly 'data-sticky': true; readonly style: CSSProperties } | undefined
}
