import { expect, test } from 'vitest'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { ReadSlot } from './read-slot.ts'

const LIMITS = { maxConcurrent: 1, maxPerUser: 1, maxPerProject: 1, maxWaitingPerUser: 10, waitMs: 10 }
const limiter = () => new ConcurrencyLimiter(LIMITS, () => new Error('no slot is free'))
const A = { user_id: 'a' }
const B = { user_id: 'b' }

test('all statements of a request share one slot, which is released with it', async () => {
  const reads = limiter()
  const slot = new ReadSlot()
  for (let n = 0; n < 3; n++) await slot.acquire(() => reads.acquire(A))
  await expect(reads.acquire(B)).rejects.toThrow('no slot is free')
  slot.close()
  await reads.acquire(B)
})

test('a long read replaces its slot, which frees the old one for others', async () => {
  const reads = limiter()
  const exports = limiter()
  const slot = new ReadSlot()
  await slot.acquire(() => reads.acquire(A))
  slot.replace((await exports.acquire(A)) ?? expect.fail())
  const releaseOther = await reads.acquire(B)
  // Its further statements need no other slot.
  await slot.acquire(() => reads.acquire(A))
  expect(exports.tryAcquire(B)).toBeUndefined()
  slot.close()
  await new Promise((resolve) => setImmediate(resolve))
  expect(exports.tryAcquire(B)).toBeDefined()
  releaseOther()
})

test('a closed slot neither acquires nor keeps one', async () => {
  const reads = limiter()
  const exports = limiter()
  const slot = new ReadSlot()
  slot.close()
  await slot.acquire(() => reads.acquire(A))
  slot.replace(exports.tryAcquire(A)!)
  expect(reads.tryAcquire(B)).toBeDefined()
  expect(exports.tryAcquire(B)).toBeDefined()
})
