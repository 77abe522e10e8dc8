import { describe, expect, test, vi } from 'vitest'
import { MemoryBudget, type MemoryLease } from './memory-budget.ts'

const KIB = 1024
const MIB = 1024 * KIB
/** Fixed cost of every request besides its body. */
const REQUEST_COST = 16 * KIB

function budgetOf(limitBytes = 4 * MIB): MemoryBudget {
  return new MemoryBudget({ limitBytes, waitMs: 1_000 })
}

/** Opens a lease; `order` records the admitted callers, and `no <caller>` for rejected ones. */
function enter(budget: MemoryBudget, caller: string, bytes: number, order: string[] = []): MemoryLease {
  const lease = budget.openLease()
  const waited = lease.acquireFor(caller, bytes)
  if (waited === undefined) order.push(caller)
  else
    void waited.then(
      () => order.push(caller),
      () => order.push(`no ${caller}`),
    )
  return lease
}

/** Lets the handlers of resolved promises run. */
async function flushMicrotasks(): Promise<void> {
  for (let n = 0; n < 5; n++) await Promise.resolve()
}

describe('memory budget', () => {
  test('a request waits while the budget is exhausted, until another is released', async () => {
    const budget = budgetOf()
    const order: string[] = []
    const first = enter(budget, 'a', 2 * MIB, order)
    const second = enter(budget, 'b', 1.5 * MIB, order)
    enter(budget, 'c', MIB, order)
    expect([order, budget.waiting, budget.requests]).toEqual([['a', 'b'], 1, 3])
    first.release()
    await flushMicrotasks()
    expect([order, budget.waiting, budget.bytes]).toEqual([['a', 'b', 'c'], 0, 2.5 * MIB])
    second.release()
    expect(budget.bytes).toBe(MIB)
  })

  test('one caller cannot take the whole budget: others are admitted immediately', async () => {
    const budget = budgetOf()
    const order: string[] = []
    for (let n = 0; n < 100; n++) enter(budget, 'flood', 100 * KIB, order)
    expect(budget.bytes).toBeLessThanOrEqual(3 * MIB)
    enter(budget, 'quiet', 500 * KIB, order)
    await flushMicrotasks()
    expect(order.at(-1)).toBe('quiet')
  })

  test('waiting callers are served round-robin, however many requests one of them has', async () => {
    const budget = budgetOf()
    const order: string[] = []
    const leases = [enter(budget, 'x', 2 * MIB), enter(budget, 'y', 1.9 * MIB)]
    for (let n = 0; n < 3; n++) enter(budget, 'flood', MIB, order)
    enter(budget, 'quiet', MIB, order)
    for (const lease of leases) lease.release()
    await flushMicrotasks()
    expect(order).toEqual(['flood', 'quiet', 'flood'])
  })

  test('a request that waits too long is rejected with Retry-After and holds nothing', async () => {
    vi.useFakeTimers()
    try {
      const budget = budgetOf()
      const first = enter(budget, 'a', 3.9 * MIB)
      const late = budget.openLease()
      const waited = late.acquireFor('b', MIB)
      const refused = Promise.resolve(waited).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(1_100)
      expect(await refused).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
      late.release()
      first.release()
      expect([budget.bytes, budget.waiting, budget.requests]).toEqual([0, 0, 0])
    } finally {
      vi.useRealTimers()
    }
  })

  test('a client that disconnects while waiting holds nothing', async () => {
    const budget = budgetOf()
    const order: string[] = []
    const first = enter(budget, 'a', 3.9 * MIB, order)
    const gone = enter(budget, 'b', MIB, order)
    enter(budget, 'c', MIB, order)
    gone.release()
    first.release()
    await flushMicrotasks()
    expect([order, budget.bytes, budget.waiting]).toEqual([['a', 'no b', 'c'], MIB, 0])
  })

  test('a request that already holds memory comes before new ones', async () => {
    const budget = budgetOf()
    const order: string[] = []
    const growing = enter(budget, 'a', MIB)
    const other = enter(budget, 'b', 2.9 * MIB)
    enter(budget, 'c', 2 * MIB, order)
    void growing.acquire(2 * MIB)?.then(() => order.push('a grew'))
    other.release()
    await flushMicrotasks()
    expect(order).toEqual(['a grew'])
    growing.release()
    await flushMicrotasks()
    expect(order).toEqual(['a grew', 'c'])
  })

  test('a body larger than the whole budget is served alone', () => {
    const budget = budgetOf(MIB)
    const order: string[] = []
    const lease = enter(budget, 'a', 2 * MIB, order)
    expect(order).toEqual(['a'])
    lease.release()
    expect(budget.bytes).toBe(0)
  })

  test('many small bodies are not free', () => {
    const budget = budgetOf()
    for (let n = 0; n < 1_000; n++) enter(budget, `caller ${n}`, 10)
    expect(budget.waiting).toBe(1_000 - Math.floor((4 * MIB) / (REQUEST_COST + 10)))
  })

  test('the queue is bounded, and the queue of one caller does not block others', () => {
    const budget = budgetOf()
    for (let n = 0; n < 501; n++) enter(budget, 'a', 2 * MIB)
    expect(() => enter(budget, 'a', 2 * MIB)).toThrow('busy')
    for (let n = 0; n < 500; n++) enter(budget, `caller ${n}`, 3 * MIB)
    expect(budget.waiting).toBe(1_000)
    expect(() => enter(budget, 'b', 2 * MIB)).toThrow('busy')
  })
})
