import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RawJson } from '../contract/raw-json.ts'
import { quote, quoteKey, writeTexts } from './write.ts'

const UNITS = [
  'a',
  ' ',
  'é',
  '€',
  '"',
  '\\',
  '\n',
  '\r',
  '\t',
  '\u0000',
  '\u001f',
  '\u007f',
  '\u2028',
  '😀',
  '\ud800',
  '\udc00',
]

test('long texts are quoted as JSON.stringify quotes them', () => {
  const pieces = fc.array(fc.oneof(fc.constantFrom(...UNITS), fc.constant('lorem ipsum '.repeat(10))), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(pieces, (list) => {
      const text = list.join('')
      expect(quote(text)).toBe(JSON.stringify(text))
    }),
  )
})

test('every character to escape is escaped within a long text', () => {
  const long = 'x'.repeat(100)
  for (let unit = 0; unit < 0x3000; unit++) {
    const text = `${long}${String.fromCharCode(unit)}${long}`
    if (quote(text) !== JSON.stringify(text)) expect.unreachable(`unit ${unit.toString(16)}`)
  }
})

test('any JSON is written as JSON.stringify writes it', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => writeTexts(value as never) === JSON.stringify(value)))
  expect(writeTexts({ a: undefined, b: RawJson.fromText('1.0'), c: [2n] })).toBe('{"b":1.0,"c":[2]}')
})

test('keys are quoted alike each time', () => {
  for (const key of ['a', 'a"b', 'k'.repeat(200), 'a"b']) expect(quoteKey(key)).toBe(JSON.stringify(key))
})
