import { expect, test } from 'vitest'
import { pixelCount } from './image-size.ts'

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  )

test('the size of an image is read from its header', () => {
  const png = bytes('\u0089PNG\r\n\u001A\n', [0, 0, 0, 13], 'IHDR', [0, 0, 0x75, 0x30], [0, 0, 0x75, 0x30])
  expect(pixelCount(png)).toBe(30_000 * 30_000)
  expect(pixelCount(bytes('GIF89a', [0x40, 0x01, 0xc8, 0x00]))).toBe(320 * 200)
  const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 200, 1, 0x40, 3])
  expect(pixelCount(jpeg)).toBe(320 * 200)
  const extended = bytes(
    'RIFF',
    [0, 0, 0, 0],
    'WEBPVP8X',
    [10, 0, 0, 0, 0, 0, 0, 0],
    [0x3f, 1, 0],
    [199, 0, 0],
  )
  expect(pixelCount(extended)).toBe(320 * 200)
  const lossless = bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8L', [9, 0, 0, 0, 0x2f], [0x3f, 0xc1, 0x31, 0])
  expect(pixelCount(lossless)).toBe(320 * 200)
  const lossy = bytes(
    'RIFF',
    [0, 0, 0, 0],
    'WEBPVP8 ',
    [9, 0, 0, 0, 1, 2, 3, 0x9d, 1, 0x2a],
    [0x40, 1, 200, 0],
  )
  expect(pixelCount(lossy)).toBe(320 * 200)
})

test('a truncated header has an unknown size', () => {
  expect(pixelCount(bytes('\u0089PNG'))).toBe(0)
  expect(pixelCount(bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4]))).toBe(0)
  expect(pixelCount(bytes('GIF89a'))).toBe(0)
  expect(pixelCount(bytes('<svg width="9" height="9"/>'))).toBe(0)
  expect(pixelCount(bytes())).toBe(0)
})
