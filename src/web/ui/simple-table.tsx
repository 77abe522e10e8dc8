import type { Key, ReactNode } from 'react'
import styles from './simple-table.module.css'

export interface SimpleColumn<Row> {
  readonly label: ReactNode
  /** Whether only screen readers get the label. */
  readonly isLabelHidden?: boolean
  /** Whether the cells name their rows. */
  readonly isRowHeader?: boolean
  readonly isNumber?: boolean
  readonly className?: string | undefined
  readonly title?: (row: Row) => string | undefined
  readonly cell: (row: Row, index: number) => ReactNode
}

interface Props<Row> {
  /** Accessible name of the table. */
  readonly caption?: ReactNode
  /** Accessible name of the scrolling area around the table, for tables that may be wider than the page. */
  readonly region?: string
  readonly columns: readonly SimpleColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row, index: number) => Key
  /** Whether the row is highlighted. */
  readonly isCurrent?: (row: Row) => boolean
  readonly isBusy?: boolean
  /** Rows of controls, with more space. */
  readonly isRoomy?: boolean
  /** Has a border around it, for a table that is not in a card. */
  readonly isFramed?: boolean
  readonly footer?: ReactNode
}

/** A table of some rows that are all rendered. `data-grid/` has the grid for many rows. */
export function SimpleTable<Row>(props: Props<Row>) {
  const { columns } = props
  const table = (
    <table
      className={styles.table}
      data-roomy={props.isRoomy}
      data-framed={props.isFramed}
      aria-busy={props.isBusy}
    >
      {props.caption !== undefined && <caption className="visually-hidden">{props.caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ label, isLabelHidden, isNumber }, i) => (
            <th key={i} scope="col" data-number={isNumber}>
              {isLabelHidden === true ? <span className="visually-hidden">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row, index) => (
          <tr key={props.rowKey(row, index)} data-current={props.isCurrent?.(row) === true || undefined}>
            {columns.map((column, i) => {
              const cell = {
                className: column.className,
                title: column.title?.(row),
                'data-number': column.isNumber,
                children: column.cell(row, index),
              }
              return column.isRowHeader === true ? (
                <th key={i} scope="row" {...cell} />
              ) : (
                <td key={i} {...cell} />
              )
            })}
          </tr>
        ))}
      </tbody>
      {props.footer !== undefined && <tfoot>{props.footer}</tfoot>}
    </table>
  )
  if (props.region === undefined) return table
  return (
    <div className={styles.region} tabIndex={0} role="region" aria-label={props.region}>
      {table}
    </div>
  )
}
