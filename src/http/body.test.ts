import { PassThrough } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { type BodyOptions, PartialBody, readBody } from './body.ts'
import { MemoryBudget } from './memory-budget.ts'

const KIB = 1024

function newLease(limitBytes = 1024 * KIB) {
  const budget = new MemoryBudget({ limitBytes, waitMs: 1_000 })
  const lease = budget.openLease()
  void lease.open('a')
  return { budget, lease }
}

function read(stream: PassThrough, options: Partial<BodyOptions> = {}): Promise<Buffer | PartialBody> {
  return readBody(stream, { contentLength: undefined, limitBytes: 100 * KIB, lease: undefined, ...options })
}

const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('reading a body', () => {
  test('memory is reserved for the bytes received, whatever length was announced', async () => {
    const { budget, lease } = newLease()
    const stream = new PassThrough()
    const body = read(stream, { contentLength: 90 * KIB, lease })
    stream.write(Buffer.alloc(10 * KIB))
    await tick()
    expect(budget.bytes).toBe(10 * KIB)
    stream.end(Buffer.alloc(80 * KIB))
    expect((await body).constructor).toBe(Buffer)
    expect(budget.bytes).toBe(90 * KIB)
  })

  test('a body above the limit is rejected, and the rest of it is discarded', async () => {
    const stream = new PassThrough()
    const body = read(stream)
    stream.write(Buffer.alloc(101 * KIB))
    await expect(body).rejects.toMatchObject({ code: 'too_large' })
    stream.end(Buffer.alloc(1024 * KIB))
    await new Promise((resolve) => stream.once('close', resolve))
  })

  test('nothing is read while the body waits for memory', async () => {
    const { budget, lease } = newLease(200 * KIB)
    const [holder, exceeding] = [budget.openLease(), budget.openLease()]
    for (const [caller, each] of [
      ['b', holder],
      ['c', exceeding],
    ] as const) {
      void each.open(caller)
      void each.reserve(60 * KIB)
    }
    void exceeding.reserve(150 * KIB)
    const stream = new PassThrough()
    const body = read(stream, { lease })
    stream.write(Buffer.alloc(50 * KIB))
    await tick()
    expect([stream.isPaused(), budget.waiting]).toEqual([true, 1])
    holder.release()
    await tick()
    stream.end()
    expect(await body).toHaveLength(50 * KIB)
  })

  test('the beginning of a body that is too large to be buffered is returned, and the rest stays in the stream', async () => {
    const stream = new PassThrough()
    const body = read(stream, { maxBufferedBytes: 10 * KIB })
    stream.write(Buffer.alloc(8 * KIB, 'a'))
    await tick()
    stream.write(Buffer.alloc(8 * KIB, 'b'))
    stream.end(Buffer.alloc(8 * KIB, 'c'))
    const partial = await body
    expect(partial).toBeInstanceOf(PartialBody)
    const chunks = [(partial as PartialBody).beginning]
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toBe(['a', 'b', 'c'].map((c) => c.repeat(8 * KIB)).join(''))
  })

  test('a body that arrives too slowly is rejected', async () => {
    vi.useFakeTimers()
    try {
      const stream = new PassThrough()
      const body = read(stream).catch((error: unknown) => error)
      stream.write(Buffer.alloc(64 * KIB))
      // 10 s, and 2 s for what has arrived.
      await vi.advanceTimersByTimeAsync(11_900)
      stream.write('x')
      await vi.advanceTimersByTimeAsync(200)
      expect(await body).toMatchObject({ code: 'unavailable', message: expect.stringContaining('32 KiB') })
    } finally {
      vi.useRealTimers()
    }
  })

  test('time in which the server did not run does not count against the client', async () => {
    vi.useFakeTimers()
    try {
      const stream = new PassThrough()
      const body = read(stream).catch((error: unknown) => error)
      const now = performance.now.bind(performance)
      const late = vi.spyOn(performance, 'now').mockImplementation(() => now() + 30_000)
      await vi.advanceTimersByTimeAsync(10_100)
      late.mockRestore()
      stream.end('x')
      expect(await body).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })

  test('a connection that is closed, also before reading, is an incomplete body', async () => {
    const stream = new PassThrough()
    const body = read(stream)
    stream.destroy()
    await expect(body).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(read(stream)).rejects.toMatchObject({ code: 'invalid_request' })
  })
})
