import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readParquet } from './parquet.ts'

const bytes = (length: number): Buffer => Buffer.alloc(length, 7)
const END = Buffer.from('PAR1')

async function read(chunks: readonly Buffer[]): Promise<{ got: Buffer; error: unknown }> {
  const got: Buffer[] = []
  try {
    for await (const part of readParquet(Readable.from(chunks))) got.push(part)
  } catch (error) {
    return { got: Buffer.concat(got), error }
  }
  return { got: Buffer.concat(got), error: undefined }
}

test('a complete file passes through unchanged, however it is chunked', async () => {
  const file = Buffer.concat([END, bytes(100_000), END])
  for (const size of [1_000, 16_384, 65_536, 200_000]) {
    const chunks: Buffer[] = []
    for (let i = 0; i < file.length; i += size) chunks.push(file.subarray(i, i + size))
    const { got, error } = await read(chunks)
    expect([size, error, got.equals(file)]).toEqual([size, undefined, true])
  }
})

test('an error message in place of the end is thrown, not passed on', async () => {
  const failure =
    'Code: 241. DB::Exception: (total) memory limit exceeded: secret. (MEMORY_LIMIT_EXCEEDED) (version 26.7.2.1)'
  const { got, error } = await read([END, bytes(100_000), Buffer.from(failure)])
  expect(error).toMatchObject({ type: 'MEMORY_LIMIT_EXCEEDED' })
  expect(got.includes('secret')).toBe(false)
})

test('a truncated or empty file is an error', async () => {
  for (const chunks of [[END, bytes(50_000)], [bytes(3)], []])
    expect((await read(chunks)).error).toMatchObject({ code: 'ECONNABORTED' })
})
