import { expect, test } from 'vitest'
import { isFlattened, logRange } from './log-scale.ts'

const series = (...values: (number | null)[]) => [{ name: 'a', values, total: '', color: '' }]

test('a spike flattens the rest if it is many times the usual value', () => {
  expect(isFlattened(series(3, 4, null, 5, 400))).toBe(true)
  expect(isFlattened(series(3, 4, null, 5, 40))).toBe(false)
  expect(isFlattened(series(0, 0, 0, 0, 400))).toBe(false)
  expect(isFlattened([])).toBe(false)
})

test('a logarithmic axis begins and ends at a power of ten', () => {
  expect(logRange(3, 4200)).toEqual([1, 10_000])
  expect(logRange(0.02, 0.02)).toEqual([0.01, 1])
  expect(logRange(0, 0)).toEqual([1, 100])
})
