import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findInvalidUtf8 } from './utf8.ts'

/** What Python reports as the position of a decoding error. */
function slowly(bytes: Buffer): number {
  for (let end = 0; end < bytes.length;) {
    const length = [1, 2, 3, 4].find((n) => end + n <= bytes.length && isUtf8(bytes.subarray(end, end + n)))
    if (length === undefined) return end
    end += length
  }
  return -1
}

test('the position is the first byte of the invalid character', () => {
  const broken: [string, number[]][] = [
    ['a byte that begins no character', [0xff]],
    ['a continuation without a beginning', [0x80]],
    ['a character cut off', [0xe2, 0x82]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['an overlong form', [0xc0, 0x80]],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
  ]
  for (const [name, bytes] of broken) {
    for (const before of ['', 'abc', 'é', '日本🎉']) {
      for (const after of ['', '"}', '🎉']) {
        const text = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
        expect([name, before, findInvalidUtf8(text)]).toEqual([name, before, Buffer.byteLength(before)])
      }
    }
  }
})

test('it is found behind many blocks, and wherever characters cross their borders', () => {
  expect(findInvalidUtf8(Buffer.from('é🎉'.repeat(100_000)))).toBe(-1)
  for (const shift of [0, 1, 2, 3, 4, 5]) {
    const before = Buffer.from('x'.repeat(shift) + '日🎉'.repeat(30_000))
    expect(findInvalidUtf8(Buffer.concat([before, Buffer.from([0xff])]))).toBe(before.length)
    expect(findInvalidUtf8(Buffer.concat([before, Buffer.from([0xf0, 0x9f])]))).toBe(before.length)
  }
  expect(findInvalidUtf8(Buffer.alloc(300_000, 0x80))).toBe(0)
})

test('random bytes: the position is that of a slow search', () => {
  const bytes = fc.array(
    fc.oneof(
      fc.constantFrom('a', 'é', '日', '🎉').map((text) => [...Buffer.from(text)]),
      fc.uint8Array({ maxLength: 3 }).map((some) => [...some]),
    ),
  )
  fc.assert(
    fc.property(bytes, (parts) => {
      const buffer = Buffer.from(parts.flat())
      expect(findInvalidUtf8(buffer)).toBe(slowly(buffer))
    }),
    { numRuns: 2000 },
  )
})
