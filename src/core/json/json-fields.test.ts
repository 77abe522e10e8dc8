import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addLeaves, encodePath, type Leaf, LOOK_BELOW, LOOK_HERE } from './json-fields.ts'

function leavesOf(text: string, isAsSent = true): Record<string, string> {
  const leaves: Leaf[] = []
  addLeaves(leaves, 'inputs', Buffer.from(text), isAsSent)
  return Object.fromEntries(leaves.map(({ path, value }) => [path, value]))
}

test('short scalars are pulled out as the text that queries compare', () => {
  expect(
    leavesOf('{"model":"gpt-4o","temperature":0.70,"n":5.0,"stream":true,"stop":null,"name":""}'),
  ).toEqual({
    inputs: LOOK_HERE,
    'inputs.model': '=gpt-4o',
    'inputs.temperature': '=0.7',
    'inputs.n': '=5',
    'inputs.stream': '=true',
    'inputs.name': '=',
  })
})

test('what is not pulled out leaves a mark', () => {
  expect(
    leavesOf(`{"messages":[1],"a":{"b":{}},"long":"${'x'.repeat(300)}","big":1e300,"small":0.00001}`),
  ).toEqual({
    inputs: LOOK_HERE,
    'inputs.messages': LOOK_BELOW,
    'inputs.a': LOOK_HERE,
    'inputs.a.b': LOOK_HERE,
    'inputs.long': LOOK_HERE,
    'inputs.big': LOOK_HERE,
    'inputs.small': LOOK_HERE,
  })
})

test('too much, too deep or odd documents are marked as a whole or from there', () => {
  const many = `{${Array.from({ length: 100 }, (_, i) => `"k${i}":${i}`).join(',')}}`
  expect(leavesOf(many)).toEqual({ inputs: LOOK_BELOW })
  expect(leavesOf('{"a":1}', false)).toEqual({ inputs: LOOK_BELOW })
  expect(leavesOf('{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}')['inputs.a.a.a.a.a.a']).toBe(LOOK_BELOW)
})

test('of a key that stands twice the first counts, with all that is below it', () => {
  expect(leavesOf('{"a":1,"a":{"b":2},"c":3}')).toEqual({
    inputs: LOOK_HERE,
    'inputs.a': '=1',
    'inputs.c': '=3',
  })
})

test('dots in keys are not steps, and a text that looks like a mark is not one', () => {
  expect(leavesOf('{"a.b":"x","a":{"b":"y"},"m":"*"}')).toEqual({
    inputs: LOOK_HERE,
    'inputs.a%2eb': '=x',
    'inputs.a': LOOK_HERE,
    'inputs.a.b': '=y',
    'inputs.m': '=*',
  })
})

test('every place of a document is pulled out, marked, or below a mark', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.boolean(), (value, isSpaced) => {
      const found = leavesOf(JSON.stringify(value, null, isSpaced ? 2 : undefined))
      for (const [parts, there] of places(value, ['inputs'])) {
        const own = found[encodePath(parts)]
        const isBelow = parts.some((_, n) => found[encodePath(parts.slice(0, n + 1))] === LOOK_BELOW)
        if (isBelow) continue
        if (there === null) expect(own).toBeUndefined()
        else if (typeof there === 'object') expect(own).toBe(LOOK_HERE)
        else if (own !== LOOK_HERE) expect(own).toBe(`=${String(there as string | number | boolean)}`)
      }
    }),
    { numRuns: 500 },
  )
})

function* places(value: unknown, at: string[]): Generator<[string[], unknown]> {
  yield [at, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, below] of Object.entries(value)) yield* places(below, [...at, key])
}
