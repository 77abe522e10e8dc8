/** A chart series: one line, or one layer of stacked bars. */
export interface Series {
  readonly name: string
  /** One value per x value; `null` if missing. */
  readonly values: readonly (number | null)[]
  /** The formatted values, if the format depends on more than the number. */
  readonly texts?: readonly (string | null)[]
  /** Formatted total. Passed in, because percentiles cannot be summed here. */
  readonly total: string
  /** Name of a CSS variable. */
  readonly color: string
}

/** Number of series with their own color. */
export const MAX_SERIES = 8

export function seriesColor(index: number): string {
  return index < MAX_SERIES ? `--series-${index}` : OTHER_COLOR
}

export const OTHER_COLOR = '--series-other'

/** The text of one value; `–` if missing. */
export function seriesText(
  { values, texts }: Series,
  index: number,
  format: (value: number) => string,
): string {
  const value = values[index]
  return value === null || value === undefined ? '–' : (texts?.[index] ?? format(value))
}
