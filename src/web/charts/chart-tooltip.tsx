import { visibleText } from '../ui/visible-text.ts'
import styles from './chart-tooltip.module.css'
import { type Series, seriesText } from './series.ts'

/** A bucket under the pointer. */
export interface HoveredBucket {
  readonly index: number
  /** Position of the pointer in the plot, in pixels from its left edge. */
  readonly left: number
  readonly width: number
}

interface Props {
  readonly hovered: HoveredBucket
  readonly label: string
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}

/** More would cover the chart. */
const MAX_ROWS = 10

/** The values of all series at the pointer, the largest first. A table shows them to screen readers. */
export function ChartTooltip({ hovered, label, series, format }: Props) {
  const { index, left, width } = hovered
  const rows = series
    .filter(({ values }) => (values[index] ?? 0) !== 0)
    .toSorted((a, b) => (b.values[index] ?? 0) - (a.values[index] ?? 0))
  // Beside the pointer, on the side with more space.
  const side = left > width / 2 ? { right: width - left + 14 } : { left: left + 14 }
  return (
    <div className={styles.tooltip} style={side} aria-hidden="true">
      <div className={styles.label}>{label}</div>
      {rows.length === 0 && <div className="faint">No values</div>}
      {rows.slice(0, MAX_ROWS).map((each) => (
        <div key={each.name} className={styles.row}>
          <span className={styles.swatch} style={{ background: `var(${each.color})` }} />
          <span className="ellipsis grow isolate">{visibleText(each.name)}</span>
          <b>{seriesText(each, index, format)}</b>
        </div>
      ))}
      {rows.length > MAX_ROWS && <div className="faint">{rows.length - MAX_ROWS} more</div>}
    </div>
  )
}
