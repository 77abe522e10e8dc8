import { expect, test } from 'vitest'
import { barHeights } from './histogram-bars.ts'

const heights = (count: number, errors: number) => barHeights({ count, errors }, 1000, 44)

test('a bar is as high as its count, a low one is visible', () => {
  expect(
    [heights(1000, 0), heights(500, 0), heights(1, 0), heights(0, 0)].map(({ height }) => height),
  ).toEqual([44, 22, 2, 0])
})

test('errors take their share of a bar, also of a low one', () => {
  expect(heights(1000, 250).errorHeight).toBe(11)
  expect(heights(40, 1)).toEqual({ height: 2, errorHeight: 1 })
  expect(heights(1, 1)).toEqual({ height: 2, errorHeight: 2 })
  // Few of many are a line, not nothing.
  expect(heights(1000, 1).errorHeight).toBe(1)
})
