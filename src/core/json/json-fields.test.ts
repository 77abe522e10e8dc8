import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  extractFields,
  encodePath,
  type JsonField,
  SUBTREE_NOT_EXTRACTED,
  VALUE_NOT_EXTRACTED,
} from './json-fields.ts'

function extracted(text: string, isAsSent = true): Record<string, string> {
  const fields: JsonField[] = []
  extractFields(fields, 'inputs', Buffer.from(text), isAsSent)
  return Object.fromEntries(fields.map(({ path, value }) => [path, value]))
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
  expect(extracted('{"a":1}', false)).toEqual({ inputs: SUBTREE_NOT_EXTRACTED })
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
