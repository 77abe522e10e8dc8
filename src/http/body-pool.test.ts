import { describe, expect, it } from 'vitest'
import { BodyPool } from './body-pool.ts'

describe('BodyPool', () => {
  it('reuses the memory of a released body', () => {
    const pool = new BodyPool(1_024, 1)
    const first = pool.take(900)
    expect(first).toHaveLength(900)
    const second = pool.take(500)
    expect(second.buffer).not.toBe(first.buffer)
    pool.release(first)
    // Once only: two requests must never share memory.
    pool.release(first)
    expect(pool.freeBlocks).toBe(1)
    expect(pool.take(600).buffer).toBe(first.buffer)
    expect(pool.freeBlocks).toBe(0)
  })

  it('keeps a limited number of blocks', () => {
    const pool = new BodyPool(1_024, 1)
    const bodies = [pool.take(900), pool.take(900)]
    for (const body of bodies) pool.release(body)
    expect(pool.freeBlocks).toBe(1)
  })

  it('ignores bodies that are not its own', () => {
    const pool = new BodyPool(1_024, 1)
    for (const body of [pool.take(2_000), pool.take(10), Buffer.alloc(1_024)]) pool.release(body)
    expect(pool.freeBlocks).toBe(0)
  })
})
