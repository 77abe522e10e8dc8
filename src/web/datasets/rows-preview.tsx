import { type CSSProperties, type ReactNode, useMemo } from 'react'
import { formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { CellView } from './cell-view.tsx'
import { rowCells, collectColumns } from './row-text.ts'
import styles from './rows-preview.module.css'

/** The preview shows only the first rows. */
const MAX_SHOWN_ROWS = 30

interface Props {
  readonly rows: readonly string[]
  /** Renders a control below the column name. */
  readonly columnHeader?: (column: string) => ReactNode
}

/** A preview of the rows to publish. */
export function RowsPreview({ rows, columnHeader }: Props) {
  const shown = useMemo(() => rows.slice(0, MAX_SHOWN_ROWS), [rows])
  const columns = useMemo(() => collectColumns(shown), [shown])
  const style = { '--count': columns.length } as CSSProperties
  return (
    <>
      <div className={styles.scroller} role="region" aria-label="Preview" tabIndex={0}>
        <table className={styles.table} style={style}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column}>
                  <span className="isolate">{visibleText(column)}</span>
                  {columnHeader?.(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, i) => {
              const cells = rowCells(row)
              return (
                <tr key={i}>
                  {columns.map((column) => (
                    <td key={column}>
                      <CellView json={cells.get(column)} />
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {rows.length > shown.length && (
        <p className={styles.more}>and {formatCount(rows.length - shown.length)} more</p>
      )}
    </>
  )
}
