import { expect, test } from 'vitest'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { ReadSlot } from './read-slot.ts'

const limiter = () => new ConcurrencyLimiter({ maxConcurrent: 1, maxPerProject: 1, waitMs: 10 })

test('all statements of a request share one slot, which is released with it', async () => {
  const reads = limiter()
  const slot = new ReadSlot()
  for (let n = 0; n < 3; n++) await slot.acquire(() => reads.acquire('a'))
  await expect(reads.acquire('b')).rejects.toThrow('are running')
  slot.close()
  await reads.acquire('b')
})

test('a long read replaces its slot, which frees the old one for others', async () => {
  const reads = limiter()
  const exports = limiter()
  const slot = new ReadSlot()
  await slot.acquire(() => reads.acquire('a'))
  slot.replace((await exports.acquire('a')) ?? expect.fail())
  const releaseOther = await reads.acquire('b')
  // Its further statements need no other slot.
  await slot.acquire(() => reads.acquire('a'))
  expect(exports.tryAcquire('b')).toBeUndefined()
  slot.close()
  await new Promise((resolve) => setImmediate(resolve))
  expect(exports.tryAcquire('b')).toBeDefined()
  releaseOther()
})

test('a closed slot neither acquires nor keeps one', async () => {
  const reads = limiter()
  const exports = limiter()
  const slot = new ReadSlot()
  slot.close()
  await slot.acquire(() => reads.acquire('a'))
  slot.replace(exports.tryAcquire('a')!)
  expect(reads.tryAcquire('b')).toBeDefined()
  expect(exports.tryAcquire('b')).toBeDefined()
})
