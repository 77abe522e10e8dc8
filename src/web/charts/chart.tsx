import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { lazyComponent } from '../loading/lazy-component.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { toggled } from '../ui/toggled.ts'
import { visibleText } from '../ui/visible-text.ts'
import { ChartFrame } from './chart-frame.tsx'
import styles from './chart.module.css'
import { ChartTooltip, type HoveredBucket } from './chart-tooltip.tsx'
import { isFlattened } from './log-scale.ts'
import type { Series } from './series.ts'
import './series.css'
import { seriesRows } from './series-rows.ts'
import { SeriesTable } from './series-table.tsx'
import { bucketLabel } from './time-labels.ts'

/** Loaded when the first chart is shown. */
const Plot = lazyComponent(() => import('./plot.tsx'), 'Plot')

const HEIGHT = 180
const NONE: ReadonlySet<string> = new Set()

interface Props {
  readonly title: string
  /** Short summary next to the title. */
  readonly about: ReactNode
  /** Start of each bucket, or other x values. */
  readonly times: readonly number[]
  readonly isTime?: boolean
  /** The x values are events with these names, not buckets: lines connect them, and zeros are values. */
  readonly labels?: readonly string[]
  /** Start of the x axis. Default: the first x value. */
  readonly startMs?: number
  /** End of the last bucket. */
  readonly endMs: number
  readonly series: readonly Series[]
  readonly kind: 'bars' | 'lines'
  readonly isInteger?: boolean
  readonly format: (value: number) => string
  /** Heading of the values in the legend, such as `total`. */
  readonly totalLabel: string
  /** Shows a table with all values instead of the plot. */
  readonly isTable: boolean
  /** Renders the name of a series as a link to its calls. */
  readonly linkSeries?: (series: number) => ReactNode
  /** Renders the time of a bucket as a link to its calls. */
  readonly linkTime?: (index: number, text: string) => ReactNode
  readonly onPick?: (index: number, series: number | undefined) => void
  readonly onDrag?: (from: number, to: number) => void
}

/** Time series chart with a tooltip at the pointer, and a legend of totals that hides and shows series. */
export function Chart(props: Props) {
  const { times, series, format, title, isTime = true } = props
  const [hovered, setHovered] = useState<HoveredBucket>()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(NONE)
  const [isLog, setLog] = useState(false)
  const bucketMs = (times[1] ?? props.endMs) - (times[0] ?? 0)
  const labels = useMemo(
    () => props.labels ?? times.map((at) => (isTime ? bucketLabel(at, bucketMs) : String(at))),
    [props.labels, times, bucketMs, isTime],
  )
  // Hiding the last one would leave nothing to look at.
  const shown = useMemo(() => {
    const visible = series.filter(({ name }) => !hidden.has(name))
    return visible.length === 0 ? series : visible
  }, [series, hidden])
  const canBeLog = props.kind === 'lines' && (isLog || isFlattened(shown))
  const onPick =
    props.onPick &&
    ((index: number, at: number | undefined): void => {
      const picked = at === undefined ? undefined : shown[at]
      props.onPick?.(index, picked === undefined ? undefined : series.indexOf(picked))
    })
  return (
    <ChartFrame
      title={title}
      about={props.about}
      actions={
        <>
          {canBeLog && !props.isTable && (
            <button
              type="button"
              className={styles.scale}
              aria-pressed={isLog}
              title="Logarithmic scale: one spike does not flatten the rest"
              onClick={() => setLog(!isLog)}
            >
              Log
            </button>
          )}
          <CopyButton
            label={`Copy data: ${title}`}
            text={() =>
              seriesRows(times, series)
                .map((row) => row.join('\t'))
                .join('\n')
            }
          />
        </>
      }
    >
      {props.isTable ? (
        <SeriesTable
          title={title}
          labels={labels}
          series={series}
          format={format}
          keepsZeros={props.labels !== undefined}
          {...(props.linkTime === undefined ? {} : { linkTime: props.linkTime })}
        />
      ) : (
        <div className={styles.plot}>
          <div className={styles.canvas}>
            <Suspense fallback={<div style={{ height: HEIGHT }} />}>
              <Plot
                xs={times}
                start={props.startMs ?? times[0] ?? 0}
                end={props.endMs}
                isTime={isTime}
                series={shown}
                kind={props.kind}
                isLog={canBeLog && isLog}
                isConnected={props.labels !== undefined}
                isInteger={props.isInteger ?? false}
                height={HEIGHT}
                format={format}
                onHover={(index, left, width) =>
                  setHovered(index === undefined ? undefined : { index, left, width })
                }
                {...(onPick === undefined ? {} : { onPick })}
                {...(props.onDrag === undefined ? {} : { onDrag: props.onDrag })}
              />
            </Suspense>
            {hovered !== undefined && (
              <ChartTooltip
                hovered={hovered}
                label={labels[hovered.index] ?? ''}
                series={shown}
                format={format}
              />
            )}
          </div>
          <div className={styles.legendScroller}>
            <table className={styles.legend}>
              <caption className="visually-hidden">{title}, legend</caption>
              <thead>
                <tr>
                  <th scope="col">
                    <span className="visually-hidden">Series</span>
                  </th>
                  <th scope="col">{props.totalLabel}</th>
                </tr>
              </thead>
              <tbody>
                {series.map((each, i) => (
                  <tr key={each.name} data-hidden={!shown.includes(each) || undefined}>
                    <th scope="row">
                      <button
                        type="button"
                        className={styles.swatch}
                        style={{ background: `var(${each.color})` }}
                        aria-label={`Show ${visibleText(each.name)}`}
                        aria-pressed={shown.includes(each)}
                        title={shown.includes(each) ? 'Hide' : 'Show'}
                        disabled={series.length < 2}
                        onClick={() => setHidden(toggled(hidden, each.name))}
                      />
                      <span className={'plain-links ellipsis isolate'} title={each.name}>
                        {props.linkSeries?.(i) ?? visibleText(each.name)}
                      </span>
                    </th>
                    <td>{each.total}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
      )}
    </ChartFrame>
  )
}
