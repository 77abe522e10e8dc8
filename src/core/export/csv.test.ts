import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { csvLine } from './csv.ts'

test('a cell that a spreadsheet would evaluate is escaped', () => {
  for (const begin of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
    expect(csvLine([`${begin}cmd|' /C calc'!A0`])).toBe(`"'${begin}cmd|' /C calc'!A0"\n`)
  }
  expect(csvLine([RawJson.fromText('-1'), ['=1']])).toBe(`"'-1","[""=1""]"\n`)
  expect(csvLine(['a=1', ' =1', '2026-01-01T00:00:00Z'])).toBe('"a=1"," =1","2026-01-01T00:00:00Z"\n')
})

test('numbers are not quoted, null is empty, an empty string is quoted', () => {
  expect(csvLine([-1, 1.5, 7n, true, null, undefined, ''])).toBe('-1,1.5,7,true,,,""\n')
})

test('quotes, commas and line breaks are escaped', () => {
  expect(csvLine(['a"b', 'c,d', 'e\nf'])).toBe('"a""b","c,d","e\nf"\n')
})

test('payloads keep their spelling', () => {
  expect(csvLine([RawJson.fromText('{"b":1.0,"a":12345678901234567890}')])).toBe(
    '"{""b"":1.0,""a"":12345678901234567890}"\n',
  )
})
