import type { ReactNode } from 'react'
import styles from './page-header.module.css'

/** The header of a page: title, summary and actions. */
export function PageHeader(props: {
  readonly title: ReactNode
  readonly summary?: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <header className={styles.head}>
      <h1>{props.title}</h1>
      <span className={styles.about}>{props.summary}</span>
      <span className={styles.space} />
      {props.children}
    </header>
  )
}
