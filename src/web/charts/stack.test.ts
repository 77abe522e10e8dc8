import { expect, test } from 'vitest'
import { layerAt, nearestTo, stacked } from './stack.ts'

test('layers stand on those below them, and nothing counts as none', () => {
  expect(
    stacked(
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

test('the layer at a height is the one that is drawn there', () => {
  expect(layerAt([5, 0, 3], 2)).toBe(0)
  expect(layerAt([5, 0, 3], 6)).toBe(2)
  expect(layerAt([5, null, 3], 9)).toBeUndefined()
  expect(layerAt([], 0)).toBeUndefined()
})

test('the nearest line is chosen among those that have a value', () => {
  expect(nearestTo([10, null, 30], 19)).toBe(0)
  expect(nearestTo([10, null, 30], 21)).toBe(2)
  expect(nearestTo([null], 1)).toBeUndefined()
})
