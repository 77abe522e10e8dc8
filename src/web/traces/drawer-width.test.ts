import { expect, test } from 'vitest'
import { keyedWidth } from './drawer-width.ts'

function after(key: string, width: number, shiftKey = false): number | undefined {
  return keyedWidth({ key, shiftKey }, width, 1440)
}

test('the edge of a drawer goes where the arrow points, within bounds', () => {
  expect(after('ArrowLeft', 800)).toBe(824)
  expect(after('ArrowRight', 800)).toBe(776)
  expect(after('ArrowLeft', 800, true)).toBe(920)
  expect(after('ArrowLeft', 1350)).toBe(1360)
  expect(after('ArrowRight', 421)).toBe(420)
  expect(after('Home', 800)).toBe(420)
  expect(after('End', 800)).toBe(1360)
  expect(after('j', 800)).toBeUndefined()
})
