import type UPlot from 'uplot'
import type { PlotProps } from './plot-props.ts'

/** The points of lines and scatter plots: their size, the one under the cursor, and their labels. */

export function pointSize({ kind, isConnected = false }: PlotProps): number {
  if (kind === 'points') return 10
  return isConnected ? 7 : 4
}

/** The values of a line without neighbors, which only a dot shows. */
export function isolatedPoints(values: ArrayLike<number | null | undefined>): number[] {
  const isMissing = (index: number): boolean => values[index] === null || values[index] === undefined
  return Array.from(values, (_, i) => i).filter((i) => !isMissing(i) && isMissing(i - 1) && isMissing(i + 1))
}

/** Distance in pixels at which a point can be clicked. */
const REACH_PX = 24

interface Point {
  readonly index: number
  readonly series: number
}

/** The point under the cursor of a scatter plot. */
export function nearestPoint(plot: UPlot, { xs, series }: PlotProps): Point | undefined {
  const { left = -1, top = -1 } = plot.cursor
  let nearest: Point | undefined
  let distance = REACH_PX
  for (const [n, { values }] of series.entries()) {
    for (const [index, x] of xs.entries()) {
      const y = values[index]
      if (y === null || y === undefined) continue
      const away = Math.hypot(plot.valToPos(x, 'x') - left, plot.valToPos(y, 'y') - top)
      if (away > distance) continue
      distance = away
      nearest = { index, series: n }
    }
  }
  return nearest
}

/** The index that uPlot marks in a series, which it counts from 1 and in reverse order. */
export function pointOfSeries(plot: UPlot, props: PlotProps, painted: number): number | null {
  const nearest = nearestPoint(plot, props)
  // The x values have an index too, or uPlot hides the marks of all series.
  if (painted === 0) return nearest?.index ?? null
  return nearest !== undefined && props.series.length - painted === nearest.series ? nearest.index : null
}

const GAP_PX = 9
const LINE_PX = 13

/** Writes labels beside points, without those that would cover another. */
export function drawLabels(plot: UPlot, { labels, xs, series, kind }: PlotProps, color: string): void {
  if (labels === undefined || kind !== 'points') return
  const { ctx } = plot
  const ratio = devicePixelRatio
  const used: (readonly [left: number, right: number, y: number])[] = []
  ctx.save()
  ctx.fillStyle = color
  ctx.font = `${11 * ratio}px ${getComputedStyle(plot.root).fontFamily}`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  for (const { values } of series) {
    for (const [index, x] of xs.entries()) {
      const value = values[index]
      const label = labels[index]
      if (value === null || value === undefined || label === undefined) continue
      const at = plot.valToPos(x, 'x', true)
      const y = plot.valToPos(value, 'y', true)
      const width = ctx.measureText(label).width
      // Right of the point, or left of it near the right edge.
      const isLeft = at + GAP_PX * ratio + width > plot.bbox.left + plot.bbox.width
      const left = isLeft ? at - GAP_PX * ratio - width : at + GAP_PX * ratio
      const covers = used.some(
        ([from, to, other]) => left < to && left + width > from && Math.abs(y - other) < LINE_PX * ratio,
      )
      if (covers || left < plot.bbox.left) continue
      used.push([left, left + width, y])
      ctx.fillText(label, left, y)
    }
  }
  ctx.restore()
}
