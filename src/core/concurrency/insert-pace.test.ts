import { describe, expect, test } from 'vitest'
import { waitMs } from './insert-pace.ts'

const nothing = { requests: 0, rows: 0, bytes: 0, sinceLastMs: 0, running: 0 }

describe('when the next insert begins', () => {
  test('a single record goes at once if the engine has been left alone', () => {
    expect(waitMs({ requests: 1, rows: 1, bytes: 3_000, sinceLastMs: 1_000, running: 0 })).toBe(0)
  })

  test('a client that waits for each answer is not made to wait for others', () => {
    expect(waitMs({ requests: 1, rows: 1, bytes: 3_000, sinceLastMs: 0, running: 0 })).toBeLessThanOrEqual(10)
  })

  test('a crowd of single records makes at most five inserts a second', () => {
    const crowd = { requests: 200, rows: 200, bytes: 600_000 }
    expect(waitMs({ ...crowd, sinceLastMs: 0, running: 0 })).toBeGreaterThanOrEqual(200)
    expect(waitMs({ ...crowd, sinceLastMs: 250, running: 0 })).toBe(0)
  })

  test('batches wait a few hundredths of a second for one another', () => {
    expect(
      waitMs({ requests: 10, rows: 1_000, bytes: 1_000_000, sinceLastMs: 0, running: 0 }),
    ).toBeLessThanOrEqual(50)
  })

  test('beside another only a full one begins', () => {
    expect(waitMs({ requests: 10, rows: 1_000, bytes: 1_000_000, sinceLastMs: 1_000, running: 1 })).toBe(
      Infinity,
    )
    expect(waitMs({ requests: 50, rows: 5_000, bytes: 1_000_000, sinceLastMs: 1_000, running: 1 })).toBe(0)
  })

  test('a full insert waits for nothing', () => {
    expect(waitMs({ ...nothing, requests: 50, rows: 5_000 })).toBe(0)
    expect(waitMs({ ...nothing, requests: 1, rows: 1, bytes: 32 * 1024 * 1024 })).toBe(0)
  })
})
