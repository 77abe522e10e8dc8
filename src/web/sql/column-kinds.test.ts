import { expect, test } from 'vitest'
import { cellNumber, cellTime, chartColumns, kindOf, rowsAlong } from './column-kinds.ts'

const column = (name: string, type: string) => ({ name, type })

test('types of the engine are times, numbers or texts', () => {
  expect(kindOf(column('a', 'Nullable(Float64)'))).toBe('number')
  expect(kindOf(column('a', 'UInt64'))).toBe('number')
  expect(kindOf(column('a', 'Decimal(38, 12)'))).toBe('number')
  expect(kindOf(column('a', "DateTime64(6, 'UTC')"))).toBe('time')
  expect(kindOf(column('a', 'LowCardinality(Nullable(String))'))).toBe('text')
  expect(kindOf(column('a', 'Array(UInt8)'))).toBe('text')
})

test('a time comes before a text along the axis, and the address before both', () => {
  const columns = [
    column('name', 'String'),
    column('n', 'UInt64'),
    column('day', 'Date'),
    column('m', 'Float64'),
  ]
  expect(chartColumns(columns, undefined, undefined)).toEqual({ x: 2, ys: [1, 3] })
  expect(chartColumns(columns, 'name', 'm')).toEqual({ x: 0, ys: [3] })
  expect(chartColumns(columns, 'n', undefined)).toEqual({ x: 1, ys: [3] })
  expect(chartColumns([column('name', 'String')], undefined, undefined)).toBeUndefined()
  expect(chartColumns([column('n', 'UInt8')], undefined, undefined)).toBeUndefined()
})

test('cells as numbers and times', () => {
  expect(cellNumber('18446744073709551615')).toBe(2 ** 64)
  expect(cellNumber('nan')).toBeNull()
  expect(cellNumber('null')).toBeNull()
  expect(cellTime('2026-03-01')).toBe(Date.UTC(2026, 2, 1))
  expect(cellTime('2026-03-01T10:00:00.000000Z')).toBe(Date.UTC(2026, 2, 1, 10))
  expect(cellTime('2026-03-01 10:00:00')).toBe(Date.UTC(2026, 2, 1, 10))
})

test('rows are put in order and those without a place are left out', () => {
  const result = {
    columns: [column('n', 'UInt8'), column('v', 'UInt8')],
    rows: [
      ['2', 'b'],
      ['null', 'x'],
      ['1', 'a'],
    ],
    isCut: false,
    ms: 1,
  }
  expect(rowsAlong(result, 0).map(({ row }) => row[1])).toEqual(['a', 'b'])
})
