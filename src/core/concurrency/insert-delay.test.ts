import { describe, expect, test } from 'vitest'
import { insertDelayMs } from './insert-delay.ts'

const idle = { requests: 0, rows: 0, bytes: 0, sinceLastMs: 0, running: 0 }

describe('when the next insert starts', () => {
  test('a single record is inserted immediately if there was no recent insert', () => {
    expect(insertDelayMs({ requests: 1, rows: 1, bytes: 3_000, sinceLastMs: 1_000, running: 0 })).toBe(0)
  })

  test('a client that waits for each response does not wait for others', () => {
    expect(
      insertDelayMs({ requests: 1, rows: 1, bytes: 3_000, sinceLastMs: 0, running: 0 }),
    ).toBeLessThanOrEqual(10)
  })

  test('many single records cause at most five inserts per second', () => {
    const many = { requests: 200, rows: 200, bytes: 600_000 }
    expect(insertDelayMs({ ...many, sinceLastMs: 0, running: 0 })).toBeGreaterThanOrEqual(200)
    expect(insertDelayMs({ ...many, sinceLastMs: 250, running: 0 })).toBe(0)
  })

  test('batches wait at most 50 ms for one another', () => {
    expect(
      insertDelayMs({ requests: 10, rows: 1_000, bytes: 1_000_000, sinceLastMs: 0, running: 0 }),
    ).toBeLessThanOrEqual(50)
  })

  test('during an insert only a full one starts', () => {
    expect(
      insertDelayMs({ requests: 10, rows: 1_000, bytes: 1_000_000, sinceLastMs: 1_000, running: 1 }),
    ).toBe(Infinity)
    expect(
      insertDelayMs({ requests: 50, rows: 5_000, bytes: 1_000_000, sinceLastMs: 1_000, running: 1 }),
    ).toBe(0)
  })

  test('a full insert starts immediately', () => {
    expect(insertDelayMs({ ...idle, requests: 50, rows: 5_000 })).toBe(0)
    expect(insertDelayMs({ ...idle, requests: 1, rows: 1, bytes: 32 * 1024 * 1024 })).toBe(0)
  })
})
