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

test('priority comes before the lanes; at the limit of its key it delays nobody', () => {
  const scheduler = makeScheduler()
  const order: string[] = []
  const grow = (key: string, weight: number): void => {
    const onGrant = (): void => void order.push(`${key} again`)
    scheduler.wait(key, weight, { isPriority: true, onGrant }).granted.catch(() => {})
  }
  for (const [key, weight] of [
    ['a', 4],
    ['b', 4],
    ['x', 2],
  ] as const)
    enter(scheduler, key, weight, [])
  enter(scheduler, 'c', 2, order)
  grow('a', 3)
  grow('b', 2)
  scheduler.release('x', 2)
  expect([order, scheduler.heldBy('a'), scheduler.heldBy('b')]).toEqual([['b again'], 4, 6])
  scheduler.release('b', 6)
  expect([order, scheduler.waiting]).toEqual([['b again', 'c'], 1])
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

test('groups have a limit that all keys share, and a lane serves its groups round robin', () => {
  const scheduler = makeScheduler({ capacity: 3, maxPerKey: 3, maxPerGroup: 1 })
  const order: string[] = []
  const enterGroup = (key: string, group: string): void => {
    const onGrant = (): void => void order.push(`${key} ${group}`)
    if (scheduler.tryAcquire(key, 1, { group })) onGrant()
    else scheduler.wait(key, 1, { group, onGrant }).granted.catch(() => {})
  }
  for (const [key, group] of ['a1', 'a1', 'b1', 'a1', 'a2', 'a2', 'b3', 'b3', 'b4']) enterGroup(key!, group!)
  // Waiters of group 1 and 2 are at their limit and delay nobody else.
  expect(order).toEqual(['a 1', 'a 2', 'b 3'])
  expect([scheduler.heldBy('a'), scheduler.heldByGroup('1'), scheduler.waiting]).toEqual([2, 1, 6])
  scheduler.release('a', 1, '1')
  expect(order.slice(3)).toEqual(['a 1'])
  scheduler.release('a', 1, '1')
  expect(order.slice(4)).toEqual(['b 1'])
  scheduler.release('b', 1, '1')
  scheduler.release('b', 1, '3')
  expect(order.slice(5)).toEqual(['a 1', 'b 3'])
})

test('limits hold, each group of a key is served in order, and nobody is left waiting', () => {
  const step = fc.oneof(
    fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      group: fc.constantFrom('', 'x', 'y'),
      weight: fc.integer({ min: 1, max: 12 }),
    }),
    fc.constant('release' as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const scheduler = makeScheduler({ maxPerGroup: 5 })
      const held: { key: string; group: string; weight: number }[] = []
      const last = new Map<string, number>()
      const grant = (each: (typeof held)[number], n: number): void => {
        const { key, group, weight } = each
        expect(n).toBeGreaterThan(last.get(`${key} ${group}`) ?? -1)
        last.set(`${key} ${group}`, n)
        const heldIn = (isCounted: (other: (typeof held)[number]) => boolean): number =>
          held.filter(isCounted).reduce((sum, other) => sum + other.weight, 0)
        const fits = (amount: number, max: number): boolean => amount === 0 || amount + weight <= max
        expect(
          fits(
            heldIn(() => true),
            10,
          ),
        ).toBe(true)
        expect(
          fits(
            heldIn((other) => other.key === key),
            6,
          ),
        ).toBe(true)
        expect(
          group === '' ||
            fits(
              heldIn((other) => other.group === group),
              5,
            ),
        ).toBe(true)
        held.push(each)
      }
      const release = (): void => {
        const first = held.shift()
        if (first !== undefined) scheduler.release(first.key, first.weight, first.group)
      }
      for (const [n, each] of steps.entries()) {
        if (each === 'release') release()
        else if (scheduler.tryAcquire(each.key, each.weight, { group: each.group })) grant(each, n)
        else void scheduler.wait(each.key, each.weight, { group: each.group, onGrant: () => grant(each, n) })
      }
      while (held.length > 0) release()
      expect(scheduler.waiting).toBe(0)
    }),
  )
})
