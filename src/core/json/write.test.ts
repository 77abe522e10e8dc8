import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { writeJson } from './write.ts'

test('values without payloads are written as JSON.stringify writes them', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => writeJson(value) === JSON.stringify(value)))
})

test('every code unit is written as JSON.stringify writes it, alone and inside a string', () => {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const text = String.fromCharCode(unit)
    if (writeJson(text) !== JSON.stringify(text)) expect.unreachable(`unit ${unit.toString(16)}`)
    if (writeJson({ [`a${text}b`]: text }) !== JSON.stringify({ [`a${text}b`]: text }))
      expect.unreachable(`within, ${unit.toString(16)}`)
  }
})

test('undefined members are omitted, undefined items are null', () => {
  expect(writeJson({ a: undefined, b: [undefined, null] })).toBe('{"b":[null,null]}')
})

test('payloads are written byte for byte', () => {
  expect(writeJson({ a: RawJson.fromText('1.0'), b: [RawJson.fromBytes(Buffer.from('{"x": 1e400}'))] })).toBe(
    '{"a":1.0,"b":[{"x": 1e400}]}',
  )
})

test('non-finite numbers are null, integers beyond 2^53 keep their digits', () => {
  expect(writeJson([Number.NaN, Number.POSITIVE_INFINITY, 9007199254740993n])).toBe(
    '[null,null,9007199254740993]',
  )
})

test('a key named __proto__ is written like any other', () => {
  const object = Object.create(null) as Record<string, unknown>
  object['__proto__'] = 1
  expect(writeJson(object)).toBe('{"__proto__":1}')
})
