import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import styles from './plot.module.css'
import type { Series } from './series.ts'
import { layerAt, nearestTo, stacked } from './stack.ts'
import { markText } from './time-text.ts'
import { useScheme } from './use-scheme.ts'

export interface PlotProps {
  /** What stands on the axis: when each bucket begins in milliseconds, or any other growing numbers. */
  readonly xs: readonly number[]
  /** Where the last bucket ends. */
  readonly end: number
  readonly isTime: boolean
  readonly series: readonly Series[]
  readonly kind: 'bars' | 'lines'
  /** Numbers that have no fractions: neither does the axis. */
  readonly isWhole?: boolean
  readonly height: number
  readonly format: (value: number) => string
  readonly onHover?: (index: number | undefined) => void
  /** A bucket was clicked, and the series at that height. */
  readonly onPick?: (index: number, series: number | undefined) => void
  /** Buckets were drawn over. */
  readonly onDrag?: (from: number, to: number) => void
}

/** uPlot on a canvas. Everything that it shows stands in a table too: for those who cannot see it, it is not there. */
export function Plot(props: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const scheme = useScheme()
  const { xs, end, series, kind, height } = props
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const plot = new UPlot(optionsOf(element, latest), dataOf(latest.current), element)
    const resizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    resizes.observe(element)
    return () => {
      resizes.disconnect()
      plot.destroy()
    }
  }, [xs, end, series, kind, height, scheme])
  return <div ref={host} className={styles.plot} style={{ height }} aria-hidden="true" />
}

/** What comes first is painted last: of lines it lies on top, of a stack it covers what stands on it. */
function dataOf({ xs, series, kind, isTime }: PlotProps): UPlot.AlignedData {
  const x = isTime ? xs.map((ms) => ms / 1000) : [...xs]
  const values = series.map((each) => each.values)
  const painted = kind === 'bars' ? stacked(values, xs.length) : values.map((each) => [...each])
  return [x, ...painted.reverse()] as UPlot.AlignedData
}

function optionsOf(element: HTMLElement, latest: { readonly current: PlotProps }): UPlot.Options {
  const { series, kind, height, isTime, xs, end } = latest.current
  const style = getComputedStyle(element)
  const color = (name: string): string => style.getPropertyValue(name).trim()
  const bars = UPlot.paths.bars?.({ size: [0.82, 48], align: 1, radius: 0.08 })
  const painted = [...series].reverse()
  const axis: UPlot.Axis = {
    stroke: color('--ink-3'),
    font: `11px ${style.fontFamily}`,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  }
  const unit = isTime ? 1000 : 1
  const range: UPlot.Range.MinMax = [(xs[0] ?? 0) / unit, end / unit]
  return {
    width: Math.max(100, element.clientWidth),
    height,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: isTime, range: () => range },
      // From nothing up, with some air above the highest.
      y: { range: (_, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 22,
        gap: 4,
        values: (_, marks, _axis, _space, step) =>
          marks.map((mark) => (isTime ? markText(mark * 1000, step * 1000) : String(mark))),
      },
      {
        ...axis,
        size: 58,
        gap: 6,
        ...(latest.current.isWhole === true ? { incrs: WHOLE_STEPS } : {}),
        values: (_, marks) => marks.map((mark) => latest.current.format(mark)),
      },
    ],
    series: [
      {},
      ...painted.map((each): UPlot.Series => ({
        ...(kind === 'bars' ? { fill: color(each.color), width: 0, ...(bars ? { paths: bars } : {}) } : {}),
        ...(kind === 'lines' ? { stroke: color(each.color), width: 1.6 } : {}),
        points: { show: kind === 'lines', size: xs.length > 60 ? 3 : 5, width: 0, fill: color(each.color) },
      })),
    ],
    cursor: {
      y: false,
      points: { show: kind === 'lines', size: 8 },
      drag: { x: true, y: false, setScale: false },
    },
    hooks: {
      setCursor: [(plot) => latest.current.onHover?.(bucketUnder(plot, latest.current))],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width < 4) return
          const from = indexAt(latest.current, plot.posToVal(left, 'x'))
          const to = indexAt(latest.current, plot.posToVal(left + width, 'x'))
          if (from !== undefined && to !== undefined) latest.current.onDrag?.(from, to)
        },
      ],
      ready: [(plot) => listenToClicks(plot, latest)],
    },
  }
}

const WHOLE_STEPS = Array.from({ length: 13 }, (_, i) => [1, 2, 5].map((step) => step * 10 ** i)).flat()

function listenToClicks(plot: UPlot, latest: { readonly current: PlotProps }): void {
  let downAt = 0
  plot.over.addEventListener('pointerdown', (event) => {
    downAt = event.clientX
  })
  plot.over.addEventListener('click', (event) => {
    // The end of drawing over a time is no click.
    if (Math.abs(event.clientX - downAt) >= 4) return
    const index = bucketUnder(plot, latest.current)
    if (index === undefined) return
    const { series, kind, onPick } = latest.current
    const values = series.map((each) => each.values[index] ?? null)
    const height = plot.posToVal(plot.cursor.top ?? 0, 'y')
    onPick?.(index, kind === 'bars' ? layerAt(values, height) : nearestTo(values, height))
  })
}

function bucketUnder(plot: UPlot, props: PlotProps): number | undefined {
  const left = plot.cursor.left ?? -1
  if (left < 0) return undefined
  // A line's point is the nearest one; a bar stands to the right of where its bucket begins.
  return props.kind === 'lines' ? (plot.cursor.idx ?? undefined) : indexAt(props, plot.posToVal(left, 'x'))
}

/** The bucket that a place on the axis belongs to. */
function indexAt({ xs, isTime }: PlotProps, x: number): number | undefined {
  const value = isTime ? x * 1000 : x
  let found: number | undefined
  for (const [i, begin] of xs.entries()) {
    if (begin > value) break
    found = i
  }
  return found ?? (xs.length > 0 ? 0 : undefined)
}
