import { expect, test } from 'vitest'
import { downloadName } from './download-name.ts'
import { mediaTypeOf } from './media-type.ts'

const GIF = mediaTypeOf(Buffer.from('GIF89a'))

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

test('what is known has the ending of what it is', () => {
  expect(downloadName('picture.exe', GIF)).toBe('picture.gif')
  expect(downloadName(undefined, GIF)).toBe('image.gif')
})
