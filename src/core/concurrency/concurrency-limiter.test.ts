import { expect, test } from 'vitest'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

const makeLimiter = (overrides = {}) =>
  new ConcurrencyLimiter(
    { maxConcurrent: 4, maxPerUser: 3, maxPerProject: 2, maxWaitingPerUser: 10, waitMs: 1_000, ...overrides },
    (limit, { user_id, project_id }) => new Error(`${limit} limit of ${user_id} in ${project_id}`),
  )

const ann = (project_id: string) => ({ user_id: 'ann', project_id })
const bob = (project_id: string) => ({ user_id: 'bob', project_id })

/** Lets pending promises resolve. */
const tick = () => new Promise((resolve) => setImmediate(resolve))

test('one project is limited to its share, another gets a slot immediately', async () => {
  const limiter = makeLimiter()
  const release = await limiter.acquire(ann('a'))
  await limiter.acquire(bob('a'))
  let isAdmitted = false
  void limiter.acquire(bob('a')).then(() => (isAdmitted = true))
  await limiter.acquire(ann('b'))
  await tick()
  expect(isAdmitted).toBe(false)
  release()
  await tick()
  expect(isAdmitted).toBe(true)
})

test('one user is limited to its share over all projects, another gets a slot immediately', async () => {
  const limiter = makeLimiter()
  for (const project of ['a', 'b', 'c']) await limiter.acquire(ann(project))
  expect(limiter.tryAcquire(ann('d'))).toBeUndefined()
  expect(() => limiter.acquireNow(ann('d'))).toThrow('user limit of ann in d')
  expect(limiter.tryAcquire(bob('d'))).toBeDefined()
})

test('waiting reads are admitted round robin over users, then over the projects of a user', async () => {
  const limiter = makeLimiter({ maxConcurrent: 1 })
  const release = await limiter.acquire(ann('x'))
  const order: string[] = []
  for (const owner of [ann('a'), ann('a'), ann('a'), ann('b'), bob('c'), bob('c')]) {
    void limiter.acquire(owner).then((done) => {
      order.push(`${owner.user_id} ${owner.project_id}`)
      return setImmediate(done)
    })
  }
  release()
  for (let n = 0; n < 20; n++) await tick()
  expect(order).toEqual(['ann a', 'bob c', 'ann b', 'bob c', 'ann a', 'ann a'])
})

test('a timeout names the limit that applied, and the queue of a user is bounded', async () => {
  const limiter = makeLimiter({ waitMs: 10, maxWaitingPerUser: 1 })
  await limiter.acquire(ann('a'))
  await limiter.acquire(ann('a'))
  const waiting = limiter.acquire(ann('a'))
  await expect(limiter.acquire(ann('a'))).rejects.toThrow('project limit of ann in a')
  await expect(waiting).rejects.toThrow('project limit of ann in a')
  await limiter.acquire(ann('b'))
  await expect(limiter.acquire(ann('c'))).rejects.toThrow('user limit of ann in c')
  await limiter.acquire(bob('b'))
  await expect(limiter.acquire(bob('c'))).rejects.toThrow('process limit of bob in c')
})

test('an aborted waiter gets no slot, and releasing a slot twice counts once', async () => {
  const limiter = makeLimiter({ maxConcurrent: 1 })
  const release = await limiter.acquire(ann('a'))
  const leaving = new AbortController()
  const left = limiter.acquire(ann('b'), leaving.signal)
  const next = limiter.acquire(ann('c'))
  leaving.abort()
  await expect(left).rejects.toThrow('aborted')
  release()
  release()
  const releaseNext = await next
  let isAdmitted = false
  void limiter.acquire(ann('d')).then(() => (isAdmitted = true))
  await tick()
  expect(isAdmitted).toBe(false)
  releaseNext()
  await tick()
  expect(isAdmitted).toBe(true)
})
