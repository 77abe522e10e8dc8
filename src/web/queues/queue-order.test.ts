import { expect, test } from 'vitest'
import { judgedBy, neighbour, nextOpen, type OrderedItem } from './queue-order.ts'

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

test('the next one is open, not held by others, not skipped by oneself; then it begins anew', () => {
  expect(nextOpen(ITEMS, 'a', 'ann', false)?.call_id).toBe('e')
  expect(nextOpen(ITEMS, 'e', 'ann', false)?.call_id).toBe('a')
  expect(nextOpen(ITEMS, 'a', 'ann', true)?.call_id).toBe('d')
  expect(nextOpen(ITEMS, undefined, 'ann', false)?.call_id).toBe('a')
  expect(nextOpen(ITEMS, 'a', 'bob', false)?.call_id).toBe('c')
  expect(nextOpen([item('a')], 'a', 'ann', false)).toBeUndefined()
})

test('the one before and after is the next in the order, and the ends are ends', () => {
  expect(neighbour(ITEMS, 'a', 1)?.call_id).toBe('b')
  expect(neighbour(ITEMS, 'a', -1)).toBeUndefined()
  expect(neighbour(ITEMS, 'e', 1)).toBeUndefined()
  expect(neighbour(ITEMS, 'gone', 1)?.call_id).toBe('a')
})

test('who has judged how many', () => {
  expect(judgedBy([...ITEMS, item('f', { done_by: 'cy' }), item('g', { done_by: 'cy' })])).toEqual([
    ['cy', 2],
    ['bob', 1],
  ])
})
