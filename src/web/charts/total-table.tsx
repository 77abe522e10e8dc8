import type { ReactNode } from 'react'
import styles from './series-table.module.css'

interface Props {
  readonly title: string
  /** Headings of the name and the value. */
  readonly columns: readonly [string, string]
  readonly rows: readonly { readonly key: string; readonly name: ReactNode; readonly value: string }[]
}

/** One value per row: the totals of a grouped chart. */
export function TotalTable({ title, columns, rows }: Props) {
  return (
    <div className={styles.scroller} tabIndex={0} role="region" aria-label={`${title}, table`}>
      <table className={styles.table}>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, value }) => (
            <tr key={key}>
              <th scope="row" className="isolate">
                {name}
              </th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
