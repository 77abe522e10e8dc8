import { describe, expect, test, vi } from 'vitest'
import { MemoryBudget, type MemoryLease } from './memory-budget.ts'

const KIB = 1024
const MIB = 1024 * KIB
/** What every request costs beside its body. */
const OWN = 16 * KIB

function inFlight(limitBytes = 4 * MIB): MemoryBudget {
  return new MemoryBudget({ limitBytes, waitMs: 1_000 })
}

/** Whether it got in at once, later (`order` says when), or not at all. */
function enter(room: MemoryBudget, caller: string, bytes: number, order: string[] = []): MemoryLease {
  const share = room.enter()
  const waited = share.takeAs(caller, bytes)
  if (waited === undefined) order.push(caller)
  else
    void waited.then(
      () => order.push(caller),
      () => order.push(`no ${caller}`),
    )
  return share
}

/** Promises that are settled have told so. */
async function settled(): Promise<void> {
  for (let n = 0; n < 5; n++) await Promise.resolve()
}

describe('bodies in memory', () => {
  test('a request that finds no room waits until another leaves', async () => {
    const room = inFlight()
    const order: string[] = []
    const first = enter(room, 'a', 2 * MIB, order)
    const second = enter(room, 'b', 1.5 * MIB, order)
    enter(room, 'c', MIB, order)
    expect([order, room.waiting, room.requests]).toEqual([['a', 'b'], 1, 3])
    first.leave()
    await settled()
    expect([order, room.waiting, room.bytes]).toEqual([['a', 'b', 'c'], 0, 2.5 * MIB])
    second.leave()
    expect(room.bytes).toBe(MIB)
  })

  test('one caller never takes it all: others find room at once', async () => {
    const room = inFlight()
    const order: string[] = []
    for (let n = 0; n < 100; n++) enter(room, 'flood', 100 * KIB, order)
    expect(room.bytes).toBeLessThanOrEqual(3 * MIB)
    enter(room, 'quiet', 500 * KIB, order)
    await settled()
    expect(order.at(-1)).toBe('quiet')
  })

  test('callers who wait have turns, however many requests one of them has', async () => {
    const room = inFlight()
    const order: string[] = []
    const shares = [enter(room, 'x', 2 * MIB), enter(room, 'y', 1.9 * MIB)]
    for (let n = 0; n < 3; n++) enter(room, 'flood', MIB, order)
    enter(room, 'quiet', MIB, order)
    for (const share of shares) share.leave()
    await settled()
    expect(order).toEqual(['flood', 'quiet', 'flood'])
  })

  test('who waits too long is sent away with Retry-After, and holds nothing', async () => {
    vi.useFakeTimers()
    try {
      const room = inFlight()
      const first = enter(room, 'a', 3.9 * MIB)
      const late = room.enter()
      const waited = late.takeAs('b', MIB)
      const refused = Promise.resolve(waited).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(1_100)
      expect(await refused).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
      late.leave()
      first.leave()
      expect([room.bytes, room.waiting, room.requests]).toEqual([0, 0, 0])
    } finally {
      vi.useRealTimers()
    }
  })

  test('a client that goes away while it waits leaves no trace', async () => {
    const room = inFlight()
    const order: string[] = []
    const first = enter(room, 'a', 3.9 * MIB, order)
    const gone = enter(room, 'b', MIB, order)
    enter(room, 'c', MIB, order)
    gone.leave()
    first.leave()
    await settled()
    expect([order, room.bytes, room.waiting]).toEqual([['a', 'no b', 'c'], MIB, 0])
  })

  test('what already holds something comes before newcomers', async () => {
    const room = inFlight()
    const order: string[] = []
    const growing = enter(room, 'a', MIB)
    const other = enter(room, 'b', 2.9 * MIB)
    enter(room, 'c', 2 * MIB, order)
    void growing.take(2 * MIB)?.then(() => order.push('a grew'))
    other.leave()
    await settled()
    expect(order).toEqual(['a grew'])
    growing.leave()
    await settled()
    expect(order).toEqual(['a grew', 'c'])
  })

  test('a body larger than all the room there is can still be served, alone', () => {
    const room = inFlight(MIB)
    const order: string[] = []
    const share = enter(room, 'a', 2 * MIB, order)
    expect(order).toEqual(['a'])
    share.leave()
    expect(room.bytes).toBe(0)
  })

  test('many small bodies are not free', () => {
    const room = inFlight()
    for (let n = 0; n < 1_000; n++) enter(room, `caller ${n}`, 10)
    expect(room.waiting).toBe(1_000 - Math.floor((4 * MIB) / (OWN + 10)))
  })

  test('a line without end is not kept, and the line of one caller does not shut out others', () => {
    const room = inFlight()
    for (let n = 0; n < 501; n++) enter(room, 'a', 2 * MIB)
    expect(() => enter(room, 'a', 2 * MIB)).toThrow('busy')
    for (let n = 0; n < 500; n++) enter(room, `caller ${n}`, 3 * MIB)
    expect(room.waiting).toBe(1_000)
    expect(() => enter(room, 'b', 2 * MIB)).toThrow('busy')
  })
})
