import { expect, test } from 'vitest'
import { detectMediaType } from './media-type.ts'

function typeOf(...parts: readonly (string | readonly number[])[]): string | undefined {
  const bytes = parts.flatMap((part) =>
    typeof part === 'string' ? Array.from(part, (character) => character.charCodeAt(0)) : [...part],
  )
  return detectMediaType(Uint8Array.from([...bytes, ...Array<number>(64).fill(0)]))?.type
}

test('images and audio are detected by their bytes', () => {
  expect(typeOf([0x89], 'PNG\r\n', [0x1a], '\n')).toBe('image/png')
  expect(typeOf([0xff, 0xd8, 0xff, 0xe0])).toBe('image/jpeg')
  expect(typeOf('GIF89a')).toBe('image/gif')
  expect(typeOf('RIFF', [1, 2, 3, 4], 'WEBPVP8 ')).toBe('image/webp')
  expect(typeOf([0, 0, 0, 32], 'ftypavif')).toBe('image/avif')
  expect(typeOf('RIFF', [1, 2, 3, 4], 'WAVEfmt ')).toBe('audio/wav')
  expect(typeOf('ID3', [3])).toBe('audio/mpeg')
  expect(typeOf([0xff, 0xfb, 0x90, 0x64])).toBe('audio/mpeg')
  expect(typeOf('OggS')).toBe('audio/ogg')
  expect(typeOf([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84], 'webm')).toBe('audio/webm')
})

test.each([
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">'],
  ['SVG after its declaration', '<?xml version="1.0"?><svg/>'],
  ['HTML', '<!doctype html><script>alert(1)</script>'],
  ['PDF', '%PDF-1.7'],
  ['another RIFF', 'RIFF1234AVI LIST'],
  ['half a PNG', '\u0089PNG'],
  ['MP4', '\u0000\u0000\u0000\u0020ftypisom'],
  ['Matroska', '\u001A\u0045\u00DF\u00A3\u0042\u0082\u0088matroska'],
  ['UTF-16', '\u00FF\u00FEa\u0000'],
  ['nothing', ''],
])('%s is never rendered', (_, start) => {
  expect(typeOf(start)).toBeUndefined()
})
