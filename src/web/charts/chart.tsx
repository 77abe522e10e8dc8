import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './chart.module.css'
import type { Series } from './series.ts'
import './series.css'
import { seriesRows } from './series-rows.ts'
import { SeriesTable } from './series-table.tsx'
import { bucketText } from './time-text.ts'

/** The code that draws is fetched when the first chart is shown. */
const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }))

const HEIGHT = 180

interface Props {
  readonly title: string
  /** In a few words, what it comes to. */
  readonly about: ReactNode
  /** When each bucket begins, or whatever stands along the axis. */
  readonly times: readonly number[]
  readonly isTime?: boolean
  /** Where the last bucket ends. */
  readonly endMs: number
  readonly series: readonly Series[]
  readonly kind: 'bars' | 'lines'
  readonly isWhole?: boolean
  readonly format: (value: number) => string
  /** What the number beside each name is, such as `total`. */
  readonly totalLabel: string
  /** All numbers in a table, in place of the picture. */
  readonly isTable: boolean
  /** The name of a series as a link to what is behind it. */
  readonly linkSeries?: (series: number) => ReactNode
  /** The time of a bucket as a link to what is behind it. */
  readonly linkTime?: (index: number, text: string) => ReactNode
  readonly onPick?: (index: number, series: number | undefined) => void
  readonly onDrag?: (from: number, to: number) => void
}

/** Numbers over time, with a table of its series beside the picture; while a time is pointed at, that time's. */
export function Chart(props: Props) {
  const { times, series, format, title, isTime = true } = props
  const [hovered, setHovered] = useState<number>()
  const widthMs = (times[1] ?? props.endMs) - (times[0] ?? 0)
  const labels = useMemo(
    () => times.map((at) => (isTime ? bucketText(at, widthMs) : String(at))),
    [times, widthMs, isTime],
  )
  const hoveredText = hovered === undefined ? undefined : labels[hovered]
  return (
    <figure className={styles.figure} aria-label={title}>
      <figcaption className={styles.caption}>
        <h2>{title}</h2>
        <span className={styles.about}>{props.about}</span>
        <span className={styles.space} />
        <CopyButton
          label={`Copy the numbers: ${title}`}
          text={() =>
            seriesRows(times, series)
              .map((row) => row.join('\t'))
              .join('\n')
          }
        />
      </figcaption>
      {props.isTable ? (
        <SeriesTable
          title={title}
          labels={labels}
          series={series}
          format={format}
          {...(props.linkTime === undefined ? {} : { linkTime: props.linkTime })}
        />
      ) : (
        <div className={styles.picture}>
          <Suspense fallback={<div style={{ height: HEIGHT }} />}>
            <Plot
              xs={times}
              end={props.endMs}
              isTime={isTime}
              series={series}
              kind={props.kind}
              isWhole={props.isWhole ?? false}
              height={HEIGHT}
              format={format}
              onHover={setHovered}
              {...(props.onPick === undefined ? {} : { onPick: props.onPick })}
              {...(props.onDrag === undefined ? {} : { onDrag: props.onDrag })}
            />
          </Suspense>
          <table className={styles.legend}>
            <caption className="visually-hidden">{title}, whole time</caption>
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
                    <span className={`${styles.name} foreign`} title={each.name}>
                      {props.linkSeries?.(i) ?? visibleText(each.name)}
                    </span>
                  </th>
                  <td>{hovered === undefined ? each.total : valueText(each.values[hovered], format)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </figure>
  )
}

function valueText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value)
}
