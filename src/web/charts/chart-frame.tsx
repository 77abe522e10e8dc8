import type { ReactNode } from 'react'
import { visibleText } from '../ui/visible-text.ts'
import styles from './chart.module.css'

interface Props {
  readonly title: string
  /** Short summary next to the title. */
  readonly about?: ReactNode
  /** Buttons at the end of the caption. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The frame of a chart: its title, summary and actions above the content. */
export function ChartFrame({ title, about, actions, children }: Props) {
  return (
    <figure className={styles.figure} aria-label={title}>
      <figcaption className={styles.caption}>
        <h2 className={`${styles.title} isolate`} title={title}>
          {visibleText(title)}
        </h2>
        <span className="faint">{about}</span>
        <span className="grow" />
        {actions}
      </figcaption>
      {children}
    </figure>
  )
}
