import { expect, test } from 'vitest'
import { reviewCounts, adjacentItem, nextOpenItem, type OrderedItem } from './queue-order.ts'

const item = (call_id: string, fields: Partial<OrderedItem> = {}): OrderedItem => ({
  call_id,
  done_by: null,
  skipped_by: [],
  held_by: null,
  ...fields,
})

const ITEMS = [
  item('a'),
  item('b', { done_by: 'bob' }),
  item('c', { held_by: 'bob' }),
  item('d', { skipped_by: ['ann'] }),
  item('e', { held_by: 'ann' }),
]

test('the next item is open, not held by others and not skipped by the user, and the search wraps around', () => {
  expect(nextOpenItem(ITEMS, 'a', 'ann', false)?.call_id).toBe('e')
  expect(nextOpenItem(ITEMS, 'e', 'ann', false)?.call_id).toBe('a')
  expect(nextOpenItem(ITEMS, 'a', 'ann', true)?.call_id).toBe('d')
  expect(nextOpenItem(ITEMS, undefined, 'ann', false)?.call_id).toBe('a')
  expect(nextOpenItem(ITEMS, 'a', 'bob', false)?.call_id).toBe('c')
  expect(nextOpenItem([item('a')], 'a', 'ann', false)).toBeUndefined()
})

test('adjacent items follow the order and stop at both ends', () => {
  expect(adjacentItem(ITEMS, 'a', 1)?.call_id).toBe('b')
  expect(adjacentItem(ITEMS, 'a', -1)).toBeUndefined()
  expect(adjacentItem(ITEMS, 'e', 1)).toBeUndefined()
  expect(adjacentItem(ITEMS, 'gone', 1)?.call_id).toBe('a')
})

test('reviewed items are counted per reviewer', () => {
  expect(reviewCounts([...ITEMS, item('f', { done_by: 'cy' }), item('g', { done_by: 'cy' })])).toEqual([
    ['cy', 2],
    ['bob', 1],
  ])
})
