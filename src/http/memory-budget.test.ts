import { describe, expect, test, vi } from 'vitest'
import { MemoryBudget, type MemoryLease } from './memory-budget.ts'

const KIB = 1024
const MIB = 1024 * KIB
/** Fixed cost of every request besides its body. */
const REQUEST_COST = 16 * KIB

function budgetOf(limitBytes = 4 * MIB): MemoryBudget {
  return new MemoryBudget({ limitBytes, waitMs: 1_000 })
}

/** Reserves; `order` records the caller once it is granted, and `no <caller>` if it is rejected. */
function reserve(lease: MemoryLease, caller: string, bytes: number, order: string[] = []): void {
  const waited = bytes === 0 ? lease.open(caller) : lease.reserve(bytes)
  if (waited === undefined) order.push(caller)
  else
    void waited.then(
      () => order.push(caller),
      () => order.push(`no ${caller}`),
    )
}

/** A request whose body of this size arrives at once. */
function enter(budget: MemoryBudget, caller: string, bytes: number, order: string[] = []): MemoryLease {
  const lease = budget.openLease()
  reserve(lease, caller, 0)
  reserve(lease, caller, bytes, order)
  return lease
}

/** Lets the handlers of resolved promises run. */
async function flushMicrotasks(): Promise<void> {
  for (let n = 0; n < 10; n++) await Promise.resolve()
}

