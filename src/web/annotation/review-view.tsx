import type { ReactNode } from 'react'
import styles from './review-view.module.css'

/** A call with the feedback panel beside it, or above it where the container is narrow. */
export function ReviewView({ panel, children }: { readonly panel: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={styles.view}>
      <div className={styles.columns}>
        <div className={styles.panel}>{panel}</div>
        <div className={styles.call}>{children}</div>
      </div>
    </div>
  )
}
