import { describe, expect, test } from 'vitest'
import { insertDelayMs } from './insert-delay.ts'

const one = {
  requests: 1,
  rows: 1,
  bytes: 3_000,
  isInserting: false,
  sinceInsertMs: 0,
  previousRequests: 1,
  previousRows: 1,
  previousMs: 40,
  quietMs: 0,
}
const batches = { ...one, requests: 10, rows: 1_000, bytes: 3_000_000 }

describe('when the next insert starts', () => {
  test('a record, or a client that waits for each response, does not wait for others', () => {
    expect(insertDelayMs(one)).toBe(0)
    expect(insertDelayMs({ ...one, sinceInsertMs: 1_000 })).toBe(0)
  })

  test('many single records cause a few inserts per second', () => {
    const many = { ...one, requests: 200, rows: 200, bytes: 600_000 }
    expect(insertDelayMs(many)).toBeGreaterThanOrEqual(150)
    expect(insertDelayMs({ ...many, sinceInsertMs: 250 })).toBe(0)
    expect(insertDelayMs({ ...many, requests: 500, rows: 500, sinceInsertMs: 50 })).toBe(0)
  })

  test('batches wait at most 60 ms for one another', () => {
    expect(insertDelayMs(batches)).toBe(40)
    expect(insertDelayMs({ ...batches, previousMs: 500 })).toBe(60)
    expect(insertDelayMs({ ...batches, sinceInsertMs: 60 })).toBe(0)
  })

  test('a batch waits for others after an insert of several, a client that sends alone never', () => {
    const batch = { ...one, rows: 200, bytes: 600_000, previousRows: 200 }
    expect(insertDelayMs(batch)).toBe(0)
    expect(insertDelayMs({ ...batch, previousRequests: 2 })).toBe(40)
  })

  test('after a large insert the next one waits as long for the clients that send again, while they do', () => {
    const loaded = {
      ...batches,
      rows: 5_000,
      bytes: 15_000_000,
      previousRequests: 90,
      previousRows: 9_000,
      previousMs: 400,
    }
    expect(insertDelayMs(loaded)).toBeGreaterThan(10)
    expect(insertDelayMs({ ...loaded, quietMs: 50 })).toBe(0)
    expect(insertDelayMs({ ...loaded, sinceInsertMs: 380 })).toBe(20)
    expect(insertDelayMs({ ...loaded, rows: 9_000 })).toBe(0)
  })

  test('inserts become small again when the load falls', () => {
    // An insert of n rows takes 30 ms and 40 µs per row; 2,800 rows arrive per second.
    let previousRows = 9_000
    for (let n = 0; n < 10; n++) {
      const previousMs = 30 + previousRows * 0.04
      const pause = insertDelayMs({ ...batches, previousRequests: 90, previousRows, previousMs })
      previousRows = (previousMs + pause) * 2.8
    }
    expect(previousRows).toBeLessThan(500)
  })

  test('a full insert starts immediately, but not during another one', () => {
    expect(insertDelayMs({ ...one, requests: 90, rows: 9_000 })).toBe(0)
    expect(insertDelayMs({ ...one, bytes: 32 * 1024 * 1024 })).toBe(0)
    expect(insertDelayMs({ ...one, requests: 90, rows: 9_000, isInserting: true })).toBe(Infinity)
  })
})
