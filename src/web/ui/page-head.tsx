import type { ReactNode } from 'react'
import styles from './page-head.module.css'

/** The first line of a page: what it is, how much of it, and what it offers. */
export function PageHead(props: {
  readonly title: ReactNode
  readonly about?: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <header className={styles.head}>
      <h1>{props.title}</h1>
      <span className={styles.about}>{props.about}</span>
      <span className={styles.space} />
      {props.children}
    </header>
  )
}
