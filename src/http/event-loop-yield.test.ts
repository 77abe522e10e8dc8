import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventLoopYielder } from './event-loop-yield.ts'

test('an idle server admits a request immediately', () => {
  expect(new EventLoopYielder(1_000).acquire(900)).toBeUndefined()
})

test('concurrent requests are spread over several ticks', async () => {
  const yielder = new EventLoopYielder(1_000)
  const admitted: number[] = []
  const all = [300, 600, 600, 300, 5_000, 10].map(async (bytes, n) => {
    await yielder.acquire(bytes)
    admitted.push(n)
  })
  await Promise.resolve()
  const seen = [admitted.join('')]
  while (admitted.length < all.length) {
    await setImmediate()
    seen.push(admitted.join(''))
  }
  await Promise.all(all)
  // A large request gets its own tick, and the order is kept.
  expect(seen.filter((now, n) => now !== seen[n - 1])).toEqual(['01', '0123', '01234', '012345'])
})

test('after the backlog, requests are admitted immediately again', async () => {
  const yielder = new EventLoopYielder(1_000)
  await Promise.all([yielder.acquire(900), yielder.acquire(900)])
  await setImmediate()
  await setImmediate()
  expect(yielder.acquire(900)).toBeUndefined()
})

test('keys take turns', async () => {
  const yielder = new EventLoopYielder(2)
  const order: string[] = []
  const all = ['a', 'a', 'a', 'a', 'a', 'b'].map(async (key) => {
    await yielder.acquire(1, key)
    order.push(key)
  })
  await Promise.all(all)
  expect(order.join('')).toBe('aaabaa')
})
