/** One line, or one layer of stacked bars. */
export interface Series {
  readonly name: string
  /** For each of the chart's times; null where there is nothing to tell. */
  readonly values: readonly (number | null)[]
  /** Of the whole time, as text; percentiles cannot be added up, so that it is not worked out here. */
  readonly total: string
  /** The name of a CSS variable. */
  readonly color: string
}

/** As many groups as have a colour of their own. */
export const MOST_SERIES = 8

export function seriesColor(index: number): string {
  return index < MOST_SERIES ? `--series-${index}` : OTHER_COLOR
}

export const OTHER_COLOR = '--series-other'
