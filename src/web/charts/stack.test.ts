import { expect, test } from 'vitest'
import { layerAt, nearestSeries, stackLayers } from './stack.ts'

test('layers are summed, and missing values count as zero', () => {
  expect(
    stackLayers(
      [
        [1, null, 3],
        [2, 2, null],
      ],
      3,
    ),
  ).toEqual([
    [1, 0, 3],
    [3, 2, 3],
  ])
})

test('finds the layer at a height', () => {
  expect(layerAt([5, 0, 3], 2)).toBe(0)
  expect(layerAt([5, 0, 3], 6)).toBe(2)
  expect(layerAt([5, null, 3], 9)).toBeUndefined()
  expect(layerAt([], 0)).toBeUndefined()
})

test('finds the nearest series that has a value', () => {
  expect(nearestSeries([10, null, 30], 19)).toBe(0)
  expect(nearestSeries([10, null, 30], 21)).toBe(2)
  expect(nearestSeries([null], 1)).toBeUndefined()
})
