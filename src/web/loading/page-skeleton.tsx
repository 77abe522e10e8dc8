import { Page } from '../ui/page.tsx'
import styles from './page-skeleton.module.css'

const ROWS = [62, 78, 54, 70, 46, 66, 58, 74]

/** What a page looks like until its code or its first data is there: a header and rows. */
export function PageSkeleton() {
  return (
    <Page aria-busy>
      <div className={styles.skeleton} role="status" aria-label="Loading page">
        <span className={styles.title} />
        {ROWS.map((width) => (
          <span key={width} style={{ width: `${width}%` }} />
        ))}
      </div>
    </Page>
  )
}
