import type { Series } from './series.ts'

/** A chart as rows for a spreadsheet: exact times, numbers as they are, nothing where nothing is. */
export function seriesRows(times: readonly number[], series: readonly Series[]): string[][] {
  const head = ['time', ...series.map(({ name }) => name.replaceAll(/\s+/g, ' '))]
  const rows = times.map((ms, i) => [
    new Date(ms).toISOString(),
    ...series.map(({ values }) => (values[i] === null || values[i] === undefined ? '' : String(values[i]))),
  ])
  return [head, ...rows]
}
