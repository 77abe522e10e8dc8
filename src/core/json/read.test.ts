import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { RawJson, rawJson, rawObject } from '../../contract/raw-json.ts'
import { readJson } from './read.ts'
import { MAX_ITEMS } from '../../contract/limits.ts'
import { shapeOf } from './shape.ts'
import { writeJson } from './write.ts'

function read(text: string | Buffer, schema: z.ZodType): unknown {
  return readJson(typeof text === 'string' ? Buffer.from(text) : text, shapeOf(schema))
}

function rawText(value: unknown): string {
  expect(value).toBeInstanceOf(RawJson)
  return (value as RawJson).text
}

const payload = z.object({ p: rawJson })

describe('payloads keep their bytes', () => {
  test.each(['1.0', '-0', '1e400', '123456789012345678901234567890', '0.1000', '"\\ud800"', '"\\u0000é😀"', '{"b":1,"a":2.50}',
    '{ "a" : [ 1.0 , 2 ] }', '{"a":1,"a":2}', '{"__proto__":{"x":1}}'])('%s', (text) => {
    expect(rawText((read(`{"p": ${text} }`, payload) as { p: unknown }).p)).toBe(text)
    expect(writeJson(read(`{"p":${text}}`, payload))).toBe(`{"p":${text}}`)
  }) // prettier-ignore
})

describe('NaN and Infinity, which Python writes', () => {
  test.each([
    ['NaN', 'null'],
    ['Infinity', 'null'],
    ['-Infinity', 'null'],
    ['[NaN, 1.0, -Infinity]', '[null, 1.0, null]'],
    ['{"NaN": NaN, "a": "NaN", "b": [Infinity]}', '{"NaN": null, "a": "NaN", "b": [null]}'],
  ])('%s becomes %s inside a payload', (sent, kept) => {
    const document = read(
      ` {"first": NaN1, "p": ${sent}, "q": {"x": 1.0}}`.replace('"first": NaN1, ', ''),
      payload,
    )
    expect(rawText((document as { p: unknown }).p)).toBe(kept)
  })

  test('the non-finite numbers of two payloads are kept apart', () => {
    const two = read(
      '{"a":[NaN],"b":[2.0],"c":{"x":-Infinity,"y":1}}',
      z.object({ a: rawJson, b: rawJson, c: rawObject }),
    )
    expect(writeJson(two)).toBe('{"a":[null],"b":[2.0],"c":{"x":null,"y":1}}')
  })

  test.each(['{"n":NaN}', '{"unknown":NaN}', '{"p":nan}', '{"p":Inf}', '{"p":-Inf}', '{"p":+Infinity}', '{"p":NaN1}', '{"p":-NaN}',
    '{"p":Infinit'])('%s is rejected', (text) => {
    expect(() => read(text, z.object({ p: rawJson.nullish(), n: z.number().nullish() }))).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    )
  }) // prettier-ignore
})

