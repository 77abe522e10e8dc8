import { Progress } from '@mantine/core'
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
      <Progress.Root
        className={styles.bar ?? ''}
        size={6}
        radius={3}
        role="progressbar"
        aria-label="Reviewed"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={text}
      >
        <Progress.Section withAria={false} value={percentage(done, total)} color="var(--ok)" />
        <Progress.Section withAria={false} value={percentage(skipped, total)} color="var(--accent-2)" />
      </Progress.Root>
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

function percentage(count: number, total: number): number {
  return total === 0 ? 0 : (100 * count) / total
}
