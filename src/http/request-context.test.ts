import { expect, test } from 'vitest'
import { ConcurrencyLimiter } from '../core/concurrency/concurrency-limiter.ts'
import { MemoryBudget } from './memory-budget.ts'
import { OpenRequests } from './open-requests.ts'
import { RequestContext } from './request-context.ts'

const memoryBudget = new MemoryBudget({ limitBytes: 1_000_000, waitMs: 10 })
const LIMITS = { maxConcurrent: 1, maxPerUser: 1, maxPerProject: 1, maxWaitingPerUser: 10, waitMs: 10 }
const openRequests = new OpenRequests(60_000)
const client = { isConnected: true, isResponding: false }
const openContext = () => new RequestContext({ request_id: 'r', memoryBudget, openRequests, client })

test('a client that disconnects while its request is being read holds no slot, and its signal is aborted', async () => {
  const reads = new ConcurrencyLimiter(LIMITS, () => new Error('no slot is free'))
  const context = openContext()
  context.close(false)
  await context.slot.acquire(() => reads.acquire({ user_id: 'a' }))
  expect(context.signal.aborted).toBe(true)
  expect(reads.tryAcquire({ user_id: 'a' })).toBeDefined()
})

test('the signal is aborted when the client disconnects, and not when the response is complete', () => {
  for (const isComplete of [false, true]) {
    const context = openContext()
    const { signal } = context
    expect(signal.aborted).toBe(false)
    context.close(isComplete)
    expect([signal.aborted, context.isAborted]).toEqual([!isComplete, !isComplete])
  }
})

test('closing releases the memory lease and the slot, and runs the cleanup', async () => {
  const reads = new ConcurrencyLimiter(LIMITS, () => new Error('no slot is free'))
  const context = openContext()
  let cleanups = 0
  context.onClose(() => cleanups++)
  await context.memoryLease.open('a')
  await context.memoryLease.reserve(1_000)
  await context.slot.acquire(() => reads.acquire({ user_id: 'a' }))
  context.close(true)
  await new Promise((resolve) => setImmediate(resolve))
  expect([memoryBudget.bytes, openRequests.count, cleanups]).toEqual([0, 0, 1])
  expect(reads.tryAcquire({ user_id: 'a' })).toBeDefined()
})

test('a cleanup that is added after the client disconnected runs immediately', () => {
  const context = openContext()
  context.close(false)
  let cleanups = 0
  context.onClose(() => cleanups++)
  expect(cleanups).toBe(1)
})

test('only the first end counts, and a cleanup that was forgotten does not run', () => {
  const context = openContext()
  let cleanups = 0
  context.onClose(() => cleanups++)
  context.onClose(() => cleanups++)()
  expect([context.close(true), context.close(false), context.isAborted, cleanups]).toEqual([
    true,
    false,
    false,
    1,
  ])
})
