import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { csvLine } from './csv.ts'

test('a cell that a spreadsheet would run is text', () => {
  for (const begin of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
    expect(csvLine([`${begin}cmd|' /C calc'!A0`])).toBe(`"'${begin}cmd|' /C calc'!A0"\n`)
  }
  expect(csvLine([RawJson.fromText('-1'), ['=1']])).toBe(`"'-1","[""=1""]"\n`)
  expect(csvLine(['a=1', ' =1', '2026-01-01T00:00:00Z'])).toBe('"a=1"," =1","2026-01-01T00:00:00Z"\n')
})

test('numbers are no text, null is nothing and an empty text is one', () => {
  expect(csvLine([-1, 1.5, 7n, true, null, undefined, ''])).toBe('-1,1.5,7,true,,,""\n')
})

test('quotes, commas and line ends stay inside their cell', () => {
  expect(csvLine(['a"b', 'c,d', 'e\nf'])).toBe('"a""b","c,d","e\nf"\n')
})

test('payloads are spelled as they were sent', () => {
  expect(csvLine([RawJson.fromText('{"b":1.0,"a":12345678901234567890}')])).toBe(
    '"{""b"":1.0,""a"":12345678901234567890}"\n',
  )
})
