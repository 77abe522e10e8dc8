import { expect, test } from 'vitest'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

const turns = (flags = {}) =>
  new ConcurrencyLimiter({ maxConcurrent: 3, maxPerProject: 2, waitMs: 1_000, ...flags })

/** Lets whatever is ready go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('one project gets its part, another finds a place at once', async () => {
  const line = turns()
  const end = await line.take('a')
  await line.take('a')
  let isIn = false
  void line.take('a').then(() => (isIn = true))
  await line.take('b')
  await settle()
  expect(isIn).toBe(false)
  end()
  await settle()
  expect(isIn).toBe(true)
})

test('those who wait are let in by turns between projects', async () => {
  const line = turns({ maxConcurrent: 1, maxPerProject: 1 })
  const end = await line.take('x')
  const order: string[] = []
  for (const project of ['a', 'a', 'a', 'b', 'c', 'b']) {
    void line.take(project).then((over) => {
      order.push(project)
      return setImmediate(over)
    })
  }
  end()
  for (let n = 0; n < 20; n++) await settle()
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
})

test('whoever waits too long hears which limit it was', async () => {
  const line = turns({ waitMs: 10 })
  await line.take('a')
  await line.take('a')
  await expect(line.take('a')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(
      '2 heavy reads of a (HEDDLE_MAX_CONCURRENT_READS_PER_PROJECT)',
    ) as string,
  })
  await line.take('b')
  await expect(line.take('c')).rejects.toThrow('HEDDLE_MAX_CONCURRENT_READS')
})

test('whoever leaves the line takes no turn, and a turn that ends twice ends once', async () => {
  const line = turns({ maxConcurrent: 1, maxPerProject: 1 })
  const end = await line.take('a')
  const leaving = new AbortController()
  const left = line.take('b', leaving.signal)
  const next = line.take('c')
  leaving.abort()
  await expect(left).rejects.toThrow('aborted')
  end()
  end()
  const over = await next
  let isIn = false
  void line.take('d').then(() => (isIn = true))
  await settle()
  expect(isIn).toBe(false)
  over()
  await settle()
  expect(isIn).toBe(true)
})
