import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { lazyComponent } from '../loading/lazy-component.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { ChartFrame } from './chart-frame.tsx'
import styles from './chart.module.css'
import { type Series, seriesText } from './series.ts'
import './series.css'
import { seriesRows } from './series-rows.ts'
import { SeriesTable } from './series-table.tsx'
import { bucketLabel } from './time-labels.ts'

/** Loaded when the first chart is shown. */
const Plot = lazyComponent(() => import('./plot.tsx'), 'Plot')

const HEIGHT = 180

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

/** Time series chart with a legend. The legend shows totals, or the values of the hovered bucket. */
export function Chart(props: Props) {
  const { times, series, format, title, isTime = true } = props
  const [hovered, setHovered] = useState<number>()
  const bucketMs = (times[1] ?? props.endMs) - (times[0] ?? 0)
  const labels = useMemo(
    () => props.labels ?? times.map((at) => (isTime ? bucketLabel(at, bucketMs) : String(at))),
    [props.labels, times, bucketMs, isTime],
  )
  const hoveredText = hovered === undefined ? undefined : labels[hovered]
  return (
    <ChartFrame
      title={title}
      about={props.about}
      actions={
        <CopyButton
          label={`Copy data: ${title}`}
          text={() =>
            seriesRows(times, series)
              .map((row) => row.join('\t'))
              .join('\n')
          }
        />
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
          <Suspense fallback={<div style={{ height: HEIGHT }} />}>
            <Plot
              xs={times}
              start={props.startMs ?? times[0] ?? 0}
              end={props.endMs}
              isTime={isTime}
              series={series}
              kind={props.kind}
              isConnected={props.labels !== undefined}
              isInteger={props.isInteger ?? false}
              height={HEIGHT}
              format={format}
              onHover={setHovered}
              {...(props.onPick === undefined ? {} : { onPick: props.onPick })}
              {...(props.onDrag === undefined ? {} : { onDrag: props.onDrag })}
            />
          </Suspense>
          <table className={styles.legend}>
            <caption className="visually-hidden">{title}, legend</caption>
            <thead>
              <tr>
                <th scope="col">
                  <span className="visually-hidden">Series</span>
                </th>
                <th scope="col">{hoveredText ?? props.totalLabel}</th>
              </tr>
            </thead>
            <tbody>
              {series.map((each, i) => (
                <tr key={each.name}>
                  <th scope="row">
                    <span className={styles.swatch} style={{ background: `var(${each.color})` }} />
                    <span className={'plain-links ellipsis isolate'} title={each.name}>
                      {props.linkSeries?.(i) ?? visibleText(each.name)}
                    </span>
                  </th>
                  <td>{hovered === undefined ? each.total : seriesText(each, hovered, format)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </ChartFrame>
  )
}
