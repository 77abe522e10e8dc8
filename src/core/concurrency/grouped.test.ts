import { describe, expect, test } from 'vitest'
import { Grouped, inChunks, inGroups } from './grouped.ts'

async function* numbers(count: number): AsyncGenerator<number> {
  for (let n = 0; n < count; n++) yield n
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const seen: Item[] = []
  for await (const item of items) seen.push(item)
  return seen
}

describe('items in groups', () => {
  test('are read one by one, or together', async () => {
    const of = (): Grouped<number> => new Grouped(inGroups(numbers(5), 2)).map((n) => n * 10)
    expect(await all(of())).toEqual([0, 10, 20, 30, 40])
    expect(await all(of().groups)).toEqual([[0, 10], [20, 30], [40]])
    expect(await all(Grouped.from(of()).groups)).toHaveLength(3)
    expect(await all(Grouped.from(numbers(2)).groups)).toEqual([[0], [1]])
  })

  test('whoever leaves early ends what makes them', async () => {
    let isEnded = false
    async function* endless(): AsyncGenerator<number[]> {
      try {
        for (;;) yield [1, 2, 3]
      } finally {
        isEnded = true
      }
    }
    for await (const n of new Grouped(endless()).map((one) => one + 1)) if (n === 3) break
    expect(isEnded).toBe(true)
  })

  test('text is handed on in pieces that lose nothing', async () => {
    const line = (n: number): string => `${n}:${'ä'.repeat(1_000)}\n`
    const chunks = await all(inChunks(new Grouped(inGroups(numbers(200), 7)), line, 'head\n'))
    expect(chunks.length).toBeGreaterThan(2)
    const whole = (await all(numbers(200))).map(line).join('')
    expect(Buffer.concat(chunks).toString()).toBe(`head\n${whole}`)
    expect(await all(inChunks(Grouped.from(numbers(0)), line))).toEqual([])
  })
})
