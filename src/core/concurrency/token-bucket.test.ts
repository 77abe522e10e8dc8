import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

test('a burst passes immediately, then the rate applies', () => {
  const bucket = new TokenBucket(10, 5, 0)
  for (let n = 0; n < 50; n++) {
    expect(bucket.waitMs(1, 0)).toBe(0)
    bucket.take(1, 0)
  }
  expect(bucket.waitMs(1, 0)).toBe(100)
  expect(bucket.waitMs(1, 99)).toBeCloseTo(1)
  expect(bucket.waitMs(1, 100)).toBe(0)
})

test('an amount above the capacity passes when the bucket is full, and is paid off afterwards', () => {
  const bucket = new TokenBucket(10, 1, 0)
  expect(bucket.waitMs(100, 0)).toBe(0)
  bucket.take(100, 0)
  expect(bucket.waitMs(1, 0)).toBe(9_100)
  expect(bucket.waitMs(100, 9_000)).toBe(1_000)
  expect(bucket.waitMs(100, 10_000)).toBe(0)
})

test('a clock that runs backwards neither fills nor empties the bucket', () => {
  const bucket = new TokenBucket(1, 1, 10_000)
  bucket.take(1, 10_000)
  expect(bucket.waitMs(1, 0)).toBe(1_000)
  expect(bucket.waitMs(1, 1_000)).toBe(0)
})

test('in any period at most rate, burst and one request pass', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 1, max: 3_000 })), {
        maxLength: 100,
      }),
      (rate, burst, requests) => {
        const bucket = new TokenBucket(rate, burst, 0)
        let nowMs = 0
        let passed = 0
        for (const [afterMs, amount] of requests) {
          nowMs += afterMs
          if (bucket.waitMs(amount, nowMs) > 0) continue
          bucket.take(amount, nowMs)
          passed += amount
          expect(passed).toBeLessThanOrEqual(rate * burst + (rate * nowMs) / 1_000 + amount + 1e-6)
        }
      },
    ),
  )
})
