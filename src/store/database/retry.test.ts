import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ApiError } from '../../contract/api-error.ts'
import { RetryPolicy } from './retry.ts'

const refused = (): Error => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })

test('after an outage the statements that waited reach the engine a few at a time', async () => {
  const hold = new RetryPolicy({ retryWindowMs: 10_000, isAnswering: async () => true })
  let isAway = true
  let running = 0
  let most = 0
  setTimeout(() => (isAway = false), 200)
  const statement = async (): Promise<string> => {
    if (isAway) throw refused()
    most = Math.max(most, ++running)
    await sleep(2)
    running--
    return 'done'
  }
  const answers = await Promise.all(Array.from({ length: 200 }, () => hold.run(statement)))
  expect(new Set(answers)).toEqual(new Set(['done']))
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(8)
})

test('however many wait, each is answered when its time is over', async () => {
  const hold = new RetryPolicy({ retryWindowMs: 400, isAnswering: async () => false })
  let tries = 0
  // The first try is refused, later ones hear nothing: an engine that hangs while it starts.
  const statement = (signal: AbortSignal): Promise<never> =>
    ++tries <= 100
      ? Promise.reject(refused())
      : new Promise((_settle, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
        })
  const began = performance.now()
  const errors = await Promise.all(
    Array.from({ length: 100 }, () => hold.run(statement).catch((error: unknown) => error)),
  )
  expect(performance.now() - began).toBeLessThan(1_500)
  for (const error of errors) {
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).code).toBe('unavailable')
  }
})

test('a statement that takes long is left alone while the engine answers', async () => {
  let asked = 0
  const hold = new RetryPolicy({
    retryWindowMs: 50,
    isAnswering: async () => {
      asked++
      return true
    },
  })
  expect(await hold.run(() => sleep(400, 'slow'))).toBe('slow')
  expect(asked).toBeGreaterThan(0)
})

test('what will not pass is not tried again', async () => {
  const hold = new RetryPolicy({ retryWindowMs: 5_000, isAnswering: async () => true })
  let tries = 0
  await expect(
    hold.run(() => {
      tries++
      return Promise.reject(new ApiError('storage_full', 'no space'))
    }),
  ).rejects.toThrow('no space')
  expect(tries).toBe(1)
})
