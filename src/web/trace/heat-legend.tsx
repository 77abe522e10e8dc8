import { formatCost } from '../ui/format.ts'
import { formatDuration } from '../time/format.ts'
import { HEAT_LEVELS, type HeatKind } from './heat.ts'
import styles from './heat-legend.module.css'
import type { HeatState } from './use-heat.ts'

/** Legend of the heat colors, with the maximum value. */
export function HeatLegend({ kind, state }: { readonly kind: HeatKind; readonly state: HeatState }) {
  const { heat, isFailed } = state
  if (heat === undefined)
    return (
      <span className={styles.legend} role="status">
        {isFailed ? 'Costs could not be loaded' : kind === 'cost' ? 'Loading costs…' : 'Loading calls…'}
      </span>
    )
  if (heat.max <= 0)
    return (
      <span className={styles.legend}>
        {kind === 'cost' ? 'No call in this trace has a price' : 'No call has a measurable duration'}
      </span>
    )
  const max = formatHeat(kind, heat.max)
  return (
    <span
      className={styles.legend}
      title="Time or cost of a call without its children. The tree shows the values."
    >
      {kind === 'cost' ? 'Self cost' : 'Self time'}
      <span>{kind === 'cost' ? '$0' : '0'}</span>
      <span className={styles.scale} aria-hidden="true">
        {Array.from({ length: HEAT_LEVELS }, (_, level) => (
          <span key={level} className={styles.step} style={{ background: `var(--heat-${level})` }} />
        ))}
      </span>
      <span className="visually-hidden">to</span>
      <span>{max}</span>
    </span>
  )
}

export function formatHeat(kind: HeatKind, value: number): string {
  return kind === 'cost' ? formatCost(value) : formatDuration(value)
}
