import { assert, double, pre, property } from 'fast-check'
import { expect, test } from 'vitest'
import { RawJson } from '../contract/raw-json.ts'
import { costsOf, modelsOf } from './cost.ts'
import { formatDecimal, parseDecimal, times } from './decimal.ts'
import { pickPrice, type PriceRow } from './prices.ts'

function price(id: string, effective_date: bigint, further: Partial<PriceRow> = {}): PriceRow {
  return {
    id,
    llm_id: 'm',
    provider_id: 'default',
    prompt_token_cost: '0.0000025',
    completion_token_cost: '1e-5',
    cache_read_input_token_cost: '0.000001',
    cache_creation_input_token_cost: '0',
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    effective_date,
    pricing_level: 'project',
    pricing_level_id: 'acme/demo',
    created_by: 'admin',
    created_at: 0n,
    ...further,
  }
}

const builtIn = { pricing_level: 'default', pricing_level_id: 'default' } as const

test('a price in force comes before the project own, and that before a newer one', () => {
  const old = price('old', 10n)
  const recent = price('recent', 20n)
  const later = price('later', 90n)
  const base = price('base', 40n, builtIn)
  expect(pickPrice([old, recent, later, base], 50n)?.id).toBe('recent')
  expect(pickPrice([later, base], 50n)?.id).toBe('base')
  expect(pickPrice([base, price('base-2', 45n, builtIn)], 50n)?.id).toBe('base-2')
})

test('if every price came later, the best later one is used', () => {
  expect(pickPrice([price('a', 60n), price('b', 70n), price('c', 80n, builtIn)], 50n)?.id).toBe('b')
  expect(pickPrice([], 50n)).toBeUndefined()
})

test('costs are tokens times prices, exactly, in the layout of the protocol', () => {
  const usage = RawJson.of({
    m: {
      prompt_tokens: 1000,
      completion_tokens: 3,
      cache_read_input_tokens: 200,
      requests: 1,
      total_tokens: 1003,
    },
    unknown: { input_tokens: 5 },
  })
  const costs = costsOf(usage, new Map([['m', [price('p', 0n)]]]), 5n)
  expect(JSON.parse(costs?.text ?? '')).toEqual({
    m: {
      prompt_tokens: 1000,
      completion_tokens: 3,
      requests: 1,
      total_tokens: 1003,
      cache_read_input_tokens: 200,
      cache_creation_input_tokens: 0,
      prompt_token_cost: 0.0000025,
      completion_token_cost: 0.00001,
      cache_read_input_token_cost: 0.000001,
      cache_creation_input_token_cost: 0,
      prompt_tokens_total_cost: 0.002,
      completion_tokens_total_cost: 0.00003,
      cache_read_input_tokens_total_cost: 0.0002,
      cache_creation_input_tokens_total_cost: 0,
      prompt_token_cost_unit: 'USD',
      completion_token_cost_unit: 'USD',
      effective_date: '1970-01-01T00:00:00.000000Z',
      provider_id: 'default',
      pricing_level: 'project',
      pricing_level_id: 'acme/demo',
      created_by: 'admin',
      created_at: '1970-01-01T00:00:00.000000Z',
    },
  })
})

test('input and output tokens count like prompt and completion tokens', () => {
  const usage = RawJson.of({ m: { input_tokens: 10, output_tokens: 2 } })
  const costs = costsOf(usage, new Map([['m', [price('p', 0n)]]]), 5n)
  expect(JSON.parse(costs?.text ?? '')).toMatchObject({ m: { prompt_tokens: 10, completion_tokens: 2 } })
})

test('a prompt that is reported without its cached tokens never costs less than nothing', () => {
  const usage = RawJson.of({ m: { input_tokens: 10, cache_read_input_tokens: 500 } })
  const costs = costsOf(usage, new Map([['m', [price('p', 0n)]]]), 5n)
  expect(JSON.parse(costs?.text ?? '')).toMatchObject({ m: { prompt_tokens_total_cost: 0.000025 } })
})

test('no usage, odd usage or no price: no costs', () => {
  const book = new Map([['m', [price('p', 0n)]]])
  for (const usage of [undefined, RawJson.of(null), RawJson.of([1]), RawJson.of('x'), RawJson.of({ m: 3 })]) {
    expect(costsOf(usage, book, 5n)).toBeUndefined()
  }
  expect(costsOf(RawJson.of({ other: { requests: 1 } }), book, 5n)).toBeUndefined()
  expect(modelsOf(RawJson.of({ a: {}, b: {} }))).toEqual(['a', 'b'])
})

test('decimals keep the value of their text and multiply without error', () => {
  assert(
    property(double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }), (value) => {
      const decimal = parseDecimal(JSON.stringify(value))
      pre(decimal !== undefined)
      expect(Number(formatDecimal(decimal)) + 0).toBe(value + 0)
    }),
  )
  expect(formatDecimal(times(parseDecimal('0.0000001')!, 3n))).toBe('0.0000003')
  expect(formatDecimal(times(parseDecimal('1.5e3')!, 2n))).toBe('3000')
  expect(parseDecimal('1e999999999')).toBeUndefined()
})
