import { visibleText } from '../ui/visible-text.ts'
import styles from './bar-list.module.css'

interface Props {
  readonly label: string
  readonly bars: readonly { readonly name: string; readonly value: number; readonly text: string }[]
}

/** Horizontal bar chart. It is an HTML list, so that screen readers can read it. */
export function BarList({ label, bars }: Props) {
  const max = Math.max(0, ...bars.map(({ value }) => value))
  return (
    <ol className="stack gap-4" aria-label={label}>
      {bars.map((bar, i) => (
        <li key={i} className={styles.item}>
          <span className={`${styles.name} isolate`} title={bar.name}>
            {visibleText(bar.name)}
          </span>
          <span className={styles.track} aria-hidden="true">
            <span
              className={styles.bar}
              style={{ width: `${max <= 0 ? 0 : Math.max(0.3, (Math.max(0, bar.value) / max) * 100)}%` }}
            />
          </span>
          <span className={styles.value}>{bar.text}</span>
        </li>
      ))}
    </ol>
  )
}
