import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ApiError } from '../../contract/api-error.ts'
import { RetryPolicy } from './retry.ts'

const refused = (): Error => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })

test('after an outage the waiting statements reach ClickHouse a few at a time', async () => {
  const retry = new RetryPolicy({ retryWindowMs: 10_000, isResponding: async () => true })
  let isDown = true
  let running = 0
  let maxRunning = 0
  setTimeout(() => (isDown = false), 200)
  const statement = async (): Promise<string> => {
    if (isDown) throw refused()
    maxRunning = Math.max(maxRunning, ++running)
    await sleep(2)
    running--
    return 'done'
  }
  const results = await Promise.all(Array.from({ length: 200 }, () => retry.run(statement)))
  expect(new Set(results)).toEqual(new Set(['done']))
  expect(maxRunning).toBeGreaterThan(1)
  expect(maxRunning).toBeLessThanOrEqual(8)
})

test('however many wait, each fails when its retry window ends', async () => {
  const retry = new RetryPolicy({ retryWindowMs: 400, isResponding: async () => false })
  let tries = 0
  // The first attempt is refused, later ones get no response: a ClickHouse that hangs while it starts.
  const statement = (signal: AbortSignal): Promise<never> =>
    ++tries <= 100
      ? Promise.reject(refused())
      : new Promise((_settle, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
        })
  const began = performance.now()
  const errors = await Promise.all(
    Array.from({ length: 100 }, () => retry.run(statement).catch((error: unknown) => error)),
  )
  expect(performance.now() - began).toBeLessThan(1_500)
  for (const error of errors) {
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).code).toBe('unavailable')
  }
})

test('a slow statement is not aborted while ClickHouse responds', async () => {
  let asked = 0
  const retry = new RetryPolicy({
    retryWindowMs: 50,
    isResponding: async () => {
      asked++
      return true
    },
  })
  expect(await retry.run(() => sleep(400, 'slow'))).toBe('slow')
  expect(asked).toBeGreaterThan(0)
})

test('a permanent error is not retried', async () => {
  const retry = new RetryPolicy({ retryWindowMs: 5_000, isResponding: async () => true })
  let tries = 0
  await expect(
    retry.run(() => {
      tries++
      return Promise.reject(new ApiError('storage_full', 'no space'))
    }),
  ).rejects.toThrow('no space')
  expect(tries).toBe(1)
})
