import { expect, test } from 'vitest'
import { downloadName } from './download-name.ts'
import { detectMediaType } from './media-type.ts'

const GIF = detectMediaType(Buffer.from('GIF89a'))

test.each([
  [undefined, 'file.bin'],
  ['', 'file.bin'],
  ['table.csv', 'table.csv'],
  ['../../.bashrc', 'bashrc'],
  [String.raw`C:\temp\a.txt`, 'a.txt'],
  ['a\u202Egnp.exe', 'a_gnp.exe'],
  ['Zürich (2).pdf', 'Zürich (2).pdf'],
])('%j is saved as %s', (name, saved) => {
  expect(downloadName(name, undefined)).toBe(saved)
})

test('a known type gets its own extension', () => {
  expect(downloadName('picture.exe', GIF)).toBe('picture.gif')
  expect(downloadName(undefined, GIF)).toBe('image.gif')
})