describe('shapes', () => {
  test('unknown keys are validated and skipped', () => {
    expect(read('{"x":[{"y":1}],"a":"1","z":null}', z.object({ a: z.string() }))).toEqual({ a: '1' })
    expect(() => read('{"x":[{"y":1}},"a":"1"}', z.object({ a: z.string() }))).toThrow(/not valid JSON/)
  })

  test('the last of a repeated key wins', () => {
    expect(read('{"a":1,"b":0,"a":2,"\\u0061":3}', z.object({ a: z.number(), b: z.number() }))).toEqual({
      a: 3,
      b: 0,
    })
  })

  test('a lone surrogate becomes U+FFFD in a string field and is kept in a payload', () => {
    const both = read('{"a":"x\\ud800y","p":"x\\ud800y"}', z.object({ a: z.string(), p: rawJson })) as {
      a: string
      p: unknown
    }
    expect(both.a).toBe('x\ufffdy')
    expect(rawText(both.p)).toBe('"x\\ud800y"')
    expect(read('{"a":"\\ud83d\\ude00"}', z.object({ a: z.string() }))).toEqual({ a: '😀' })
  })

  test('keys with the same fingerprint are distinguished', () => {
    const alike = z.object({ abc: z.string(), axc: z.string(), é: z.string(), '': z.string() })
    expect(read('{"axc":"x","abc":"b","ayc":"y","é":"e","":"0"}', alike)).toEqual({
      abc: 'b',
      axc: 'x',
      é: 'e',
      '': '0',
    })
  })

  test('a null is null where a payload is optional, elsewhere it is a payload', () => {
    const both = z.object({ a: rawObject.nullish(), b: rawJson })
    expect(both.parse(read('{"a":null,"b":null}', both))).toMatchObject({ a: null })
    expect(rawText((read('{"a":null,"b":null}', both) as { b: unknown }).b)).toBe('null')
  })

  test('described and refined payload schemas are still payloads', () => {
    expect(rawText(read('1.0', rawJson.describe('x')))).toBe('1.0')
    expect(rawText(read('{"a":1.0}', rawObject.refine(() => true).optional()))).toBe('{"a":1.0}')
  })

  test('client-chosen keys never reach a prototype', () => {
    const record = z.object({ r: z.record(z.string(), rawJson) })
    const { r } = read(
      '{"r":{"__proto__":{"polluted":1},"constructor":2,"toString":3},"__proto__":{"polluted":1}}',
      record,
    ) as {
      r: Record<string, unknown>
    }
    expect(Object.getPrototypeOf(r)).toBe(null)
    expect(Object.keys(r)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('all fields of either member of a union are read', () => {
    const item = z.union([
      z.object({ mode: z.literal('start'), req: z.object({ start: z.object({ inputs: rawObject }) }) }),
      z.object({ mode: z.literal('end'), req: z.object({ end: z.object({ output: rawJson.nullish() }) }) }),
    ])
    const text =
      '[{"mode":"start","req":{"start":{"inputs":{"a":1.0}}}},{"mode":"end","req":{"end":{"output":2.0}}}]'
    expect(writeJson(z.array(item).parse(read(text, z.array(item))))).toBe(text)
  })

  test('a container in place of a scalar is rejected by the schema and never built', () => {
    const schema = z.object({ a: z.string(), b: z.array(z.string()), c: z.object({ d: z.int() }) })
    expect(read(`{"a":[${'1,'.repeat(1000)}1],"b":{"x":1},"c":[1]}`, schema)).toEqual({ a: [], b: {}, c: [] })
  })

  test('a union of containers is read as a plain value', () => {
    const schema = z.union([z.array(z.string()), z.object({ a: z.string() }), z.string()])
    for (const text of ['["a"]', '{"a":"b"}', '"x"'])
      expect(schema.parse(read(text, schema))).toEqual(JSON.parse(text))
  })

  test('an array beyond the item limit is too large', () => {
    const schema = z.array(z.object({}))
    expect(read(`[${'{},'.repeat(MAX_ITEMS - 1)}{}]`, schema)).toHaveLength(MAX_ITEMS)
    expect(() => read(`[${'{},'.repeat(MAX_ITEMS)}{}]`, schema)).toThrow(
      expect.objectContaining({ code: 'too_large' }),
    )
  })
})

describe('bytes that are not JSON', () => {
  const bytes = (...all: number[]): Buffer => Buffer.from(all)
  test.each([
    ['invalid UTF-8 in a string', bytes(0x22, 0xff, 0x22)],
    ['a cut UTF-8 sequence', bytes(0x22, 0xe2, 0x82, 0x22)],
    ['an overlong slash', bytes(0x22, 0xc0, 0xaf, 0x22)],
    ['a UTF-8 surrogate', bytes(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ['UTF-16 with a mark', Buffer.from('\ufeff{"a":1}', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le')],
    ['big-endian UTF-16', Buffer.from('{"a":1}', 'utf16le').swap16()],
    ['two byte order marks', Buffer.from('\ufeff\ufeff{}')],
    ['a mark in the middle', Buffer.from('{\ufeff}')],
    ['a NUL', bytes(0x7b, 0x00, 0x7d)],
  ])('%s is rejected', (_name, body) => {
    expect(() => readJson(body, shapeOf(rawJson))).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    )
  })

  test.each<[string, Buffer, string]>([
    ['UTF-8', Buffer.concat([Buffer.from('{"é🎉":"'), bytes(0xff), Buffer.from('"}')]), 'UTF-8 at byte 11'],
    ['UTF-8 after a mark', Buffer.concat([Buffer.from('\ufeff"'), bytes(0xe2, 0x82)]), 'UTF-8 at byte 4'],
    ['text after the document', Buffer.from('"é" x'), 'document at byte 5'],
    ['text after a document with a mark', Buffer.from('\ufeff{} x'), 'document at byte 6'],
  ])('the message names the position: %s', (_name, body, message) => {
    expect(() => readJson(body, shapeOf(rawJson))).toThrow(message)
  })

  test('one byte order mark is skipped', () => {
    expect(rawText(read(Buffer.from('\ufeff{"a":1.0}'), rawJson))).toBe('{"a":1.0}')
  })
})
