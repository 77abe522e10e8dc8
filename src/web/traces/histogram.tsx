import { type PointerEvent, useRef, useState } from 'react'
import { formatCompact, formatCount } from '../ui/format.ts'
import styles from './histogram.module.css'
import { barHeights } from './histogram-bars.ts'
import type { Bucket, Histogram as Data } from './use-histogram.ts'

const HEIGHT = 44

interface Props {
  readonly data: Data | undefined
  /** Called with the time range that the user dragged over. */
  readonly onSelect: (fromMs: number, toMs: number) => void
}

/** Histogram of call starts, with errors at the bottom of each bar. Dragging selects a time range. */
export function Histogram({ data, onSelect }: Props) {
  const plot = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<number>()
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>()
  const buckets = data?.buckets ?? []
  const maxCount = Math.max(1, ...buckets.map(({ count }) => count))
  const indexAt = (event: PointerEvent): number => {
    const box = plot.current?.getBoundingClientRect()
    if (box === undefined || buckets.length === 0) return 0
    const fraction = (event.clientX - box.left) / box.width
    return Math.max(0, Math.min(buckets.length - 1, Math.floor(fraction * buckets.length)))
  }
  const finish = (): void => {
    if (drag === undefined) return
    setDrag(undefined)
    const first = buckets[Math.min(drag.from, drag.to)]
    const last = buckets[Math.max(drag.from, drag.to)]
    if (first !== undefined && last !== undefined) onSelect(first.fromMs, last.toMs)
  }
  const hoveredBucket = hovered === undefined ? undefined : buckets[hovered]
  return (
    <figure className={styles.figure} aria-label={describe(data)}>
      <div
        ref={plot}
        className={styles.plot}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          const at = indexAt(event)
          setDrag({ from: at, to: at })
        }}
        onPointerMove={(event) => {
          const at = indexAt(event)
          setHovered(at)
          if (drag !== undefined) setDrag({ ...drag, to: at })
        }}
        onPointerUp={finish}
        onPointerLeave={() => setHovered(undefined)}
      >
        <svg
          className={styles.bars}
          viewBox={`0 0 ${Math.max(1, buckets.length)} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {buckets.map((bucket, i) => (
            <Bar key={bucket.fromMs} bucket={bucket} at={i} maxCount={maxCount} isHovered={i === hovered} />
          ))}
          {drag !== undefined && (
            <rect
              className={styles.selected}
              x={Math.min(drag.from, drag.to)}
              y={0}
              width={Math.abs(drag.to - drag.from) + 1}
              height={HEIGHT}
            />
          )}
        </svg>
        {buckets.length > 0 && (
          <span className={styles.max} aria-hidden="true" title="The most in one bar">
            {formatCompact(maxCount)}
          </span>
        )}
      </div>
      <div className={styles.axis} aria-hidden="true">
        {hoveredBucket === undefined ? (
          <AxisLabels buckets={buckets} />
        ) : (
          <span className={styles.hover}>
            {timeLabel(hoveredBucket.fromMs)}: {formatCount(hoveredBucket.count)}
            {hoveredBucket.errors > 0 && (
              <b className={styles.errorCount}>, {errorCount(hoveredBucket.errors)}</b>
            )}
          </span>
        )}
      </div>
    </figure>
  )
}

interface BarProps {
  readonly bucket: Bucket
  readonly at: number
  readonly maxCount: number
  readonly isHovered: boolean
}

function Bar({ bucket, at, maxCount, isHovered }: BarProps) {
  if (bucket.count === 0)
    return isHovered ? <rect className={styles.empty} x={at} y={0} width={1} height={HEIGHT} /> : null
  const { height, errorHeight } = barHeights(bucket, maxCount, HEIGHT)
  return (
    <>
      {isHovered && <rect className={styles.empty} x={at} y={0} width={1} height={HEIGHT} />}
      <rect className={styles.success} x={at + 0.1} y={HEIGHT - height} width={0.8} height={height} />
      <rect className={styles.error} x={at + 0.1} y={HEIGHT - errorHeight} width={0.8} height={errorHeight} />
    </>
  )
}

function AxisLabels({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const first = buckets[0]
  const last = buckets.at(-1)
  if (first === undefined || last === undefined) return <span> </span>
  const middle = buckets[Math.floor(buckets.length / 2)] ?? first
  return (
    <>
      <span>{timeLabel(first.fromMs)}</span>
      <span>{timeLabel(middle.fromMs)}</span>
      <span>{timeLabel(last.toMs)}</span>
    </>
  )
}

function timeLabel(ms: number): string {
  return new Date(ms).toLocaleString(undefined, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}

function describe(data: Data | undefined): string {
  if (data === undefined) return 'Calls over time'
  return `Calls over time: ${formatCount(data.count)} total, ${errorCount(data.errors)}`
}

function errorCount(count: number): string {
  return count === 1 ? '1 error' : `${formatCount(count)} errors`
}
