import { expect, test } from 'vitest'
import { readExportCursor, writeExportCursor } from './export-cursor.ts'

test('a cursor is the key of a row, and only its last part may contain commas', () => {
  const text = '2026-01-01T00:00:00.000001Z,a,b,'
  expect(readExportCursor('calls', text)).toEqual([1_767_225_600_000_001n, 'a,b,'])
  expect(writeExportCursor(readExportCursor('calls', text)!)).toBe(text)
  expect(readExportCursor('objects', '2026-01-01,model,abc')).toEqual([
    1_767_225_600_000_000n,
    'model',
    'abc',
  ])
  expect(readExportCursor('tables', 'abc,12')).toEqual(['abc', 12])
})

test('invalid cursors are rejected', () => {
  for (const text of ['', 'x', 'yesterday,id', ',', '1767225600,id'])
    expect([text, readExportCursor('calls', text)]).toEqual([text, undefined])
  for (const text of ['abc', 'abc,', 'abc,-1', 'abc,1.5', 'abc,x', 'abc,99999999999'])
    expect([text, readExportCursor('files', text)]).toEqual([text, undefined])
})
