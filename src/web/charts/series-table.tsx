import type { ReactNode } from 'react'
import { visibleText } from '../ui/visible-text.ts'
import { type Series, seriesText } from './series.ts'
import styles from './series-table.module.css'

interface Props {
  readonly title: string
  /** Time label of each bucket. */
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  /** Shows zeros, which are values here, not empty buckets. */
  readonly keepsZeros?: boolean
  readonly linkTime?: (index: number, text: string) => ReactNode
}

/** All values of a chart, newest first. Empty buckets are omitted. */
export function SeriesTable({ title, labels, series, format, keepsZeros = false, linkTime }: Props) {
  const isEmpty = (value: number | null | undefined): boolean =>
    value === null || value === undefined || (value === 0 && !keepsZeros)
  const rows = labels.flatMap((label, i) =>
    series.every(({ values }) => isEmpty(values[i])) ? [] : [{ label, i }],
  )
  return (
    <div className={styles.scroller} tabIndex={0} role="region" aria-label={`${title}, table`}>
      <table className={styles.table}>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="isolate">
                {visibleText(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.reverse().map(({ label, i }) => (
            <tr key={i}>
              <th scope="row">{linkTime?.(i, label) ?? label}</th>
              {series.map((each) => (
                <td key={each.name}>{seriesText(each, i, format)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
