import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { MAX_UNAUTHENTICATED_PER_TICK, REJECTION_DELAY_MS, REJECTIONS_PER_ADDRESS } from './limits.ts'
import { UnauthenticatedLimits } from './unauthenticated.ts'

test('an address with a thousand requests delays another by one turn', async () => {
  const limits = new UnauthenticatedLimits()
  const begun: string[] = []
  const begin = async (address: string): Promise<void> => {
    await limits.turn({}, address)
    begun.push(address)
  }
  const flood = Array.from({ length: 1_000 }, () => begin('10.0.0.1'))
  const quiet = begin('10.0.0.2')
  await quiet
  expect(begun.length).toBeLessThanOrEqual(2 * MAX_UNAUTHENTICATED_PER_TICK)
  await Promise.all(flood)
})

test('an authenticated connection never waits, until a request of it is rejected', async () => {
  const limits = new UnauthenticatedLimits()
  const connection = {}
  limits.recordAuthenticated(connection)
  const flood = Array.from({ length: 100 }, async () => limits.turn({}, '10.0.0.1'))
  expect(limits.turn(connection, '10.0.0.1')).toBeUndefined()
  limits.recordRejected(connection, '10.0.0.1')
  expect(limits.turn(connection, '10.0.0.1')).toBeDefined()
  await Promise.all(flood)
  await setImmediate()
})

test('beyond a rate, the rejections of an address are delayed, and those of others are not', () => {
  const limits = new UnauthenticatedLimits()
  const delays = Array.from({ length: REJECTIONS_PER_ADDRESS.burst * 2 }, () =>
    limits.recordRejected({}, '10.0.0.1'),
  )
  expect([delays[0], delays.at(-1)]).toEqual([0, REJECTION_DELAY_MS])
  expect(limits.recordRejected({}, '10.0.0.2')).toBe(0)
})
