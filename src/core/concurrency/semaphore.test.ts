import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Semaphore } from './semaphore.ts'

const rejection = (): Error => new Error('busy')

test('at most the given number run concurrently, in the order they came', async () => {
  const semaphore = new Semaphore({ permits: 2, rejection })
  let running = 0
  let maxRunning = 0
  const order: number[] = []
  const work = async (n: number): Promise<void> => {
    order.push(n)
    maxRunning = Math.max(maxRunning, ++running)
    await sleep(1)
    running--
  }
  await Promise.all(Array.from({ length: 10 }, (_, n) => semaphore.run(() => work(n))))
  expect(maxRunning).toBe(2)
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('a permit is released when the work fails', async () => {
  const semaphore = new Semaphore({ permits: 1, rejection })
  await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await semaphore.run(async () => 'done')).toBe('done')
})

test('a waiter leaves the queue at its deadline, and the permit goes to the next one', async () => {
  const semaphore = new Semaphore({ permits: 1, rejection })
  const first = semaphore.run(() => sleep(60))
  const late = semaphore.run(() => sleep(1), performance.now() + 10)
  const patient = semaphore.run(async () => 'done')
  await expect(late).rejects.toThrow('busy')
  await first
  expect(await patient).toBe('done')
})

test('newcomers do not overtake a waiter that was just granted a permit', async () => {
  const semaphore = new Semaphore({ permits: 1, rejection })
  const order: string[] = []
  const named = (name: string) => semaphore.run(async () => void order.push(name))
  const first = named('first').then(() => named('newcomer'))
  await Promise.all([first, named('second'), named('third')])
  expect(order).toEqual(['first', 'second', 'third', 'newcomer'])
})