describe('memory budget', () => {
  test('a request that has sent nothing holds next to nothing', () => {
    const budget = budgetOf()
    for (let n = 0; n < 100; n++) reserve(budget.openLease(), 'announced', 0)
    expect([budget.bytes, budget.waiting, budget.bytesHeld.held]).toEqual([0, 0, 100 * REQUEST_COST])
    const order: string[] = []
    enter(budget, 'quiet', 2 * MIB - REQUEST_COST, order)
    expect(order).toEqual(['quiet'])
  })

  test('one caller cannot take the whole budget: others are admitted immediately', () => {
    const budget = budgetOf()
    const order: string[] = []
    for (let n = 0; n < 100; n++) enter(budget, 'flood', 100 * KIB, order)
    expect(budget.bytes).toBeLessThanOrEqual(2 * MIB + 200 * KIB)
    enter(budget, 'quiet', MIB, order)
    expect(order.at(-1)).toBe('quiet')
  })

  test('a request waits while the budget is exhausted, round robin between callers', async () => {
    const budget = budgetOf()
    const order: string[] = []
    const leases = [enter(budget, 'x', 2 * MIB - REQUEST_COST), enter(budget, 'y', 2 * MIB - REQUEST_COST)]
    for (const caller of ['flood', 'flood', 'flood', 'quiet']) reserve(budget.openLease(), caller, 0, order)
    expect([order, budget.waiting]).toEqual([[], 4])
    leases[0]!.reduce(2 * MIB - 3 * REQUEST_COST)
    await flushMicrotasks()
    expect(order).toEqual(['flood', 'quiet'])
    for (const lease of leases) lease.release()
    await flushMicrotasks()
    expect([order.length, budget.waiting, budget.bytes]).toEqual([4, 0, 0])
  })

  test('a request that is being read may exceed the budget and the limit of its caller, one at a time', async () => {
    const budget = budgetOf()
    const order: string[] = []
    const half = [enter(budget, 'a', 1_900 * KIB), enter(budget, 'b', 1_900 * KIB)]
    reserve(half[0]!, 'a', 3_500 * KIB, order)
    reserve(half[1]!, 'b', 3_500 * KIB, order)
    // The first may go on as long as it needs.
    reserve(half[0]!, 'a', 4 * MIB, order)
    expect(order).toEqual(['a', 'a'])
    half[0]!.complete()
    half[0]!.release()
    await flushMicrotasks()
    expect([order, budget.bytes]).toEqual([['a', 'a', 'b'], 3_500 * KIB])
    half[1]!.release()
    expect([budget.bytes, budget.bytesHeld.held, budget.waiting]).toEqual([0, 0, 0])
  })

  test('with one caller at its limit, a single large body still fits', () => {
    const budget = budgetOf()
    const order: string[] = []
    const lease = enter(budget, 'a', 1.5 * MIB)
    for (const bytes of [2.5, 3.5, 3.9]) reserve(lease, 'a', bytes * MIB, order)
    expect(order).toEqual(['a', 'a', 'a'])
    // It does not count for others beyond the limit of its caller.
    enter(budget, 'b', 1_900 * KIB, order)
    expect(order.at(-1)).toBe('b')
  })

  test('a slow request that exceeds the budget gives way to others, unless its body is complete', async () => {
    vi.useFakeTimers()
    try {
      for (const isComplete of [false, true]) {
        const budget = budgetOf()
        const slow = enter(budget, 'slow', 1_900 * KIB)
        const other = enter(budget, 'b', 1_900 * KIB)
        let revoked: unknown
        slow.onRevoked((error) => (revoked = error))
        reserve(slow, 'slow', 3 * MIB)
        if (isComplete) slow.complete()
        await vi.advanceTimersByTimeAsync(5_000)
        expect(revoked).toBeUndefined()
        reserve(other, 'b', 3 * MIB)
        await vi.advanceTimersByTimeAsync(900)
        reserve(enter(budget, 'c', 0), 'c', 3 * MIB)
        await vi.advanceTimersByTimeAsync(900)
        expect(revoked === undefined).toBe(isComplete)
        slow.release()
      }
    } finally {
      vi.useRealTimers()
    }
  })

  test('a request that waits too long is rejected with Retry-After and holds nothing', async () => {
    vi.useFakeTimers()
    try {
      const budget = budgetOf()
      const holders = ['a', 'b'].map((caller) => enter(budget, caller, 2 * MIB - REQUEST_COST))
      const late = budget.openLease()
      const refused = Promise.resolve(late.open('c')).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(1_100)
      expect(await refused).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
      for (const lease of [late, ...holders]) lease.release()
      expect([budget.bytes, budget.waiting, budget.bytesHeld.held]).toEqual([0, 0, 0])
    } finally {
      vi.useRealTimers()
    }
  })

  test('a client that disconnects while waiting holds nothing', async () => {
    const budget = budgetOf()
    const order: string[] = []
    const holders = ['a', 'b'].map((caller) => enter(budget, caller, 2 * MIB - REQUEST_COST))
    const gone = budget.openLease()
    reserve(gone, 'c', 0, order)
    gone.release()
    for (const lease of holders) lease.release()
    await flushMicrotasks()
    expect([order, budget.bytes, budget.waiting, budget.bytesHeld.held]).toEqual([['no c'], 0, 0, 0])
  })

  test('a body that was decoded gives back what it was sent as', () => {
    const budget = budgetOf()
    const lease = enter(budget, 'a', 600 * KIB)
    expect([lease.tryReserve(800 * KIB), budget.bytes]).toEqual([true, 800 * KIB])
    lease.reduce(200 * KIB)
    expect(budget.bytes).toBe(200 * KIB)
    // Beyond the limit of its caller, and back.
    expect([lease.tryReserve(3 * MIB), budget.excessPermit.tryAcquire('b', 1)]).toEqual([true, false])
    lease.reduce(200 * KIB)
    expect([budget.bytes, budget.excessPermit.tryAcquire('b', 1)]).toEqual([200 * KIB, true])
    expect([lease.tryReserve(3 * MIB), budget.bytes]).toEqual([false, 200 * KIB])
    lease.release()
    expect(budget.bytes).toBe(0)
  })

  test('many small bodies are not free', () => {
    const budget = budgetOf()
    for (let n = 0; n < 1_000; n++) reserve(budget.openLease(), `caller ${n}`, 0)
    expect(budget.waiting).toBe(1_000 - (4 * MIB) / REQUEST_COST)
  })

  test('the queue is bounded, and the queue of one caller does not block others', () => {
    const budget = budgetOf()
    for (const caller of ['x', 'y']) enter(budget, caller, 2 * MIB - REQUEST_COST)
    const open = (caller: string): void =>
      void budget
        .openLease()
        .open(caller)
        ?.catch(() => {})
    const rejects = async (caller: string): Promise<void> =>
      expect(Promise.resolve(budget.openLease().open(caller))).rejects.toThrow('busy')
    for (let n = 0; n < 500; n++) open('a')
    void rejects('a')
    for (let n = 0; n < 500; n++) open(`caller ${n}`)
    expect(budget.waiting).toBe(1_000)
    return rejects('b')
  })
})
