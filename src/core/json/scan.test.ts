import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../contract/api-error.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { readJson } from './read.ts'
import { MAX_DEPTH } from '../../contract/limits.ts'

const RAW = { kind: 'raw', nullable: false } as const
const VALUE = { kind: 'value' } as const

const VALID = [
  '0', '-0', '1', '-1', '10', '1.0', '1.50', '-0.0', '0e1', '0e+1', '1e5', '1E5', '1e-5', '1.5e+300', '1e400', '-1e-400',
  '123456789012345678901234567890', '20e1', '123.456e78', '[-0]', '[1e1,1E+2]', 'true', 'false', 'null', '""', '" "',
  '"a"', '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\u0000"', '"\\u00e9"', '"\\ud83d\\ude00"', '"\\ud800"', '"\\uDFAA"', '"é"',
  '"😀"', '"\u2028\u2029"', '"\u007f"', '"\uffff"', '"\\u0012"', '"/"', '"abcdefghijklmnop"', '[]', '{}', '[[]]', '[{}]',
  '{"":0}', '{"a":{}}', '{"a":[]}', '[1,2,3]', '[1 , 2\t,\n3\r]', ' {} ', '\n\t\r [] \n', '{"a":1,"a":2}', '{"a" : 1}',
  '{"__proto__":1}', '{"constructor":{"prototype":1}}', '{"\\u0061":1}', '[null,true,false,"x",1.5e3,{"k":[]}]',
  '["asd","\\\\"]', '{"a":"b","c":"d\\u0020"}', '[[[[[[[[[[]]]]]]]]]]', '[""]', '[" a"]', '"\\\\"', '"\\\\\\""',
] // prettier-ignore

const INVALID = [
  '', ' ', '\n', '\ufeff', '{', '}', '[', ']', '[[', ']]', '{]', '[}', '"', '"a', '"\\', '"\\"', '"\\u', '"\\u00', '"\\u00g0"',
  '"\\uD83"', '"\\x00"', '"\\a"', '"\\ "', '"\t"', '"\n"', '"\u0000"', '"\u001f"', "'a'", 'a', 'tru', 'truee', 'True', 'TRUE',
  'nul', 'nulll', 'fals', 'undefined', 'NaN', 'Infinity', '-Infinity', '+Infinity', '-', '+1', '01', '-01', '00', '1.', '.1',
  '-.1', '1.e1', '1e', '1e+', '1E-', '0x1', '0b1', '1_000', '1a', '1 2', '--1', '1..2', '1e1.5', '0e', '-a', '2.e-3', '１',
  '[1,]', '[,1]', '[1,,2]', '[1 2]', '[1', '[1,', '["a"', '[1]]', '[]1', '[1:2]', '["a":1]', '{"a"}', '{"a":}', '{"a":1',
  '{"a":1,}', '{,"a":1}', '{"a" 1}', '{"a"::1}', '{a:1}', '{1:1}', "{'a':1}", '{"a":1 "b":2}', '{"a":1,,"b":2}', '{"a":1}}',
  '{"a":1}x', '{}{}', '[][]', '[] []', '""""', 'null null', '/**/1', '1//', '[1]/**/', '#', '{"a":/*x*/1}', '\v1', '\f1',
  '\u00a01', '1\u0000', '[1]\u0000', '{"a":tru}', '[nul]', '[tru,1]', '[1,}', '{"a":1]', '[\u0000]', '{"x":-}', '[1e]', '\u20601',
  '{"a":"', '{"a":"b', '{"a', '{"', '["', '["\\', '[{', '[{"a":[', '{"a":[{"b":', '[-', '[0', '[t', '{"a":1,"', '[1,"',
] // prettier-ignore

const nonFiniteWords = /NaN|Infinity/

