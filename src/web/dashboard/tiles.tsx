import { formatCompact, formatCost, formatCount } from '../ui/format.ts'
import { formatDuration } from '../time/format.ts'
import { totalOf } from './metric-charts.ts'
import styles from './tiles.module.css'
import type { NumbersGroup } from './use-metrics.ts'

/** The whole time in a line. */
export function Tiles({ all, noun }: { readonly all: NumbersGroup; readonly noun: string }) {
  const number = (measure: string): number | null => totalOf(all, measure)
  const count = number('count') ?? 0
  const errors = number('errors') ?? 0
  const cost = number('cost')
  return (
    <dl className={styles.tiles}>
      <Tile name={noun === 'traces' ? 'Traces' : 'Calls'} value={formatCount(count)} />
      <Tile
        name="Failed"
        value={formatCount(errors)}
        about={count === 0 ? '' : `${((errors / count) * 100).toFixed(1)} %`}
        isBad={errors > 0}
      />
      {(['p50', 'p95', 'p99'] as const).map((each) => {
        const ms = number(`${each}_latency_ms`)
        return <Tile key={each} name={`Latency ${each}`} value={ms === null ? '–' : formatDuration(ms)} />
      })}
      <Tile
        name="Tokens"
        value={formatCompact(number('total_tokens') ?? 0)}
        about={`${formatCompact(number('input_tokens') ?? 0)} in, ${formatCompact(number('output_tokens') ?? 0)} out`}
      />
      <Tile
        name="Cost"
        value={cost === null ? 'no price' : `${all.unpriced.length > 0 ? '≥ ' : ''}${formatCost(cost)}`}
        about={all.unpriced.length === 0 ? '' : `${all.unpriced.length} without a price`}
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
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value} data-bad={isBad || undefined}>
        {value}
        {about !== '' && <span className={styles.about}>{about}</span>}
      </dd>
    </div>
  )
}
