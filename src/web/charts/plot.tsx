import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import styles from './plot.module.css'
import { logRange } from './log-scale.ts'
import { drawLabels, isolatedPoints, nearestPoint, pointOfSeries, pointSize } from './plot-points.ts'
import type { PlotProps } from './plot-props.ts'
import { layerAt, nearestSeries, stackLayers } from './stack.ts'
import { tickLabel } from './time-labels.ts'
import { useColorScheme } from './use-color-scheme.ts'

/** uPlot chart on a canvas. Hidden from screen readers, because a table shows the same data. */
export function Plot(props: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const colorScheme = useColorScheme()
  const { xs, start, end, series, kind, height, labels, isLog } = props
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const plot = new UPlot(plotOptions(element, latest), plotData(latest.current), element)
    const resizeObserver = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    resizeObserver.observe(element)
    return () => {
      resizeObserver.disconnect()
      plot.destroy()
    }
  }, [xs, start, end, series, kind, height, labels, isLog, colorScheme])
  return <div ref={host} className={styles.plot} style={{ height }} aria-hidden="true" />
}

/** Series are painted in reverse order, so that the first is on top. In a stack it covers the larger sums. */
function plotData({ xs, series, kind, isTime, isLog }: PlotProps): UPlot.AlignedData {
  const x = isTime ? xs.map((ms) => ms / 1000) : [...xs]
  const values = series.map((each) => each.values)
  const painted =
    kind === 'bars'
      ? stackLayers(values, xs.length)
      : // A logarithmic scale has no zero.
        values.map((each) => each.map((value) => (isLog === true && (value ?? 0) <= 0 ? null : value)))
  return [x, ...painted.reverse()] as UPlot.AlignedData
}

function plotOptions(element: HTMLElement, latest: { readonly current: PlotProps }): UPlot.Options {
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
  const range: UPlot.Range.MinMax = [(latest.current.start ?? xs[0] ?? 0) / unit, end / unit]
  return {
    width: Math.max(100, element.clientWidth),
    height,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: isTime, range: () => range },
      y:
        latest.current.isLog === true
          ? { distr: LOGARITHMIC, range: (_, min, max) => logRange(min, max) }
          : // From zero, with some space above the maximum.
            { range: (_, min, max) => [Math.min(0, min * 1.08), max > 0 ? max * 1.08 : min < 0 ? 0 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 22,
        gap: 4,
        ...(kind === 'points' ? { space: 110 } : {}),
        values: (_, ticks, _axis, _space, step) =>
          ticks
            .map((tick) =>
              isTime ? tickLabel(tick * 1000, step * 1000) : (latest.current.formatX?.(tick) ?? String(tick)),
            )
            // Ticks that are closer than a label can tell.
            .map((label, i, labels) => (label === labels[i - 1] ? '' : label)),
      },
      {
        ...axis,
        size: 58,
        gap: 6,
        ...(latest.current.isInteger === true ? { incrs: INTEGER_STEPS } : {}),
        values: (_, ticks) => ticks.map((tick) => latest.current.format(tick)),
      },
    ],
    series: [
      {},
      ...painted.map((each): UPlot.Series => ({
        ...(kind === 'bars' ? { fill: color(each.color), width: 0, ...(bars ? { paths: bars } : {}) } : {}),
        ...(kind === 'lines' ? { stroke: color(each.color), width: 1.6 } : {}),
        ...(kind === 'points' ? { paths: () => null } : {}),
        spanGaps: latest.current.isConnected === true,
        points: {
          show: kind === 'points' || latest.current.isConnected === true,
          ...(kind === 'lines'
            ? { filter: (plot, i, show) => (show ? null : isolatedPoints(plot.data[i] ?? [])) }
            : {}),
          size: pointSize(latest.current),
          width: 0,
          fill: color(each.color),
        },
      })),
    ],
    cursor: {
      y: false,
      points: { show: kind !== 'bars', size: kind === 'points' ? 13 : 8 },
      ...(kind === 'points'
        ? { dataIdx: (plot, painted) => pointOfSeries(plot, latest.current, painted) }
        : {}),
      drag: { x: true, y: false, setScale: false },
    },
    hooks: {
      setCursor: [
        (plot) => {
          const left = (plot.cursor.left ?? 0) + plot.over.offsetLeft
          latest.current.onHover?.(bucketAtCursor(plot, latest.current), left, plot.width)
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width < 4) return
          const from = bucketAt(latest.current, plot.posToVal(left, 'x'))
          const to = bucketAt(latest.current, plot.posToVal(left + width, 'x'))
          if (from !== undefined && to !== undefined) latest.current.onDrag?.(from, to)
        },
      ],
      ready: [(plot) => listenToClicks(plot, latest)],
      draw: [(plot) => drawLabels(plot, latest.current, color('--ink-2'))],
    },
  }
}

/** `UPlot.Scale.Distr.Logarithmic`, which is not there at run time. */
const LOGARITHMIC = 3 as unknown as UPlot.Scale.Distr

const INTEGER_STEPS = Array.from({ length: 13 }, (_, i) => [1, 2, 5].map((step) => step * 10 ** i)).flat()

function listenToClicks(plot: UPlot, latest: { readonly current: PlotProps }): void {
  let downAt = 0
  plot.over.addEventListener('pointerdown', (event) => {
    downAt = event.clientX
  })
  plot.over.addEventListener('click', (event) => {
    // The end of a drag is not a click.
    if (Math.abs(event.clientX - downAt) >= 4) return
    const index = bucketAtCursor(plot, latest.current)
    if (index === undefined) return
    const { series, kind, onPick } = latest.current
    const values = series.map((each) => each.values[index] ?? null)
    const height = plot.posToVal(plot.cursor.top ?? 0, 'y')
    onPick?.(index, kind === 'bars' ? layerAt(values, height) : nearestSeries(values, height))
  })
}

function bucketAtCursor(plot: UPlot, props: PlotProps): number | undefined {
  const left = plot.cursor.left ?? -1
  if (left < 0) return undefined
  if (props.kind === 'points') return nearestPoint(plot, props)?.index
  // Lines use the nearest point. A bar is drawn to the right of its bucket start.
  return props.kind === 'lines' ? (plot.cursor.idx ?? undefined) : bucketAt(props, plot.posToVal(left, 'x'))
}

/** The bucket at an x value. */
function bucketAt({ xs, isTime }: PlotProps, x: number): number | undefined {
  const value = isTime ? x * 1000 : x
  let found: number | undefined
  for (const [i, start] of xs.entries()) {
    if (start > value) break
    found = i
  }
  return found ?? (xs.length > 0 ? 0 : undefined)
}
