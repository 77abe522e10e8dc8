import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomFrom } from '../../../../bench/ingest/calls.ts'
import { extractFields } from '../../../../test/reference/extract-fields.ts'
import { randomJson } from '../../../../test/reference/random-json.ts'
import {
  encodePath,
  type JsonField,
  SUBTREE_NOT_EXTRACTED,
  VALUE_NOT_EXTRACTED,
} from '../../../core/json/json-fields.ts'
import { RowReader, RowWriter } from '../../database/row-binary.ts'
import { FieldEncoder } from './field-encoder.ts'

const encoder = new FieldEncoder(new Set(['inputs.model', 'inputs.user.id', 'output.a']))

function column(documents: Readonly<Record<string, Buffer>>, isNormalized = false): Buffer {
  encoder.begin()
  for (const [root, document] of Object.entries(documents)) encoder.add(root, { document, isNormalized })
  return encoder.column()
}

function extracted(text: string, isNormalized = false): Record<string, string> {
  const bytes = column({ inputs: Buffer.from(text) }, isNormalized)
  const reader = new RowReader(bytes)
  const fields: [string, string][] = []
  for (let n = reader.varint(); n > 0; n--)
    fields.push([reader.bytes().toString(), reader.bytes().toString()])
  expect(reader.offset).toBe(bytes.length)
  return Object.fromEntries(fields)
}

test('short scalars are extracted as the text that queries compare', () => {
  expect(
    extracted('{"model":"gpt-4o","temperature":0.70,"n":5.0,"stream":true,"stop":null,"name":""}'),
  ).toEqual({
    inputs: VALUE_NOT_EXTRACTED,
    'inputs.model': '=gpt-4o',
    'inputs.temperature': '=0.7',
    'inputs.n': '=5',
    'inputs.stream': '=true',
    'inputs.name': '=',
  })
})

test('a value that is not extracted leaves a marker', () => {
  expect(
    extracted(`{"messages":[1],"a":{"b":{}},"long":"${'x'.repeat(300)}","big":1e300,"small":0.00001}`),
  ).toEqual({
    inputs: VALUE_NOT_EXTRACTED,
    'inputs.messages': SUBTREE_NOT_EXTRACTED,
    'inputs.a': VALUE_NOT_EXTRACTED,
    'inputs.a.b': VALUE_NOT_EXTRACTED,
    'inputs.long': VALUE_NOT_EXTRACTED,
    'inputs.big': VALUE_NOT_EXTRACTED,
    'inputs.small': VALUE_NOT_EXTRACTED,
  })
})

test('documents with too many fields, too deep or normalized are marked as not extracted', () => {
  const many = `{${Array.from({ length: 100 }, (_, i) => `"k${i}":${i}`).join(',')}}`
  expect(extracted(many)).toEqual({ inputs: SUBTREE_NOT_EXTRACTED })
  expect(extracted('{"a":1}', true)).toEqual({ inputs: SUBTREE_NOT_EXTRACTED })
  expect(extracted('{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}')['inputs.a.a.a.a.a.a']).toBe(
    SUBTREE_NOT_EXTRACTED,
  )
})

test('the first of a repeated key wins, with everything below it', () => {
  expect(extracted('{"a":1,"a":{"b":2},"c":3}')).toEqual({
    inputs: VALUE_NOT_EXTRACTED,
    'inputs.a': '=1',
    'inputs.c': '=3',
  })
})

test('dots in keys are encoded, and a value that looks like a marker is not one', () => {
  expect(extracted('{"a.b":"x","a":{"b":"y"},"m":"*"}')).toEqual({
    inputs: VALUE_NOT_EXTRACTED,
    'inputs.a%2eb': '=x',
    'inputs.a': VALUE_NOT_EXTRACTED,
    'inputs.a.b': '=y',
    'inputs.m': '=*',
  })
})

test('every path of a document is extracted, marked, or below a marker', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.boolean(), (value, isSpaced) => {
      const found = extracted(JSON.stringify(value, null, isSpaced ? 2 : undefined))
      for (const [parts, expected] of paths(value, ['inputs'])) {
        const own = found[encodePath(parts)]
        const isBelow = parts.some(
          (_, n) => found[encodePath(parts.slice(0, n + 1))] === SUBTREE_NOT_EXTRACTED,
        )
        if (isBelow) continue
        if (expected === null) expect(own).toBeUndefined()
        else if (typeof expected === 'object') expect(own).toBe(VALUE_NOT_EXTRACTED)
        else if (own !== VALUE_NOT_EXTRACTED)
          expect(own).toBe(`=${String(expected as string | number | boolean)}`)
      }
    }),
    { numRuns: 500 },
  )
})

function* paths(value: unknown, at: string[]): Generator<[string[], unknown]> {
  yield [at, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, below] of Object.entries(value)) yield* paths(below, [...at, key])
}

/** 10,000,000 in `npm run test:long`. */
const DOCUMENTS = Number(process.env['HEDDLE_TEST_DOCUMENTS'] ?? 20_000)
const ROOTS = ['attributes', 'inputs', 'output', 'summary']

test(`the column has the bytes of the reference for ${DOCUMENTS} random documents`, () => {
  const random = randomFrom(Number(process.env['HEDDLE_TEST_SEED'] ?? 1))
  for (let n = 0; n < DOCUMENTS; n += ROOTS.length) {
    const texts = ROOTS.map(() => randomJson(random))
    const documents = Object.fromEntries(ROOTS.map((root, i) => [root, Buffer.from(texts[i] ?? '')]))
    const fields: JsonField[] = []
    for (const [root, document] of Object.entries(documents)) extractFields(fields, root, document, true)
    const expected = new RowWriter()
    expected.varint(fields.length)
    for (const { path, value } of fields) expected.string(path).string(value)
    if (!column(documents).equals(expected.take())) expect.fail(`document ${n}: ${texts.join(' ')}`)
  }
}, 7_200_000)

test('the values of asked paths are returned besides, after the root', () => {
  encoder.begin()
  const document = Buffer.from('{"x":1,"model":"gpt-4o","user":{"id":7,"name":"n"},"more":{"model":"no"}}')
  expect(encoder.add('inputs', { document, isNormalized: false })).toEqual([
    { path: 'inputs', value: VALUE_NOT_EXTRACTED },
    { path: 'inputs.model', value: '=gpt-4o' },
    { path: 'inputs.user.id', value: '=7' },
  ])
  expect(encoder.add('inputs', { document, isNormalized: true })).toEqual([
    { path: 'inputs', value: SUBTREE_NOT_EXTRACTED },
  ])
})

test('a document that was not validated fails instead of being read forever', () => {
  for (const text of [
    '{',
    '{"a',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":[',
    '{"a":["',
    '{"a":{"b":"c',
    '["x',
    '"x',
    '{"a":"x\\"',
  ])
    expect(() => column({ inputs: Buffer.from(text) }), text).toThrow('ends too early')
})

test('keys that never repeat do not fill the memory', () => {
  let most = 0
  for (let n = 0; n < 20_000; n++) {
    column({ inputs: Buffer.from(`{"key-${n}":null,"nested":{"${n}":1}}`) })
    most = Math.max(most, encoder.pathCount)
  }
  expect(most).toBeGreaterThan(1_000)
  expect(most).toBeLessThan(10_000)
})
