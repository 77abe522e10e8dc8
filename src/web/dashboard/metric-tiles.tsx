import { formatCompact, formatCount, formatDuration, formatKnownCost, formatPercent } from '../ui/format.ts'
import { metricTotal } from './metric-charts.ts'
import styles from './metric-tiles.module.css'
import type { MetricsGroup } from './use-metrics.ts'

/** Totals of the whole time range in one row of tiles. */
export function MetricTiles({ all, noun }: { readonly all: MetricsGroup; readonly noun: string }) {
  const total = (metric: string): number | null => metricTotal(all, metric)
  const count = total('count') ?? 0
  const errors = total('errors') ?? 0
  const cost = total('cost')
  return (
    <dl className={styles.tiles}>
      <Tile name={noun === 'traces' ? 'Traces' : 'Calls'} value={formatCount(count)} />
      <Tile
        name="Errors"
        value={formatCount(errors)}
        about={count === 0 ? '' : formatPercent(errors / count)}
        isBad={errors > 0}
      />
      {(['p50', 'p95', 'p99'] as const).map((each) => {
        const ms = total(`${each}_latency_ms`)
        return <Tile key={each} name={`Latency ${each}`} value={ms === null ? '–' : formatDuration(ms)} />
      })}
      <Tile
        name="Tokens"
        value={formatCompact(total('total_tokens') ?? 0)}
        about={`${formatCompact(total('input_tokens') ?? 0)} in, ${formatCompact(total('output_tokens') ?? 0)} out`}
      />
      <Tile
        name="Cost"
        value={cost === null ? 'No price' : (formatKnownCost(cost, all.unpriced.length > 0) ?? '')}
        about={all.unpriced.length === 0 ? '' : `${all.unpriced.length} unpriced`}
      />
    </dl>
  )
}

interface TileProps {
  readonly name: string
  readonly value: string
  readonly about?: string
  readonly isBad?: boolean
}

function Tile({ name, value, about = '', isBad = false }: TileProps) {
  return (
    <div className={styles.tile}>
      <dt className="hint">{name}</dt>
      <dd className={styles.value} data-bad={isBad || undefined}>
        {value}
        {about !== '' && <span className={styles.about}>{about}</span>}
      </dd>
    </div>
  )
}
