import type { CSSProperties, ReactNode } from 'react'
import styles from './link-list.module.css'

interface ListProps {
  readonly label: string
  /** Widths of the columns of a row: a CSS value of `grid-template-columns`. */
  readonly columns: string
  /** The same for narrow windows, in which cells of the class `WIDE_ONLY` are hidden. */
  readonly narrowColumns?: string
  readonly children: ReactNode
}

/** A list of pages, such as dashboards. Each row is a link as a whole. */
export function LinkList({ label, columns, narrowColumns = columns, children }: ListProps) {
  const style = { '--columns': columns, '--narrow-columns': narrowColumns }
  return (
    <ul className={styles.list} aria-label={label} style={style as CSSProperties}>
      {children}
    </ul>
  )
}

/** A row: a link of the class `LINK`, and cells. Actions are in an element of the class `ACTIONS`, above the link. */
export function LinkRow({ children }: { readonly children: ReactNode }) {
  return <li className={styles.row}>{children}</li>
}

export const LINK = `${styles.link} ellipsis`
export const ABOUT = 'hint ellipsis'
export const ACTIONS = styles.actions
export const WIDE_ONLY = styles.wide
