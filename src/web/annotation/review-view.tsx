import type { ReactNode } from 'react'
import styles from './review-view.module.css'

/** A call with room beside it to judge it; where it is narrow, above it. */
export function JudgingView({
  panel,
  children,
}: {
  readonly panel: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className={styles.view}>
      <div className={styles.both}>
        <div className={styles.panel}>{panel}</div>
        <div className={styles.call}>{children}</div>
      </div>
    </div>
  )
}
