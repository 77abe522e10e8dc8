import { formatCount } from '../ui/format.ts'
import styles from './progress-bar.module.css'

interface Props {
  readonly total: number
  readonly done: number
  readonly skipped: number
}

/** The progress of a queue: done, skipped by the user, and open calls. */
export function ProgressBar({ total, done, skipped }: Props) {
  const text = progressText({ total, done, skipped })
  return (
    <div className={styles.progress}>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label="Reviewed"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={text}
      >
        <span className={styles.done} style={{ width: percentage(done, total) }} />
        <span className={styles.skipped} style={{ width: percentage(skipped, total) }} />
      </div>
      <span className={styles.text} aria-hidden="true">
        {text}
      </span>
    </div>
  )
}

function progressText({ total, done, skipped }: Props): string {
  if (total === 0) return 'Empty'
  const skippedText = skipped > 0 ? `, ${formatCount(skipped)} skipped` : ''
  return `${formatCount(done)} of ${formatCount(total)} reviewed${skippedText}`
}

function percentage(count: number, total: number): string {
  return total === 0 ? '0' : `${(100 * count) / total}%`
}
