import type { SqlColumn, SqlResult } from './use-sql.ts'

/** Kind of a column in a chart. */
export type ColumnKind = 'time' | 'number' | 'text'

export function columnKind({ type }: SqlColumn): ColumnKind {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type)
  if (inner !== null) return columnKind({ name: '', type: inner[1] ?? '' })
  if (type.startsWith('Date')) return 'time'
  return /^(?:U?Int|Float|Decimal|BFloat)/.test(type) ? 'number' : 'text'
}

export interface ChartColumns {
  readonly x: number
  readonly ys: readonly number[]
}

/** Columns to draw: those named in the URL, else the first time or text column as x and all numbers as y. */
export function selectChartColumns(
  columns: readonly SqlColumn[],
  xName: string | undefined,
  yNames: string | undefined,
): ChartColumns | undefined {
  const kinds = columns.map(columnKind)
  const named = columns.findIndex(({ name }) => name === xName)
  const fallback = [kinds.indexOf('time'), kinds.indexOf('text'), kinds.indexOf('number')].find(
    (at) => at >= 0,
  )
  const x = named >= 0 ? named : (fallback ?? -1)
  const yNameList = yNames?.split(',')
  const ys = kinds.flatMap((kind, i) => {
    if (kind !== 'number' || i === x) return []
    return yNameList === undefined || yNameList.includes(columns[i]?.name ?? '') ? [i] : []
  })
  return x < 0 || ys.length === 0 ? undefined : { x, ys }
}

/** The number in a cell; `null` for `null`, `nan`, `inf` and text. */
export function cellNumber(text: string | undefined): number | null {
  if (text === undefined || text === '' || text === 'null') return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

/** ClickHouse times without an offset are UTC. */
export function cellTime(text: string | undefined): number {
  if (text === undefined) return Number.NaN
  const iso = text.includes(' ') ? text.replace(' ', 'T') : text
  return Date.parse(/T/.test(iso) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? `${iso}Z` : iso)
}

export interface XRow {
  readonly x: number
  readonly row: readonly string[]
}

/** Rows sorted by the x column. Rows without an x value are dropped, because they cannot be drawn. */
export function rowsSortedByX(result: SqlResult, x: number): readonly XRow[] {
  const column = result.columns[x]
  const isTime = column !== undefined && columnKind(column) === 'time'
  return result.rows
    .map((row) => ({ x: isTime ? cellTime(row[x]) : (cellNumber(row[x]) ?? Number.NaN), row }))
    .filter(({ x }) => !Number.isNaN(x))
    .sort((a, b) => a.x - b.x)
}
