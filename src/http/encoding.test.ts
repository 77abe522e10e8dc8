import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { LargeWork } from '../core/concurrency/large-work.ts'
import { type DecodeOptions, decodeBody } from './encoding.ts'
import { MemoryBudget } from './memory-budget.ts'

const MIB = 1024 * 1024
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const ENCODERS = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: (data: Buffer) => brotliCompressSync(data, QUICK),
} as const

const options = (overrides: Partial<DecodeOptions> = {}): DecodeOptions => ({
  encoding: 'gzip',
  limitBytes: 4 * MIB,
  lease: undefined,
  caller: 'a',
  ...overrides,
})

function newLease(limitBytes: number) {
  const budget = new MemoryBudget({ limitBytes, waitMs: 300 })
  const lease = budget.openLease()
  void lease.open('a')
  return { budget, lease }
}

test.each(Object.entries(ENCODERS))(
  '%s: a body is decoded, and a bomb is rejected for good',
  async (encoding, encode) => {
    const text = Buffer.alloc(3 * MIB, 'text ')
    expect((await decodeBody(encode(text), options({ encoding }))).equals(text)).toBe(true)
    const bomb = decodeBody(encode(Buffer.alloc(16 * MIB)), options({ encoding }))
    await expect(bomb).rejects.toMatchObject({ code: 'too_large' })
  },
)

test('without memory, a bomb is still rejected for good, and a body waits for memory', async () => {
  const { budget, lease } = newLease(2 * MIB)
  const holders = ['b', 'c'].map((caller) => {
    const each = budget.openLease()
    void each.open(caller)
    void each.reserve(900 * 1024)
    return each
  })
  // The only request that may exceed the budget.
  expect(holders[1]?.tryReserve(3 * MIB)).toBe(true)
  const bomb = decodeBody(gzipSync(Buffer.alloc(16 * MIB)), options({ lease }))
  await expect(bomb).rejects.toMatchObject({ code: 'too_large' })
  const sent = gzipSync(Buffer.alloc(700 * 1024, 'x'))
  await expect(decodeBody(sent, options({ lease }))).rejects.toMatchObject({ code: 'unavailable' })
  const waiting = decodeBody(sent, options({ lease }))
  setTimeout(() => holders[0]?.release(), 20)
  expect(await waiting).toHaveLength(700 * 1024)
  expect(budget.bytes).toBe(3 * MIB + 700 * 1024)
})

test('a body that turns out to be large is left to the thread for large requests', async () => {
  const sent = gzipSync(Buffer.alloc(2 * MIB))
  await expect(decodeBody(sent, options({ maxBufferedBytes: MIB }))).rejects.toThrow(LargeWork)
})

test('an unknown encoding, a list of encodings and damaged data are rejected', async () => {
  for (const encoding of ['compress', 'gzip, gzip'])
    expect(() => decodeBody(Buffer.from('x'), options({ encoding }))).toThrow('not supported')
  await expect(decodeBody(Buffer.from('x'), options())).rejects.toThrow('not valid gzip')
  expect(decodeBody(Buffer.from('x'), options({ encoding: 'identity' }))).toEqual(Buffer.from('x'))
})
