import { Readable } from 'node:stream'
import { ClickHouseError } from '@clickhouse/client'
import { describe, expect, test } from 'vitest'
import { ResultLimit } from '../../core/concurrency/result-limit.ts'
import { readRows, expectEmptyResponse, type RowOptions } from './response-rows.ts'
import { isTransient } from './clickhouse-error.ts'

const ROWS = '{"a":1}\n{"a":"中\\n"}\n{"a":3}\n'
const FAILURE =
  'Code: 241. DB::Exception: Memory limit (total) exceeded: would use 2 GiB. (MEMORY_LIMIT_EXCEEDED) (version 24.8.1.1)'

/** The text in chunks of `bytes` bytes: boundaries may fall anywhere, also inside a character. */
function inChunks(text: string, bytes: number): Readable {
  const whole = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(whole.length / bytes) }, (_, i) =>
    whole.subarray(i * bytes, (i + 1) * bytes),
  )
  return Readable.from(pieces, { objectMode: false })
}

const copyRow = (row: string): unknown => (row === '{"a":3}' ? { a: 3 } : undefined)

describe.each([
  ...[1, 2, 5, 13, 1000].map((bytes) => ['parsed', bytes, {}] as const),
  ...[1, 2, 5, 13, 1000].map((bytes) => ['some copied', bytes, { copyRow }] as const),
])('%s, in chunks of %i bytes', (_rows, bytes, options: RowOptions) => {
  async function read(text: string, size: number): Promise<unknown[]> {
    const rows: unknown[] = []
    for await (const group of readRows(inChunks(text, size), options)) rows.push(...group)
    return rows
  }

  test('rows are read wherever the chunk boundaries fall', async () => {
    expect(await read(ROWS, bytes)).toEqual([{ a: 1 }, { a: '中\n' }, { a: 3 }])
    expect(await read('', bytes)).toEqual([])
  })

  test.each([
    ['on a line of its own', `${ROWS}${FAILURE}\n`],
    ['without a line end', `${ROWS}${FAILURE}`],
    ['in the middle of a row', `${ROWS}{"a":4,"b":"x${FAILURE}\n`],
    ['in the middle of a row, without a line end', `${ROWS}{"a":4,"b":"x${FAILURE}`],
    [
      'marked, as since 25.11',
      `${ROWS}\r\n__exception__\r\nabcdefghijklmnop\r\n${FAILURE}\n123 abcdefghijklmnop\r\n__exception__\r\n`,
    ],
  ])('an error of ClickHouse is thrown as such: %s', async (_where, text) => {
    const error = await read(text, bytes).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ClickHouseError)
    expect((error as ClickHouseError).type).toBe('MEMORY_LIMIT_EXCEEDED')
  })

  test.each([
    ['inside a row', ROWS.slice(0, -4)],
    ['before the last line end', ROWS.slice(0, -1)],
    ['after unknown text', `${ROWS}<html>a gateway</html>\n`],
  ])('a response that ends %s is cut off, and worth a retry', async (_where, text) => {
    const error = await read(text, bytes).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: 'the response was cut off' })
    expect(isTransient(error)).toBe(true)
  })
})

describe('rows that are too large', () => {
  const newLimit = (maxBytes = 100_000) =>
    new ResultLimit({
      maxBytes,
      maxRowBytes: 100,
      exceeded: () => new Error('too large'),
      isMainThread: true,
    })
  const large = `{"id":"b","at":2,"text":"${'x'.repeat(500)}"}`
  const text = `{"id":"a","at":1,"text":""}\n${large}\n{"id":"c","at":3,"text":"end"}\n`

  async function readLimited(bytes: number, options: RowOptions, from = text): Promise<unknown[]> {
    const rows: unknown[] = []
    for await (const group of readRows(inChunks(from, bytes), options)) rows.push(...group)
    return rows
  }

  test.each([7, 64, 250])(
    'they fail the request, or become placeholders, in chunks of %i bytes',
    async (bytes) => {
      await expect(readLimited(bytes, { limit: newLimit() })).rejects.toThrow('too large')
      const placeholderColumns = ['id', 'at']
      expect(await readLimited(bytes, { limit: newLimit(), placeholderColumns })).toEqual([
        { id: 'a', at: 1, text: '' },
        { id: 'b', at: 2, is_large_row: true },
        { id: 'c', at: 3, text: 'end' },
      ])
      // Without a limit, and without one of the columns before the large one, the row is read.
      const rows = [{ id: 'a' }, { id: 'b', text: 'x'.repeat(500) }, { id: 'c' }]
      expect(await readLimited(bytes, { placeholderColumns })).toMatchObject(rows)
      expect(await readLimited(bytes, { limit: newLimit(), placeholderColumns: ['text'] })).toMatchObject(
        rows,
      )
    },
  )

  test('the whole response is counted, unless large rows become placeholders', async () => {
    const small = `{"id":"a"}\n`.repeat(20)
    await expect(readLimited(64, { limit: newLimit(150) }, small)).rejects.toThrow('too large')
    expect(await readLimited(64, { limit: newLimit(150), placeholderColumns: ['id'] }, small)).toHaveLength(
      20,
    )
  })

  test.each([64, 1000])(
    'an error of ClickHouse inside a large row is not lost, in chunks of %i bytes',
    async (bytes) => {
      const options = { limit: newLimit(), placeholderColumns: ['id'] }
      const broken = large.slice(0, 400)
      for (const end of [FAILURE, `${FAILURE}\n`]) {
        const error = await readLimited(bytes, options, `${broken}${end}`).catch((thrown: unknown) => thrown)
        expect(error).toBeInstanceOf(ClickHouseError)
      }
      for (const end of ['', `\r\n__exception__\r\n${FAILURE}\r\n__exception__\r\n`])
        await expect(readLimited(bytes, options, `${broken}${end}`)).rejects.toBeInstanceOf(Error)
    },
  )
})

test('an insert with a response body has failed', async () => {
  await expectEmptyResponse(Readable.from([]))
  await expect(expectEmptyResponse(inChunks(FAILURE, 7))).rejects.toMatchObject({
    type: 'MEMORY_LIMIT_EXCEEDED',
  })
})
