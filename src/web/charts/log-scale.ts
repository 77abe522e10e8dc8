import type { Series } from './series.ts'

/** How many times the usual value the largest one is, when the others become a flat line. */
const SPIKE = 20

/** Whether one spike flattens the rest of a chart of lines, so that a logarithmic scale shows more. */
export function isFlattened(series: readonly Series[]): boolean {
  const values = series.flatMap((each) => each.values.filter((value) => value !== null && value > 0))
  if (values.length < 4) return false
  const sorted = values.toSorted((a, b) => (a ?? 0) - (b ?? 0))
  const usual = sorted[Math.floor((sorted.length - 1) * 0.75)] ?? 0
  return (sorted.at(-1) ?? 0) > usual * SPIKE
}

/** The bounds of a logarithmic axis: powers of ten around the values. */
export function logRange(min: number, max: number): [number, number] {
  const low = min > 0 ? min : Math.min(1, max > 0 ? max / 10 : 1)
  const high = max > low ? max : low * 10
  return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high * 1.0001))]
}
