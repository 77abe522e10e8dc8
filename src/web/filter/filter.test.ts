import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Filter, Value } from './ast.ts'
import { fromQuery } from './from-query.ts'
import { expectedAt, parseFilter } from './parse.ts'
import { printFilter } from './print.ts'
import { toQuery } from './to-query.ts'

function parsed(text: string): Filter | undefined {
  const result = parseFilter(text)
  if (!result.ok) throw new Error(`${result.reason} at ${result.at}`)
  return result.filter
}

function query(text: string): unknown {
  return JSON.parse(toQuery(parsed(text))?.text ?? 'null')
}

describe('what people write', () => {
  test('and binds tighter than or', () => {
    expect(query('inputs.model = "gpt-4o" and latency > 2s or status = error')).toEqual({
      $expr: {
        $or: [
          {
            $and: [
              { $eq: [{ $getField: 'inputs.model' }, { $literal: 'gpt-4o' }] },
              { $gt: [{ $getField: 'summary.weave.latency_ms' }, { $literal: 2000 }] },
            ],
          },
          { $eq: [{ $getField: 'summary.weave.status' }, { $literal: 'error' }] },
        ],
      },
    })
  })

  test.each([
    ['status = error status != running', 'status = error and status != running'],
    ['not (a = 1 or b = 2) and c = 3', 'not (a = 1 or b = 2) and c = 3'],
    ["output.text contains 'it''", undefined],
    ["output.text contains 'refund'", 'output.text ~ "refund"'],
    ['inputs.model in (gpt-4o, "gpt 5")', 'inputs.model in (gpt-4o, "gpt 5")'],
    ['inputs.age = null', 'inputs.age missing'],
    ['inputs.age not exists', 'inputs.age missing'],
    ['`inputs.my key` = 1', '`inputs.my key` = 1'],
    ['latency > 90000', 'latency > 90s'],
    ['summary.weave.status = error', 'status = error'],
    ['inputs.order = 1 or inputs.android = true', 'inputs.order = 1 or inputs.android = true'],
    ['attributes.env\\.name = prod', 'attributes.env\\.name = prod'],
    ['note ~ "ship"', 'note ~ "ship"'],
    ['', ''],
  ])('%s', (text, canonical) => {
    const result = parseFilter(text)
    expect(result.ok ? printFilter(result.filter) : undefined).toBe(canonical)
  })

  test('more or less than a whole number also finds fractions, and digits are kept', () => {
    expect(toQuery(parsed('output.score > 5'))?.text).toContain('{"$literal":5.0}')
    expect(toQuery(parsed('output.id = 12345678901234567890'))?.text).toContain('12345678901234567890')
    expect(toQuery(parsed('output.score = 5'))?.text).toContain('{"$literal":5}')
  })

  test.each([
    ['status =', 'what should status be?'],
    ['status', 'status is held against nothing'],
    ['(status = error', 'a bracket is not closed'],
    ['status = error)', 'one bracket too many'],
    ['status = "err', 'a quote is not closed'],
    ['= error', 'a field is missing'],
  ])('%s is refused with a reason', (text, reason) => {
    const result = parseFilter(text)
    expect(result.ok ? '' : result.reason).toContain(reason)
  })
})

describe('what may come next', () => {
  test.each([
    ['', { kind: 'field', prefix: '', from: 0 }],
    ['inp', { kind: 'field', prefix: 'inp', from: 0 }],
    ['status ', { kind: 'operator', prefix: '', from: 7, field: 'status' }],
    ['status = ', { kind: 'value', prefix: '', from: 9, field: 'status' }],
    ['status = er', { kind: 'value', prefix: 'er', from: 9, field: 'status' }],
    ['inputs.model = "gp', { kind: 'value', prefix: '"gp', from: 15, field: 'inputs.model' }],
    ['status = error ', { kind: 'connective', prefix: '', from: 15 }],
    ['status = error an', { kind: 'connective', prefix: 'an', from: 15 }],
    ['status = error and ', { kind: 'field', prefix: '', from: 19 }],
    ['status = error and lat', { kind: 'field', prefix: 'lat', from: 19 }],
    ['status in (error, r', { kind: 'value', prefix: 'r', from: 18, field: 'status' }],
  ])('%s', (text, expected) => {
    expect(expectedAt(text)).toEqual(expected)
  })
})

const name = fc.constantFrom(
  'status',
  'inputs.model',
  'output.a b',
  'attributes.x\\.y',
  'error',
  'inputs.not',
)
const text = fc.oneof(fc.string(), fc.constantFrom('gpt-4o', 'true', '12', 'it\'s "so"', 'null', 'and', '5s'))
const value: fc.Arbitrary<Value> = fc.oneof(
  text.map((text): Value => ({ kind: 'text', text })),
  fc.maxSafeInteger().map((n): Value => ({ kind: 'number', text: String(n) })),
  fc.constantFrom('0.5', '12345678901234567890', '1e9').map((text): Value => ({ kind: 'number', text })),
  fc.boolean().map((value): Value => ({ kind: 'boolean', value })),
)
const duration: fc.Arbitrary<Value> = fc.nat(10_000_000).map((ms): Value => ({ kind: 'duration', ms }))
const comparison = fc.constantFrom('=', '!=', '>', '>=', '<', '<=')
const condition: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ kind: fc.constant('compare'), field: name, operator: comparison, value }),
  fc.record({
    kind: fc.constant('compare'),
    field: fc.constant('latency'),
    operator: comparison,
    value: duration,
  }),
  fc.record({ kind: fc.constant('contains'), field: name, value: text, isNegated: fc.boolean() }),
  fc.record({
    kind: fc.constant('in'),
    field: name,
    values: fc.array(value, { minLength: 1, maxLength: 3 }),
    isNegated: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('exists'), field: name, isNegated: fc.boolean() }),
)
/** No `and` right within an `and`, nor double negation: the same has one form. */
const either: fc.Arbitrary<Filter> = fc
  .array(condition, { minLength: 2, maxLength: 3 })
  .map((of): Filter => ({ kind: 'or', of }))
const filter: fc.Arbitrary<Filter> = fc.oneof(
  condition,
  either,
  fc
    .array(fc.oneof(condition, either), { minLength: 2, maxLength: 4 })
    .map((of): Filter => ({ kind: 'and', of })),
  either.map((of): Filter => ({ kind: 'not', of })),
)

describe('both ways', () => {
  test('what is printed is read back as it was', () => {
    fc.assert(
      fc.property(filter, (filter) => {
        expect(parsed(printFilter(filter))).toEqual(filter)
      }),
    )
  })

  test('what the server is asked is read back as it was', () => {
    fc.assert(
      fc.property(filter, (filter) => {
        expect(fromQuery(toQuery(filter)?.text ?? '')).toEqual(filter)
      }),
    )
  })

  test('a query that filters cannot say is none', () => {
    expect(
      fromQuery('{"$expr": {"$eq": [{"$size": {"$getField": "output"}}, {"$literal": 1}]}}'),
    ).toBeUndefined()
    expect(fromQuery('nonsense')).toBeUndefined()
  })
})
