import { expect, test } from 'vitest'
import { cellNumber, cellTime, selectChartColumns, columnKind, rowsSortedByX } from './column-kinds.ts'

const column = (name: string, type: string) => ({ name, type })

test('ClickHouse types are time, number or text', () => {
  expect(columnKind(column('a', 'Nullable(Float64)'))).toBe('number')
  expect(columnKind(column('a', 'UInt64'))).toBe('number')
  expect(columnKind(column('a', 'Decimal(38, 12)'))).toBe('number')
  expect(columnKind(column('a', "DateTime64(6, 'UTC')"))).toBe('time')
  expect(columnKind(column('a', 'LowCardinality(Nullable(String))'))).toBe('text')
  expect(columnKind(column('a', 'Array(UInt8)'))).toBe('text')
})

test('the x axis prefers the URL, then a time column, then a text column', () => {
  const columns = [
    column('name', 'String'),
    column('n', 'UInt64'),
    column('day', 'Date'),
    column('m', 'Float64'),
  ]
  expect(selectChartColumns(columns, undefined, undefined)).toEqual({ x: 2, ys: [1, 3] })
  expect(selectChartColumns(columns, 'name', 'm')).toEqual({ x: 0, ys: [3] })
  expect(selectChartColumns(columns, 'n', undefined)).toEqual({ x: 1, ys: [3] })
  expect(selectChartColumns([column('name', 'String')], undefined, undefined)).toBeUndefined()
  expect(selectChartColumns([column('n', 'UInt8')], undefined, undefined)).toBeUndefined()
})

test('parses numbers and times', () => {
  expect(cellNumber('18446744073709551615')).toBe(2 ** 64)
  expect(cellNumber('nan')).toBeNull()
  expect(cellNumber('null')).toBeNull()
  expect(cellTime('2026-03-01')).toBe(Date.UTC(2026, 2, 1))
  expect(cellTime('2026-03-01T10:00:00.000000Z')).toBe(Date.UTC(2026, 2, 1, 10))
  expect(cellTime('2026-03-01 10:00:00')).toBe(Date.UTC(2026, 2, 1, 10))
})

test('rows are sorted by x, and rows without x are dropped', () => {
  const result = {
    columns: [column('n', 'UInt8'), column('v', 'UInt8')],
    rows: [
      ['2', 'b'],
      ['null', 'x'],
      ['1', 'a'],
    ],
    isTruncated: false,
    ms: 1,
  }
  expect(rowsSortedByX(result, 0).map(({ row }) => row[1])).toEqual(['a', 'b'])
})
