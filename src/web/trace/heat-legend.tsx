import { formatCost } from '../ui/format.ts'
import { formatDuration } from '../time/format.ts'
import { HEAT_LEVELS, type HeatKind } from './heat.ts'
import styles from './heat-legend.module.css'
import type { HeatState } from './use-heat.ts'

/** What the colours mean, and how much the strongest of them is. */
export function HeatLegend({ kind, state }: { readonly kind: HeatKind; readonly state: HeatState }) {
  const { heat, isFailed } = state
  if (heat === undefined)
    return (
      <span className={styles.legend} role="status">
        {isFailed ? 'The costs could not be read' : kind === 'cost' ? 'Reading costs…' : 'Reading calls…'}
      </span>
    )
  if (heat.most <= 0)
    return (
      <span className={styles.legend}>
        {kind === 'cost' ? 'No call of this trace has a price' : 'No call took any time'}
      </span>
    )
  const most = formatHeat(kind, heat.most)
  return (
    <span
      className={styles.legend}
      title="Of each call what those that it called do not account for. The rows of the tree have the numbers."
    >
      {kind === 'cost' ? 'Own cost' : 'Own time'}
      <span>{kind === 'cost' ? '$0' : '0'}</span>
      <span className={styles.scale} aria-hidden="true">
        {Array.from({ length: HEAT_LEVELS }, (_, level) => (
          <span key={level} className={styles.step} data-level={level} />
        ))}
      </span>
      <span className="visually-hidden">to</span>
      <span>{most}</span>
    </span>
  )
}

export function formatHeat(kind: HeatKind, value: number): string {
  return kind === 'cost' ? formatCost(value) : formatDuration(value)
}
