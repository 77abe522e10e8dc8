import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Filter, FilterValue } from './ast.ts'
import { fromQuery } from './from-query.ts'
import { completionContext, parseFilter } from './parse.ts'
import { printFilter } from './print.ts'
import { toQuery } from './to-query.ts'

function parse(text: string): Filter | undefined {
  const result = parseFilter(text)
  if (!result.ok) throw new Error(`${result.reason} at ${result.at}`)
  return result.filter
}

function query(text: string): unknown {
  return JSON.parse(toQuery(parse(text))?.text ?? 'null')
}

describe('parseFilter', () => {
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
    ['not (inputs.a = 1 or id = 2) and op = f', 'not (inputs.a = 1 or id = 2) and op = f'],
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
    ['status = failed', 'status = error'],
    ['status in (succeeded, "failed", running)', 'status in (success, error, running)'],
    ['inputs.state = failed', 'inputs.state = failed'],
    ['', ''],
  ])('%s', (text, canonical) => {
    const result = parseFilter(text)
    expect(result.ok ? printFilter(result.filter) : undefined).toBe(canonical)
  })

  test('ordering comparisons with an integer match fractions, and digits are kept', () => {
    expect(toQuery(parse('output.score > 5'))?.text).toContain('{"$literal":5.0}')
    expect(toQuery(parse('output.id = 12345678901234567890'))?.text).toContain('12345678901234567890')
    expect(toQuery(parse('output.score = 5'))?.text).toContain('{"$literal":5}')
  })

  test.each([
    ['status =', 'expected a value for status'],
    ['status', 'expected an operator after status'],
    ['(status = error', 'missing )'],
    ['status = error)', 'unexpected )'],
    ['status = "err', 'missing closing quote'],
    ['= error', 'expected a field'],
    ['latency > abc', 'latency is a duration: write a number with a unit, such as 350ms, 2s or 1m'],
    ['latency ~ 2', 'latency is a duration: compare it with'],
    ['cost > much', 'cost is a number'],
    ['started > yesterday', 'started is a time'],
    ['status = broken', 'status is one of success, error, descendant_error, running'],
    ['statsu = error', 'there is no field statsu: did you mean status?'],
    ['tier = gold', 'there is no field tier: for a value in the payloads write inputs.tier'],
  ])('%s is rejected with a reason', (text, reason) => {
    const result = parseFilter(text)
    expect(result.ok ? '' : result.reason).toContain(reason)
  })
})

describe('completionContext', () => {
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
    expect(completionContext(text)).toEqual(expected)
  })
})

const name = fc.constantFrom(
  'model',
  'scores.helpful',
  'inputs.model',
  'output.a b',
  'attributes.x\\.y',
  'error',
  'inputs.not',
)
const text = fc.oneof(fc.string(), fc.constantFrom('gpt-4o', 'true', '12', 'it\'s "so"', 'null', 'and', '5s'))
const value: fc.Arbitrary<FilterValue> = fc.oneof(
  text.map((text): FilterValue => ({ kind: 'text', text })),
  fc.maxSafeInteger().map((n): FilterValue => ({ kind: 'number', text: String(n) })),
  fc
    .constantFrom('0.5', '12345678901234567890', '1e9')
    .map((text): FilterValue => ({ kind: 'number', text })),
  fc.boolean().map((value): FilterValue => ({ kind: 'boolean', value })),
)
const duration: fc.Arbitrary<FilterValue> = fc
  .nat(10_000_000)
  .map((ms): FilterValue => ({ kind: 'duration', ms }))
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
/** Neither nested `and` nor double negation: each filter has one canonical tree. */
const disjunction: fc.Arbitrary<Filter> = fc
  .array(condition, { minLength: 2, maxLength: 3 })
  .map((operands): Filter => ({ kind: 'or', operands }))
const filter: fc.Arbitrary<Filter> = fc.oneof(
  condition,
  disjunction,
  fc
    .array(fc.oneof(condition, disjunction), { minLength: 2, maxLength: 4 })
    .map((operands): Filter => ({ kind: 'and', operands })),
  disjunction.map((operand): Filter => ({ kind: 'not', operand })),
)

describe('round trips', () => {
  test('a printed filter parses to the same tree', () => {
    fc.assert(
      fc.property(filter, (filter) => {
        expect(parse(printFilter(filter))).toEqual(filter)
      }),
    )
  })

  test('a query converts back to the same filter', () => {
    fc.assert(
      fc.property(filter, (filter) => {
        expect(fromQuery(toQuery(filter)?.text ?? '')).toEqual(filter)
      }),
    )
  })

  test('an unsupported query is not converted', () => {
    expect(
      fromQuery('{"$expr": {"$eq": [{"$size": {"$getField": "output"}}, {"$literal": 1}]}}'),
    ).toBeUndefined()
    expect(fromQuery('nonsense')).toBeUndefined()
  })
})
