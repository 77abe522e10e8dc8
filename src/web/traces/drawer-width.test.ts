import { expect, test } from 'vitest'
import { widthAfterKey } from './drawer-width.ts'

function pressKey(key: string, width: number, shiftKey = false): number | undefined {
  return widthAfterKey({ key, shiftKey }, width, 1440)
}

test('arrow keys move the drawer edge, within bounds', () => {
  expect(pressKey('ArrowLeft', 800)).toBe(824)
  expect(pressKey('ArrowRight', 800)).toBe(776)
  expect(pressKey('ArrowLeft', 800, true)).toBe(920)
  expect(pressKey('ArrowLeft', 1350)).toBe(1360)
  expect(pressKey('ArrowRight', 421)).toBe(420)
  expect(pressKey('Home', 800)).toBe(420)
  expect(pressKey('End', 800)).toBe(1360)
  expect(pressKey('j', 800)).toBeUndefined()
})
