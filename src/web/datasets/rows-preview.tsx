import { type CSSProperties, type ReactNode, useMemo } from 'react'
import { formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { CellView } from './cell-view.tsx'
import { cellsOf, columnsOf } from './row-text.ts'
import styles from './rows-preview.module.css'

/** So many rows are shown before they are published. */
const SHOWN_ROWS = 30

interface Props {
  readonly rows: readonly string[]
  /** Below the name of a column: how it is read. */
  readonly headOf?: (column: string) => ReactNode
}

/** The first rows, as they will be published. */
export function RowsPreview({ rows, headOf }: Props) {
  const shown = useMemo(() => rows.slice(0, SHOWN_ROWS), [rows])
  const columns = useMemo(() => columnsOf(shown), [shown])
  const style = { '--count': columns.length } as CSSProperties
  return (
    <>
      <div className={styles.scroller} role="region" aria-label="Preview" tabIndex={0}>
        <table className={styles.table} style={style}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column}>
                  <span className="foreign">{visibleText(column)}</span>
                  {headOf?.(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, i) => {
              const cells = cellsOf(row)
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
