import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { KeyRedactor } from './key-redactor.ts'

const isSecret = (key: string): boolean => key === 'secret'

function redact(text: string): string {
  return new KeyRedactor(isSecret).redact(RawJson.fromBytes(Buffer.from(text))).text
}

test.each([
  ['{"secret":"x"}', '{"secret":"REDACTED"}'],
  ['{ "n": 1.0, "secret" :\n "x\\"y" , "é": 1e2 }', '{ "n": 1.0, "secret" :\n "REDACTED" , "é": 1e2 }'],
  ['[{"a":{"secret":"x"}},{"secret":"y"}]', '[{"a":{"secret":"REDACTED"}},{"secret":"REDACTED"}]'],
  [String.raw`{"s\u0065cret":"x"}`, String.raw`{"s\u0065cret":"REDACTED"}`],
  ['{"secret":["x", 1, "y"],"z":"x"}', '{"secret":["REDACTED", 1, "REDACTED"],"z":"x"}'],
  ['{"secret":["x",["y"],{"a":"x"},"z"]}', '{"secret":["REDACTED",["REDACTED"],{"a":"x"},"REDACTED"]}'],
])('strings under a key are replaced, and nothing else: %s', (text, expected) => {
  expect(redact(text)).toBe(expected)
})

test.each([
  '{"secret":""}',
  '{"secret":"REDACTED"}',
  '{"secret":1}',
  '{"secret":null}',
  '{"secret":{"type":"string"}}',
  '{"secret":[],"a":["b"]}',
  '["secret","x"]',
  '"secret"',
  '{"a":"secret"}',
  '{"a":"{\\"secret\\":\\"x\\"}"}',
])('everything else is the same document: %s', (text) => {
  const redactor = new KeyRedactor(isSecret)
  const document = RawJson.fromBytes(Buffer.from(text))
  expect(redactor.redact(document)).toBe(document)
  expect(redactor.replaced).toBe(0)
})

test('with a member, only keys within the objects of this name count', () => {
  const text =
    '{"secret":"x","span":{"a":{"b":{"secret":"x"},"secret":["x"]},"secret":"x"},"list":[{"a":{"secret":"x"}}],"a":"b"}'
  const redacted = new KeyRedactor(isSecret).redact(RawJson.fromText(text), 'a')
  expect(redacted.text).toBe(
    '{"secret":"x","span":{"a":{"b":{"secret":"REDACTED"},"secret":["REDACTED"]},"secret":"x"},"list":[{"a":{"secret":"REDACTED"}}],"a":"b"}',
  )
})

test('with a member, texts that are JSON are searched too', () => {
  const redactor = new KeyRedactor(isSecret)
  const inner = JSON.stringify({ n: 1, secret: 'x', list: [{ secret: 'y' }] })
  const document = (text: string): RawJson => RawJson.fromValue({ b: inner, a: { b: text, c: [text] } })
  const expected = JSON.stringify({ n: 1, secret: 'REDACTED', list: [{ secret: 'REDACTED' }] })
  expect(redactor.redact(document(inner), 'a').text).toBe(document(expected).text)
  expect(redactor.replaced).toBe(4)
  for (const text of [`${inner} `.slice(1), '{', '[secret]', expected]) {
    const same = document(text)
    expect(redactor.redact(same, 'a')).toBe(same)
  }
})

test('any document reads as if its strings had been replaced after parsing; again nothing changes', () => {
  const key = fc.constantFrom('secret', 'a', '"', ':', '\u2028', 'secrets')
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>('', 'x', 'secret', '":"', '\\', 1.5, true, null),
      fc.array(tie('tree')),
      fc.dictionary(key, tie('tree')),
    ),
  }))
  const expected = (value: unknown, isReplaced: boolean): unknown => {
    if (typeof value === 'string') return isReplaced && value !== '' ? 'REDACTED' : value
    if (Array.isArray(value)) return value.map((item) => expected(item, isReplaced))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, expected(item, isSecret(name))]),
    )
  }
  fc.assert(
    fc.property(tree, fc.constantFrom(undefined, 2), (value, spaces) => {
      const redacted = redact(JSON.stringify(value, null, spaces))
      expect(redacted).toBe(JSON.stringify(expected(JSON.parse(JSON.stringify(value)), false), null, spaces))
      expect(redact(redacted)).toBe(redacted)
    }),
  )
})
