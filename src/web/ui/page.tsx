import type { ReactNode } from 'react'
import styles from './page.module.css'

interface PageProps {
  /** Has the color of a surface, not of the paper below it. */
  readonly isSurface?: boolean
  /** Scrolls as a whole. Otherwise a part of it does. */
  readonly isScrolling?: boolean
  readonly 'aria-busy'?: boolean
  readonly children: ReactNode
}

/** The content of a page of a project: a column that fills the frame. */
export function Page({ isSurface, isScrolling, ...props }: PageProps) {
  return (
    <div
      className={styles.page}
      data-surface={isSurface}
      data-scrolling={isScrolling}
      aria-busy={props['aria-busy']}
    >
      {props.children}
    </div>
  )
}

/** The header of a page: title, summary and actions. */
export function PageHeader(props: {
  readonly title: ReactNode
  readonly summary?: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <header className={styles.head}>
      <h1>{props.title}</h1>
      <span className="faint">{props.summary}</span>
      <span className="grow" />
      {props.children}
    </header>
  )
}
