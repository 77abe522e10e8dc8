import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { wholeParquet } from './parquet.ts'

const bytes = (length: number): Buffer => Buffer.alloc(length, 7)
const END = Buffer.from('PAR1')

async function read(chunks: readonly Buffer[]): Promise<{ got: Buffer; error: unknown }> {
  const got: Buffer[] = []
  try {
    for await (const part of wholeParquet(Readable.from(chunks))) got.push(part)
  } catch (error) {
    return { got: Buffer.concat(got), error }
  }
  return { got: Buffer.concat(got), error: undefined }
}

test('a whole file passes through unchanged, however it is cut', async () => {
  const file = Buffer.concat([END, bytes(100_000), END])
  for (const size of [1_000, 16_384, 65_536, 200_000]) {
    const chunks: Buffer[] = []
    for (let i = 0; i < file.length; i += size) chunks.push(file.subarray(i, i + size))
    const { got, error } = await read(chunks)
    expect([size, error, got.equals(file)]).toEqual([size, undefined, true])
  }
})

test('where the engine wrote an error in place of the end, it is thrown and not handed on', async () => {
  const failure =
    'Code: 241. DB::Exception: (total) memory limit exceeded: secret. (MEMORY_LIMIT_EXCEEDED) (version 26.7.2.1)'
  const { got, error } = await read([END, bytes(100_000), Buffer.from(failure)])
  expect(error).toMatchObject({ type: 'MEMORY_LIMIT_EXCEEDED' })
  expect(got.includes('secret')).toBe(false)
})

test('a file without its end, or none at all, is no file', async () => {
  for (const chunks of [[END, bytes(50_000)], [bytes(3)], []])
    expect((await read(chunks)).error).toMatchObject({ code: 'ECONNABORTED' })
})
