import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { FairScheduler, type FairSchedulerOptions, type Wait } from './fair-scheduler.ts'

const makeScheduler = (overrides: Partial<FairSchedulerOptions> = {}): FairScheduler =>
  new FairScheduler({
    capacity: 10,
    maxPerKey: 6,
    maxWaiting: 100,
    maxWaitingPerKey: 50,
    waitMs: 1_000,
    rejection: (key) => new Error(`${key} waited too long`),
    ...overrides,
  })

/** Acquires or waits; `order` records the keys in the order of their grants. */
function enter(scheduler: FairScheduler, key: string, weight: number, order: string[]): Wait | undefined {
  if (scheduler.tryAcquire(key, weight)) {
    order.push(key)
    return undefined
  }
  const wait = scheduler.wait(key, weight, { onGrant: () => order.push(key) })
  wait.granted.catch(() => order.push(`no ${key}`))
  return wait
}

test('lanes are served round robin, and a key at its limit is skipped', () => {
  const scheduler = makeScheduler()
  const order: string[] = []
  for (const key of ['x', 'y']) enter(scheduler, key, 5, [])
  for (const key of ['a', 'a', 'a', 'b', 'c']) enter(scheduler, key, 3, order)
  scheduler.release('x', 5)
  expect(order).toEqual(['a'])
  scheduler.release('y', 5)
  expect(order).toEqual(['a', 'b', 'c'])
  scheduler.release('b', 3)
  expect(order).toEqual(['a', 'b', 'c', 'a'])
  scheduler.release('c', 3)
  expect(order).toEqual(['a', 'b', 'c', 'a'])
  expect([scheduler.heldBy('a'), scheduler.waiting]).toEqual([6, 1])
})

test('a heavy waiter is not starved by light ones', () => {
  const scheduler = makeScheduler()
  const order: string[] = []
  enter(scheduler, 'x', 6, order)
  enter(scheduler, 'heavy', 5, order)
  enter(scheduler, 'light', 1, order)
  expect(order).toEqual(['x'])
  scheduler.release('x', 6)
  expect(order).toEqual(['x', 'heavy', 'light'])
})

test('a newcomer passes waiters that are at the limit of their key', () => {
  const scheduler = makeScheduler()
  const order: string[] = []
  for (let n = 0; n < 3; n++) enter(scheduler, 'flood', 3, order)
  expect([order, scheduler.waiting]).toEqual([['flood', 'flood'], 1])
  expect(scheduler.tryAcquire('quiet', 4)).toBe(true)
})

test('a weight beyond the capacity is granted alone', () => {
  const scheduler = makeScheduler()
  expect(scheduler.tryAcquire('a', 25)).toBe(true)
  expect(scheduler.tryAcquire('b', 1)).toBe(false)
})

test('priority comes before the lanes and ignores the limit of its key', () => {
  const scheduler = makeScheduler()
  const order: string[] = []
  enter(scheduler, 'a', 6, [])
  enter(scheduler, 'b', 4, [])
  enter(scheduler, 'c', 2, order)
  void scheduler.wait('a', 4, { isPriority: true, onGrant: () => order.push('a again') })
  scheduler.release('b', 4)
  expect([order, scheduler.heldBy('a')]).toEqual([['a again'], 10])
})

test('a canceled waiter unblocks those after it', async () => {
  const scheduler = makeScheduler()
  const order: string[] = []
  enter(scheduler, 'x', 6, [])
  const heavy = enter(scheduler, 'heavy', 6, order)
  enter(scheduler, 'light', 1, order)
  heavy?.cancel(new Error('gone'))
  heavy?.cancel(new Error('gone twice'))
  expect([order, scheduler.waiting]).toEqual([['light'], 0])
  await expect(heavy?.granted).rejects.toThrow('gone')
})

test('a waiter leaves at its timeout or when it is aborted', async () => {
  vi.useFakeTimers()
  try {
    const scheduler = makeScheduler()
    enter(scheduler, 'x', 10, [])
    const late = scheduler.wait('late', 1).granted.catch((error: unknown) => error)
    const leaving = new AbortController()
    const left = scheduler.wait('left', 1, { signal: leaving.signal }).granted
    leaving.abort()
    await expect(left).rejects.toThrow('aborted')
    await expect(scheduler.wait('left', 1, { signal: leaving.signal }).granted).rejects.toThrow('aborted')
    await vi.advanceTimersByTimeAsync(1_100)
    expect(await late).toMatchObject({ message: 'late waited too long' })
    expect(scheduler.waiting).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('the queue and the lane of one key are bounded', () => {
  const scheduler = makeScheduler({ maxWaiting: 3, maxWaitingPerKey: 2 })
  enter(scheduler, 'x', 10, [])
  for (const key of ['a', 'a', 'b']) enter(scheduler, key, 1, [])
  expect(() => scheduler.wait('a', 1)).toThrow('a waited too long')
  expect(() => scheduler.wait('c', 1)).toThrow('c waited too long')
  scheduler.wait('x', 1, { isPriority: true }).granted.catch(() => {})
  expect(scheduler.waiting).toBe(4)
})

test('limits hold, each key is served in order, and nobody is left waiting', () => {
  const step = fc.oneof(
    fc.record({ key: fc.constantFrom('a', 'b', 'c'), weight: fc.integer({ min: 1, max: 12 }) }),
    fc.constant('release' as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const scheduler = makeScheduler()
      const held: { key: string; weight: number; n: number }[] = []
      const last = new Map<string, number>()
      const grant = (key: string, weight: number, n: number): void => {
        expect(n).toBeGreaterThan(last.get(key) ?? -1)
        last.set(key, n)
        const total = held.reduce((sum, each) => sum + each.weight, 0)
        const own = held.filter((each) => each.key === key).reduce((sum, each) => sum + each.weight, 0)
        expect(total === 0 || total + weight <= 10).toBe(true)
        expect(own === 0 || own + weight <= 6).toBe(true)
        held.push({ key, weight, n })
      }
      const release = (): void => {
        const first = held.shift()
        if (first !== undefined) scheduler.release(first.key, first.weight)
      }
      for (const [n, each] of steps.entries()) {
        if (each === 'release') release()
        else if (scheduler.tryAcquire(each.key, each.weight)) grant(each.key, each.weight, n)
        else void scheduler.wait(each.key, each.weight, { onGrant: () => grant(each.key, each.weight, n) })
      }
      while (held.length > 0) release()
      expect(scheduler.waiting).toBe(0)
    }),
  )
})
