import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeJson } from '../core/json/write.ts'
import { parseJsonText } from './json-text.ts'

test('JSON in a string is written as it was read', () => {
  for (const text of [
    '1.0',
    '-0',
    '1e3',
    '12345678901234567890',
    '0.10',
    '"1.0"',
    '{"a":[1.0,"\\"1.0",{"b":-0.0}]}',
    '["#1.0",2.0]',
  ])
    expect(writeJson(parseJsonText(text))).toBe(text)
})

test('any JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      expect(JSON.parse(writeJson(parseJsonText(text)))).toEqual(JSON.parse(text))
    }),
  )
})

test('NaN and Infinity are null', () => {
  expect(parseJsonText('[NaN, -Infinity, "NaN"]')).toEqual([null, null, 'NaN'])
})

test('other text is not read', () => {
  for (const text of ['', '{', '[1.0', 'Infinite', '-', '"', '01.0', '[1.]'])
    expect(parseJsonText(text)).toBeUndefined()
  expect(parseJsonText('['.repeat(1000) + ']'.repeat(1000))).toBeUndefined()
})
