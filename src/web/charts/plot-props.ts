import type { Series } from './series.ts'

/** What a plot shows. */
export interface PlotProps {
  /** X values: bucket starts in milliseconds, or other ascending numbers. */
  readonly xs: readonly number[]
  /** Start of the x axis. Default: the first x value. */
  readonly start?: number
  /** End of the last bucket. */
  readonly end: number
  readonly isTime: boolean
  readonly series: readonly Series[]
  readonly kind: 'bars' | 'lines' | 'points'
  /** Lines continue over missing values. */
  readonly isConnected?: boolean
  /** Text beside each point of a plot of points, as far as there is space. */
  readonly labels?: readonly string[]
  /** Integer values: the axis has integer ticks only. */
  readonly isInteger?: boolean
  readonly height: number
  readonly format: (value: number) => string
  /** Format of x values that are not times. */
  readonly formatX?: (value: number) => string
  /** The scale of lines: logarithmic if one spike would flatten the rest. */
  readonly isLog?: boolean
  readonly onHover?: (index: number | undefined, left: number, width: number) => void
  /** Called when a bucket is clicked, with the series at that height. */
  readonly onPick?: (index: number, series: number | undefined) => void
  /** Called when the user drags over buckets. */
  readonly onDrag?: (from: number, to: number) => void
}
