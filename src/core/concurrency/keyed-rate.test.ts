import { expect, test } from 'vitest'
import { KeyedRate } from './keyed-rate.ts'

test('a key may take a burst, then the rate; other keys are not affected', () => {
  const rate = new KeyedRate({ perMinute: 60, burst: 3 })
  expect([1, 2, 3, 4].map(() => rate.take('a', 1, 0))).toEqual([0, 0, 0, 1])
  expect(rate.take('b', 3, 0)).toBe(0)
  expect([rate.take('a', 1, 1_000), rate.take('a', 1, 1_000)]).toEqual([0, 1])
})

test('an amount above the burst is taken from a full bucket, and paid off afterwards', () => {
  const rate = new KeyedRate({ perMinute: 60, burst: 3 })
  expect(rate.take('a', 10, 0)).toBe(0)
  expect(rate.take('a', 1, 0)).toBe(8)
  expect(rate.take('a', 1, 8_000)).toBe(0)
})

test('many keys use bounded memory: the least recently used start again', () => {
  const rate = new KeyedRate({ perMinute: 1, burst: 1, maxKeys: 2 })
  expect(['a', 'b', 'a', 'c'].map((key) => rate.take(key, 1, 0))).toEqual([0, 0, 60, 0])
  expect([rate.take('a', 1, 0), rate.take('b', 1, 0)]).toEqual([60, 0])
})
