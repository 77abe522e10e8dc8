import { assert, double, pre, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { callCosts } from './cost.ts'
import { formatDecimal, parseDecimal, times } from './decimal.ts'
import { pickPrice, type PriceRow } from './prices.ts'
import { tokensByModel } from './usage.ts'

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

test('a price in effect beats a project price, and a project price beats a newer one', () => {
  const old = price('old', 10n)
  const recent = price('recent', 20n)
  const later = price('later', 90n)
  const base = price('base', 40n, builtIn)
  expect(pickPrice([old, recent, later, base], 50n)?.id).toBe('recent')
  expect(pickPrice([later, base], 50n)?.id).toBe('base')
  expect(pickPrice([base, price('base-2', 45n, builtIn)], 50n)?.id).toBe('base-2')
})

test('if every price took effect later, the best later one is used', () => {
  expect(pickPrice([price('a', 60n), price('b', 70n), price('c', 80n, builtIn)], 50n)?.id).toBe('b')
  expect(pickPrice([], 50n)).toBeUndefined()
})

test("costs are exact products of tokens and prices, in the format of Weave's API", () => {
  const usage = RawJson.fromValue({
    m: {
      prompt_tokens: 1000,
      completion_tokens: 3,
      cache_read_input_tokens: 200,
      requests: 1,
      total_tokens: 1003,
    },
    unknown: { input_tokens: 5 },
  })
  const costs = callCosts(usage, new Map([['m', [price('p', 0n)]]]), 5n)
  expect(JSON.parse(costs.costs?.text ?? '')).toEqual({
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
      price_id: 'p',
    },
  })
  expect(costs.unpriced).toEqual(['unknown'])
})

test('input and output tokens count like prompt and completion tokens', () => {
  const usage = RawJson.fromValue({ m: { input_tokens: 10, output_tokens: 2 } })
  const costs = callCosts(usage, new Map([['m', [price('p', 0n)]]]), 5n)
  expect(JSON.parse(costs.costs?.text ?? '')).toMatchObject({
    m: { prompt_tokens: 10, completion_tokens: 2 },
  })
})

describe('cached tokens have their own price and are never counted twice', () => {
  const rates = { cache_read_input_token_cost: '0.000001', cache_creation_input_token_cost: '0.000004' }
  const book = new Map([['m', [price('p', 0n, rates)]]])
  const totals = (counts: object): unknown => {
    const costs = callCosts(RawJson.fromValue({ m: counts }), book, 5n).costs
    return JSON.parse(costs?.text ?? '')
  }
  const charged = { prompt_tokens_total_cost: 0.002, cache_read_input_tokens_total_cost: 0.0002 }

  test.each([
    [
      'OpenAI chat, as reported',
      { prompt_tokens: 1000, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 200 } },
    ],
    [
      'OpenAI chat, as SDKs write it',
      {
        prompt_tokens: 1000,
        prompt_tokens_details: { cached_tokens: 200 },
        cache_read_input_tokens: 200,
        total_tokens: 1000,
      },
    ],
    ['OpenAI responses', { input_tokens: 1000, input_tokens_details: { cached_tokens: 200 } }],
    ['Gemini', { prompt_tokens: 1000, cache_read_input_tokens: 200, total_tokens: 1000 }],
    ['Anthropic, as SDKs write it', { input_tokens: 1000, output_tokens: 3, cache_read_input_tokens: 200 }],
    [
      'cached tokens counted separately, as the total shows',
      { input_tokens: 800, output_tokens: 3, cache_read_input_tokens: 200, total_tokens: 1003 },
    ],
  ])('%s', (_name, counts) => {
    expect(totals(counts)).toMatchObject({ m: charged })
  })

  test('Anthropic, as reported: more cached than there is prompt', () => {
    const counts = { input_tokens: 10, cache_read_input_tokens: 500, cache_creation_input_tokens: 100 }
    expect(totals(counts)).toMatchObject({
      m: {
        prompt_tokens_total_cost: 0.000025,
        cache_read_input_tokens_total_cost: 0.0005,
        cache_creation_input_tokens_total_cost: 0.0004,
      },
    })
  })

  test('missing or malformed details mean no cached tokens', () => {
    for (const prompt_tokens_details of [null, 3, [], { cached_tokens: 'x' }, { cached_tokens: null }]) {
      expect(totals({ prompt_tokens: 800, prompt_tokens_details })).toMatchObject({
        m: { ...charged, cache_read_input_tokens_total_cost: 0 },
      })
    }
  })
})

test('missing usage, malformed usage or no price mean no costs', () => {
  const book = new Map([['m', [price('p', 0n)]]])
  for (const usage of [
    undefined,
    RawJson.fromValue(null),
    RawJson.fromValue([1]),
    RawJson.fromValue('x'),
    RawJson.fromValue({ m: 3 }),
  ]) {
    expect(callCosts(usage, book, 5n)).toEqual({ costs: undefined, unpriced: [] })
  }
  expect(callCosts(RawJson.fromValue({ other: { requests: 1 } }), book, 5n)).toEqual({
    costs: undefined,
    unpriced: ['other'],
  })
  expect([...tokensByModel(RawJson.fromValue({ a: {}, b: {} })).keys()]).toEqual(['a', 'b'])
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

test('a call that reports no tokens has an unknown cost, not zero', () => {
  const costsOf = (usage: string) =>
    callCosts(RawJson.fromText(usage), new Map([['m', [price('p', 0n)]]]), 1n)
  expect(costsOf('{"m":{"requests":1}}')).toEqual({ costs: undefined, unpriced: [] })
  expect(costsOf('{"m":{"requests":1,"prompt_tokens":0}}').costs).toBeDefined()
})
