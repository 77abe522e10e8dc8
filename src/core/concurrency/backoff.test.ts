import { expect, test } from 'vitest'
import { Backoff, backoffMs } from './backoff.ts'

test('delays double up to the maximum, and start again after a success', () => {
  const backoff = new Backoff({ firstMs: 200, maxMs: 1_000 })
  const delays = Array.from({ length: 5 }, () => backoff.nextMs())
  expect(delays).toEqual([200, 400, 800, 1_000, 1_000])
  backoff.reset()
  expect(backoff.nextMs()).toBe(200)
})

test('jitter shortens a delay by at most its fraction', () => {
  const options = { firstMs: 100, maxMs: 1_000, jitter: 0.5 }
  expect(backoffMs(1, options, () => 0)).toBe(200)
  expect(backoffMs(1, options, () => 1)).toBe(100)
  for (let n = 0; n < 100; n++) {
    const delayMs = backoffMs(n, options)
    expect(delayMs).toBeGreaterThanOrEqual(50)
    expect(delayMs).toBeLessThanOrEqual(1_000)
  }
})

test('any number of failures gives a finite delay', () => {
  expect(backoffMs(10_000, { firstMs: 1, maxMs: 5_000 })).toBe(5_000)
})
