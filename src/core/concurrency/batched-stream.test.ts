import { describe, expect, test } from 'vitest'
import { BatchedStream, encodeChunks, inBatches } from './batched-stream.ts'

async function* numbers(count: number): AsyncGenerator<number> {
  for (let n = 0; n < count; n++) yield n
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const seen: Item[] = []
  for await (const item of items) seen.push(item)
  return seen
}

describe('a batched stream', () => {
  test('is read item by item or batch by batch', async () => {
    const stream = (): BatchedStream<number> => new BatchedStream(inBatches(numbers(5), 2)).map((n) => n * 10)
    expect(await all(stream())).toEqual([0, 10, 20, 30, 40])
    expect(await all(stream().batches)).toEqual([[0, 10], [20, 30], [40]])
    expect(await all(BatchedStream.from(stream()).batches)).toHaveLength(3)
    expect(await all(BatchedStream.from(numbers(2)).batches)).toEqual([[0], [1]])
  })

  test('closes its source when the reader stops early', async () => {
    let isEnded = false
    async function* endless(): AsyncGenerator<number[]> {
      try {
        for (;;) yield [1, 2, 3]
      } finally {
        isEnded = true
      }
    }
    for await (const n of new BatchedStream(endless()).map((one) => one + 1)) if (n === 3) break
    expect(isEnded).toBe(true)
  })

  test('is encoded in chunks without loss', async () => {
    const line = (n: number): string => `${n}:${'ä'.repeat(1_000)}\n`
    const chunks = await all(encodeChunks(new BatchedStream(inBatches(numbers(200), 7)), line, 'head\n'))
    expect(chunks.length).toBeGreaterThan(2)
    const whole = (await all(numbers(200))).map(line).join('')
    expect(Buffer.concat(chunks).toString()).toBe(`head\n${whole}`)
    expect(await all(encodeChunks(BatchedStream.from(numbers(0)), line))).toEqual([])
  })

  test('bytes that arrive later keep their place', async () => {
    async function* later(n: number): AsyncGenerator<Buffer> {
      yield Buffer.from(`${n}`)
      await Promise.resolve()
      yield Buffer.from('.')
    }
    const chunks = encodeChunks(BatchedStream.from(numbers(5)), (n) => (n % 2 === 0 ? later(n) : `(${n})`))
    expect(Buffer.concat(await all(chunks)).toString()).toBe('0.(1)2.(3)4.')
  })

  test('the event loop gets turns while items are encoded', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const busy = (): string => {
      for (const until = performance.now() + 5; performance.now() < until;);
      return 'x'
    }
    await all(encodeChunks(new BatchedStream(inBatches(numbers(20), 20)), busy))
    clearInterval(timer)
    expect(turns).toBeGreaterThan(5)
  })
})

test('a live stream sends each item when it is there', async () => {
  async function* items() {
    yield [1]
    yield [2, 3]
  }
  const chunksOf = async (isLive: boolean): Promise<string[]> => {
    const chunks: string[] = []
    const stream = new BatchedStream(items(), { isLive })
    for await (const chunk of encodeChunks(stream, (item) => `${item}\n`)) chunks.push(chunk.toString())
    return chunks
  }
  expect(await chunksOf(true)).toEqual(['1\n', '2\n3\n'])
  expect(await chunksOf(false)).toEqual(['1\n2\n3\n'])
})
