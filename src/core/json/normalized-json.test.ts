import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizedJson } from './normalized-json.ts'

function normalized(text: string): string | undefined {
  return normalizedJson(Buffer.from(text))?.toString()
}

test.each([
  '{}',
  '"plain"',
  '{"a":9223372036854775807,"b":-9223372036854775808,"c":18446744073709551615}',
  '{"ns":1700000000000000000,"f":123456789012345678901234567890.5}',
  '{"a":1.7976931348623157e308,"b":1e-400,"c":0e999,"d":1e99}',
  '{"id":"123456789012345678901234567890","hex":"1e999","minus":"-9999999999999999999"}',
  '{"a":"\\ud83d\\ude00 \\u00e9 \\\\ud800"}',
])('%s needs no normalization', (text) => {
  expect(normalized(text)).toBeUndefined()
})

test.each([
  ['{"a":18446744073709551616}', '{"a":"18446744073709551616"}'],
  ['[-9223372036854775809,1]', '["-9223372036854775809",1]'],
  ['123456789012345678901234567890', '"123456789012345678901234567890"'],
  ['[1e400, -1E+400,0.1e310]', '["1e400", "-1E+400","0.1e310"]'],
  ['{"\\ud800":"x\\udc00y\\uD83D\\uDE00","n":1.0}', '{"\\ufffd":"x\\ufffdy\\uD83D\\uDE00","n":1.0}'],
  ['"\\\\uabc\\ud800"', '"\\\\uabc\\ufffd"'],
  ['"\\ud800\\ud83d\\ude00"', '"\\ufffd\\ud83d\\ude00"'],
])('%s is normalized to %s', (text, expected) => {
  expect(normalized(text)).toBe(expected)
})

test('an oversized number is found at any position', () => {
  const odd = fc.constantFrom('18446744073709551616', '-9223372036854775809', '1e400', '-2.5E+0999', '12e309')
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { maxLength: 5 }),
      odd,
      fc.nat(9),
      (values, number, spaces) => {
        const before = values.map((value) => JSON.stringify(value))
        const text = `[${' '.repeat(spaces)}${[...before, number].join(',')}]`
        expect(normalized(text)).toBe(`[${' '.repeat(spaces)}${[...before, `"${number}"`].join(',')}]`)
      },
    ),
  )
})
