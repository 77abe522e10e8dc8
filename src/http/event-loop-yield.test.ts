import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventLoopYielder } from './event-loop-yield.ts'

test('a quiet server lets a request go at once', () => {
  expect(new EventLoopYielder(1_000).take(900)).toBeUndefined()
})

test('of many that arrive together, others come in between', async () => {
  const turns = new EventLoopYielder(1_000)
  const gone: number[] = []
  const all = [300, 600, 600, 300, 5_000, 10].map(async (bytes, n) => {
    await turns.take(bytes)
    gone.push(n)
  })
  await Promise.resolve()
  const seen = [gone.join('')]
  while (gone.length < all.length) {
    await setImmediate()
    seen.push(gone.join(''))
  }
  await Promise.all(all)
  // A large one goes alone, and nobody overtakes.
  expect(seen.filter((now, n) => now !== seen[n - 1])).toEqual(['01', '0123', '01234', '012345'])
})

test('afterwards it is quiet again', async () => {
  const turns = new EventLoopYielder(1_000)
  await Promise.all([turns.take(900), turns.take(900)])
  await setImmediate()
  await setImmediate()
  expect(turns.take(900)).toBeUndefined()
})
