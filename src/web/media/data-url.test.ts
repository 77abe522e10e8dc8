import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeMedia } from './data-url.ts'

test('bytes come back as they were, in either alphabet', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = Buffer.from(bytes).toString('base64')
      expect(decodeMedia(text, 'base64')).toEqual(bytes)
      expect(decodeMedia(Buffer.from(bytes).toString('base64url'), 'base64')).toEqual(bytes)
      expect(decodeMedia(`data:image/png;base64,${text}`, 'data url')).toEqual(bytes)
    }),
  )
})

test('text in an address is text', () => {
  const said = decodeMedia('data:image/svg+xml;charset=utf-8,%3Csvg%2F%3Eü', 'data url')
  expect(new TextDecoder().decode(said)).toBe('<svg/>ü')
})

test('what is no base64 is refused', () => {
  expect(() => decodeMedia('data:image/png;base64,<svg>', 'data url')).toThrow('no base64')
  expect(() => decodeMedia('data:image/png;base64,%%%', 'data url')).toThrow('no base64')
  expect(() => decodeMedia('http://example.invalid', 'data url')).toThrow('no data URL')
})
