import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const ALL = { count: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER }

describe('a fair queue', () => {
  test('a single key fills the whole batch, in order', () => {
    const queue = new FairQueue<number>(10)
    for (let n = 0; n < 5000; n++) queue.push('a', n, { bytes: 100 })
    expect(queue.take({ count: 3000, bytes: 1e9 })).toEqual(Array.from({ length: 3000 }, (_, n) => n))
    expect([queue.size, queue.bytes]).toEqual([2000, 200_000])
    expect(queue.take({ count: 1e9, bytes: 150_000 })).toHaveLength(1500)
    expect(queue.take(ALL)).toEqual(Array.from({ length: 500 }, (_, n) => 4500 + n))
    expect([queue.size, queue.bytes]).toEqual([0, 0])
    expect(queue.take(ALL)).toEqual([])
  })

  test('a key that arrives while another floods the queue is in the next batch, and that batch is small', () => {
    const queue = new FairQueue<string>(1000)
    for (let n = 0; n < 10_000; n++) queue.push('flood', `flood ${n}`, { bytes: 100 })
    queue.push('quiet', 'quiet', { bytes: 100 })
    const taken = queue.take(ALL)
    expect(taken).toContain('quiet')
    expect(taken).toHaveLength(11)
  })

  test('an item larger than the limits is taken alone', () => {
    const queue = new FairQueue<string>(10)
    queue.push('a', 'huge', { bytes: 5000, count: 700 })
    queue.push('b', 'small', { bytes: 1 })
    expect(queue.take({ count: 100, bytes: 1000 })).toEqual(['small'])
    expect(queue.take({ count: 100, bytes: 1000 })).toEqual(['huge'])
  })

  test('keys with large items and keys with small ones get the same bytes', () => {
    const queue = new FairQueue<number>(1000)
    for (let n = 0; n < 1000; n++) {
      queue.push('large', 3500, { bytes: 3500 })
      for (let i = 0; i < 35; i++) queue.push('small', 100, { bytes: 100 })
    }
    const got = { large: 0, small: 0 }
    for (let n = 0; n < 700; n++) {
      for (const bytes of queue.take(ALL)) got[bytes === 100 ? 'small' : 'large'] += bytes
    }
    expect(got.large / got.small).toBeCloseTo(1, 1)
  })

  test('a round interrupted by a limit continues in the next batch, so that no key starves', () => {
    const queue = new FairQueue<string>(100)
    for (let n = 0; n < 50; n++) for (const key of ['a', 'b', 'c']) queue.push(key, key, { bytes: 10 })
    const counts: Record<string, number> = { a: 0, b: 0, c: 0 }
    for (let n = 0; n < 12; n++) {
      for (const key of queue.take({ count: 7, bytes: 1e9 })) counts[key] = (counts[key] ?? 0) + 1
    }
    expect(counts).toEqual({ a: 30, b: 30, c: 24 })
  })

  test('no item is lost or repeated, each key keeps its order, and limits hold', () => {
    const pushes = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      bytes: fc.integer({ min: 0, max: 500 }),
      count: fc.integer({ min: 1, max: 20 }),
    })
    const takes = fc.record({
      maxBytes: fc.integer({ min: 1, max: 800 }),
      maxCount: fc.integer({ min: 1, max: 40 }),
    })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.oneof(pushes, takes), { maxLength: 200 }),
        (quantum, steps) => {
          const queue = new FairQueue<{ key: string; n: number; bytes: number; count: number }>(quantum)
          const waiting = new Map<string, number[]>()
          const check = (limits: { count: number; bytes: number }): void => {
            const before = queue.size
            const taken = queue.take(limits)
            if (before > 0) expect(taken.length).toBeGreaterThan(0)
            for (const item of taken) expect(waiting.get(item.key)?.shift()).toBe(item.n)
            if (taken.length < 2) return
            expect(taken.reduce((sum, item) => sum + item.bytes, 0)).toBeLessThanOrEqual(limits.bytes)
            expect(taken.reduce((sum, item) => sum + item.count, 0)).toBeLessThanOrEqual(limits.count)
          }
          steps.forEach((step, n) => {
            if ('maxBytes' in step) check({ count: step.maxCount, bytes: step.maxBytes })
            else {
              queue.push(step.key, { ...step, n }, step)
              waiting.set(step.key, [...(waiting.get(step.key) ?? []), n])
            }
          })
          while (queue.size > 0) check(ALL)
          expect([...waiting.values()].flat()).toEqual([])
          expect(queue.bytes).toBe(0)
        },
      ),
    )
  })
})
