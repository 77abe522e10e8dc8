import type { SqlColumn, SqlResult } from './use-sql.ts'

/** What a column can be in a chart. */
export type ColumnKind = 'time' | 'number' | 'text'

export function kindOf({ type }: SqlColumn): ColumnKind {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type)
  if (inner !== null) return kindOf({ name: '', type: inner[1] ?? '' })
  if (type.startsWith('Date')) return 'time'
  return /^(?:U?Int|Float|Decimal|BFloat)/.test(type) ? 'number' : 'text'
}

export interface ChartColumns {
  readonly x: number
  readonly ys: readonly number[]
}

/** Which columns are drawn: those that the address names, else the first time or text along, and all numbers up. */
export function chartColumns(
  columns: readonly SqlColumn[],
  xName: string | undefined,
  yNames: string | undefined,
): ChartColumns | undefined {
  const kinds = columns.map(kindOf)
  const named = columns.findIndex(({ name }) => name === xName)
  const usual = [kinds.indexOf('time'), kinds.indexOf('text'), kinds.indexOf('number')].find((at) => at >= 0)
  const x = named >= 0 ? named : (usual ?? -1)
  const asked = yNames?.split(',')
  const ys = kinds.flatMap((kind, i) => {
    if (kind !== 'number' || i === x) return []
    return asked === undefined || asked.includes(columns[i]?.name ?? '') ? [i] : []
  })
  return x < 0 || ys.length === 0 ? undefined : { x, ys }
}

/** A number of a cell; null for what is none, such as `null`, `nan` and `inf`. */
export function cellNumber(text: string | undefined): number | null {
  if (text === undefined || text === '' || text === 'null') return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

/** Times without an offset are UTC, as the engine has them. */
export function cellTime(text: string | undefined): number {
  if (text === undefined) return Number.NaN
  const iso = text.includes(' ') ? text.replace(' ', 'T') : text
  return Date.parse(/T/.test(iso) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? `${iso}Z` : iso)
}

export interface XRow {
  readonly x: number
  readonly row: readonly string[]
}

/** Rows in the order of a time or a number; those without one cannot be drawn. */
export function rowsAlong(result: SqlResult, x: number): readonly XRow[] {
  const column = result.columns[x]
  const isTime = column !== undefined && kindOf(column) === 'time'
  return result.rows
    .map((row) => ({ x: isTime ? cellTime(row[x]) : (cellNumber(row[x]) ?? Number.NaN), row }))
    .filter(({ x }) => !Number.isNaN(x))
    .sort((a, b) => a.x - b.x)
}