function accepts(text: string | Buffer, shape: typeof RAW | typeof VALUE): boolean {
  try {
    readJson(typeof text === 'string' ? Buffer.from(text) : text, shape)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return false
    throw error
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('valid JSON is accepted, anything else is rejected', () => {
  test.each(VALID)('accepted: %j', (text) => {
    expect(parses(text)).toBe(true)
    expect(accepts(text, RAW)).toBe(true)
    expect(accepts(text, VALUE)).toBe(true)
    expect((readJson(Buffer.from(`  ${text}\n`), RAW) as RawJson).text).toBe(text.trim())
  })

  test.each(INVALID)('rejected: %j', (text) => {
    if (text !== '\ufeff') expect(parses(text)).toBe(false)
    expect(accepts(text, VALUE)).toBe(false)
    if (!nonFiniteWords.test(text) || text.startsWith('+')) expect(accepts(text, RAW)).toBe(false)
  })

  test.each(VALID.filter((text) => text.length > 1))(
    'every prefix of %j is accepted exactly if JSON.parse accepts it',
    (text) => {
      for (let end = 0; end < text.length; end++) {
        const cut = text.slice(0, end)
        expect([cut, accepts(cut, RAW)]).toEqual([cut, parses(cut)])
      }
    },
  )
})

describe('properties', () => {
  test('any JSON value, in any spelling and at any memory alignment, is returned byte for byte', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), fc.nat(7), (value, indent, shift) => {
        const text = JSON.stringify(value, undefined, indent)
        const memory = Buffer.alloc(shift + Buffer.byteLength(text) + 5, 0x22)
        const length = memory.write(text, shift)
        const raw = readJson(memory.subarray(shift, shift + length), RAW) as RawJson
        expect(raw.text).toBe(text)
        expect(readJson(Buffer.from(text), VALUE)).toEqual(JSON.parse(text))
      }),
      { numRuns: 1_000 },
    )
  }, 30_000)

  test('a text is accepted exactly if JSON.parse accepts it', () => {
    const shards = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      'u',
      '0',
      '1',
      '-',
      '+',
      '.',
      'e',
      'E',
      'true',
      'null',
      ' ',
      '\n',
    ]
    const soup = fc.oneof(
      fc.array(fc.constantFrom(...shards), { maxLength: 12 }).map((parts) => parts.join('')),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc
        .tuple(fc.json(), fc.nat(), fc.constantFrom(...shards, '\u0000', '\t', 'é'), fc.boolean())
        .map(([text, seed, shard, insert]) => {
          const at = seed % (text.length + 1)
          return text.slice(0, at) + shard + text.slice(insert ? at : at + 1)
        })
        .filter((text) => Buffer.from(text).toString() === text),
    )
    fc.assert(
      fc.property(soup, (text) => {
        fc.pre(!nonFiniteWords.test(text))
        expect(accepts(text, RAW)).toBe(parses(text))
        expect(accepts(text, VALUE)).toBe(parses(text))
      }),
      { numRuns: 3_000 },
    )
  }, 30_000)

  test('a stop character is found at every position of a word, at every alignment', () => {
    for (let shift = 0; shift < 4; shift++) {
      for (let length = 0; length < 20; length++) {
        for (const stop of [
          '"',
          '\\n',
          '\u0001',
          '\u001f',
          ' ',
          '\u0080',
          'ÿ',
          '\u007f',
          '!',
          '#',
          '[',
          ']',
        ]) {
          const text = `${' '.repeat(shift)}"${'x'.repeat(length)}${stop}yyyyyyy"`
          expect([text, accepts(text, RAW)]).toEqual([text, parses(text)])
        }
      }
    }
  })
})

describe('depth', () => {
  const nested = (levels: number, open: string, close: string): Buffer =>
    Buffer.from(open.repeat(levels) + close.repeat(levels))

  test.each([
    ['arrays', '[', ']', '[1]'],
    ['objects', '{"a":', '}', '{"a":1}'],
  ])(`%s nested ${MAX_DEPTH} levels are taken, one more is too large`, (_name, open, close, core) => {
    const at = (levels: number): Buffer =>
      Buffer.from(open.repeat(levels - 1) + core + close.repeat(levels - 1))
    for (const shape of [RAW, VALUE]) {
      expect(() => readJson(at(MAX_DEPTH), shape)).not.toThrow()
      expect(() => readJson(at(MAX_DEPTH + 1), shape)).toThrow(expect.objectContaining({ code: 'too_large' }))
    }
  })

  test('a million open brackets are rejected without recursion', () => {
    expect(() => readJson(nested(1_000_000, '[', ''), RAW)).toThrow(
      expect.objectContaining({ code: 'too_large' }),
    )
  })
})
