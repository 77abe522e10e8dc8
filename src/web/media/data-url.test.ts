import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeMedia } from './data-url.ts'

test('bytes are decoded from both base64 alphabets', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = Buffer.from(bytes).toString('base64')
      expect(decodeMedia(text, 'base64')).toEqual(bytes)
      expect(decodeMedia(Buffer.from(bytes).toString('base64url'), 'base64')).toEqual(bytes)
      expect(decodeMedia(`data:image/png;base64,${text}`, 'data url')).toEqual(bytes)
    }),
  )
})

test('a data URL can contain plain text', () => {
  const decoded = decodeMedia('data:image/svg+xml;charset=utf-8,%3Csvg%2F%3Eü', 'data url')
  expect(new TextDecoder().decode(decoded)).toBe('<svg/>ü')
})

test('invalid base64 is rejected', () => {
  expect(() => decodeMedia('data:image/png;base64,<svg>', 'data url')).toThrow('not valid base64')
  expect(() => decodeMedia('data:image/png;base64,%%%', 'data url')).toThrow('not valid base64')
  expect(() => decodeMedia('http://example.invalid', 'data url')).toThrow('not a data URL')
})
