import type { Series } from './series.ts'

/** Chart data as spreadsheet rows: exact times, unformatted numbers, empty cells for missing values. */
export function seriesRows(times: readonly number[], series: readonly Series[]): string[][] {
  const header = ['time', ...series.map(({ name }) => name.replaceAll(/\s+/g, ' '))]
  const rows = times.map((ms, i) => [
    new Date(ms).toISOString(),
    ...series.map(({ values }) => (values[i] === null || values[i] === undefined ? '' : String(values[i]))),
  ])
  return [header, ...rows]
}
