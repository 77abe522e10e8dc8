import { expect, test } from 'vitest'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

const makeLimiter = (overrides = {}) =>
  new ConcurrencyLimiter({ maxConcurrent: 3, maxPerProject: 2, waitMs: 1_000, ...overrides })

/** Lets pending promises resolve. */
const tick = () => new Promise((resolve) => setImmediate(resolve))

test('one project is limited to its share, another gets a slot immediately', async () => {
  const limiter = makeLimiter()
  const release = await limiter.acquire('a')
  await limiter.acquire('a')
  let isAdmitted = false
  void limiter.acquire('a').then(() => (isAdmitted = true))
  await limiter.acquire('b')
  await tick()
  expect(isAdmitted).toBe(false)
  release()
  await tick()
  expect(isAdmitted).toBe(true)
})

test('waiting reads are admitted round robin over projects', async () => {
  const limiter = makeLimiter({ maxConcurrent: 1, maxPerProject: 1 })
  const release = await limiter.acquire('x')
  const order: string[] = []
  for (const project of ['a', 'a', 'a', 'b', 'c', 'b']) {
    void limiter.acquire(project).then((done) => {
      order.push(project)
      return setImmediate(done)
    })
  }
  release()
  for (let n = 0; n < 20; n++) await tick()
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
})

test('a timeout names the limit that applied', async () => {
  const limiter = makeLimiter({ waitMs: 10 })
  await limiter.acquire('a')
  await limiter.acquire('a')
  await expect(limiter.acquire('a')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(
      '2 heavy reads of a (HEDDLE_MAX_CONCURRENT_READS_PER_PROJECT)',
    ) as string,
  })
  await limiter.acquire('b')
  await expect(limiter.acquire('c')).rejects.toThrow('HEDDLE_MAX_CONCURRENT_READS')
})

test('an aborted waiter gets no slot, and releasing a slot twice counts once', async () => {
  const limiter = makeLimiter({ maxConcurrent: 1, maxPerProject: 1 })
  const release = await limiter.acquire('a')
  const leaving = new AbortController()
  const left = limiter.acquire('b', leaving.signal)
  const next = limiter.acquire('c')
  leaving.abort()
  await expect(left).rejects.toThrow('aborted')
  release()
  release()
  const releaseNext = await next
  let isAdmitted = false
  void limiter.acquire('d').then(() => (isAdmitted = true))
  await tick()
  expect(isAdmitted).toBe(false)
  releaseNext()
  await tick()
  expect(isAdmitted).toBe(true)
})
