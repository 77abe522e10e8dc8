import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

test('the oldest entry is evicted, and setting a key again makes it new', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([3, undefined, 4])
})

test('get does not change the order, touch does', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.get('a')
  map.set('c', 3)
  expect(map.has('a')).toBe(false)
  expect(map.touch('b')).toBe(2)
  map.set('d', 4)
  expect([map.has('b'), map.has('c')]).toEqual([true, false])
  expect(map.touch('nothing')).toBeUndefined()
})

test('sizes are bounded, and an entry larger than the bound is not kept', () => {
  const map = new BoundedMap<string, string>(100)
  map.set('a', 'a', 60)
  map.set('b', 'b', 30)
  expect(map.size).toBe(90)
  map.set('c', 'c', 20)
  expect([map.has('a'), map.has('b'), map.has('c'), map.size]).toEqual([false, true, true, 50])
  map.set('d', 'd', 101)
  expect([map.has('d'), map.size]).toEqual([false, 0])
})

test('the size is that of the entries that are left, whatever happens', () => {
  const step = fc.record({
    key: fc.nat(9),
    size: fc.nat(20),
    action: fc.constantFrom('set', 'touch', 'delete'),
  })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const map = new BoundedMap<number, number>(50)
      for (const { key, size, action } of steps) {
        if (action === 'set') map.set(key, size, size)
        else map[action](key)
        const left = Array.from({ length: 10 }, (_, n) => map.get(n) ?? 0)
        expect(map.size).toBe(left.reduce((sum, each) => sum + each, 0))
        expect(map.size).toBeLessThanOrEqual(50)
      }
    }),
  )
})
