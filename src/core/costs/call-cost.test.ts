import { expect, test } from 'vitest'
import { writeJson } from '../json/write.ts'
import { explainCosts } from './call-cost.ts'
import { parseDecimal } from './decimal.ts'
import type { PriceRow } from './prices.ts'

function price(id: string, effective_date: bigint, further: Partial<PriceRow> = {}): PriceRow {
  return {
    id,
    llm_id: 'm',
    provider_id: 'openai',
    prompt_token_cost: '2.5e-6',
    completion_token_cost: '0.00001',
    cache_read_input_token_cost: '0.00000125',
    cache_creation_input_token_cost: '0',
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    effective_date,
    pricing_level: 'default',
    pricing_level_id: 'default',
    created_by: 'system',
    created_at: 0n,
    ...further,
  }
}

const tokens = (plainPrompt: bigint, completion = 0n, cacheRead = 0n, cacheCreation = 0n) => ({
  plainPrompt,
  completion,
  cacheRead,
  cacheCreation,
})

const used = (model: string, moment: bigint, counts: ReturnType<typeof tokens>, reported?: string) => ({
  model,
  moment,
  tokens: counts,
  reported: reported === undefined ? undefined : parseDecimal(reported),
})

const shown = (explanation: ReturnType<typeof explainCosts>) =>
  JSON.parse(writeJson(explanation)) as Record<string, unknown>

test('each term is tokens times a price, and the terms add up exactly', () => {
  const book = new Map([['m', [price('old', 0n), price('new', 100n, { pricing_level: 'project' })]]])
  const explanation = explainCosts(
    [
      used('m', 5n, tokens(1200n, 3n, 7n)),
      used('m', 6n, tokens(1n)),
      used('m', 100n, tokens(1n, 0n, 0n, 9n)),
    ],
    book,
  )
  expect(explanation.terms.map((term) => [term.price_id, term.kind, term.arithmetic])).toEqual([
    ['old', 'prompt', '1201 × 0.0000025 = 0.0030025'],
    ['old', 'completion', '3 × 0.00001 = 0.00003'],
    ['old', 'cache_read', '7 × 0.00000125 = 0.00000875'],
    ['new', 'prompt', '1 × 0.0000025 = 0.0000025'],
    ['new', 'cache_creation', '9 × 0 = 0'],
  ])
  expect(explanation.cost.text).toBe('0.00304375')
  expect(explanation.prices.map(({ id, source }) => [id, source])).toEqual([
    ['old', 'default'],
    ['new', 'own'],
  ])
  expect(explanation.reported).toBeNull()
})

test('the reported cost is compared with the computed cost of the same tokens only', () => {
  const book = new Map([['m', [price('p', 0n, { prompt_token_cost: '0.1' })]]])
  const parts = [
    used('m', 1n, tokens(3n), '0.30000000000000004'),
    used('m', 1n, tokens(100n)),
    used('unheard', 1n, tokens(2n), '1'),
  ]
  expect(shown(explainCosts(parts, book))).toMatchObject({ cost: 10.3, unpriced: [{ model: 'unheard' }] })
  const { reported } = explainCosts(parts, book)
  expect(reported?.cost.text).toBe('1.30000000000000004')
  expect(reported?.computed.text).toBe('0.3')
  expect(reported?.difference.text).toBe('1.00000000000000004')
  expect(reported?.unpriced).toEqual(['unheard'])
})

test('a cost reported for a whole call is compared with the cost of all its tokens', () => {
  const book = new Map([['m', [price('p', 0n, { prompt_token_cost: '0.1' })]]])
  const { reported } = explainCosts([used('m', 1n, tokens(3n))], book, parseDecimal('0.25'))
  expect(reported?.difference.text).toBe('-0.05')
  expect(explainCosts([], book, parseDecimal('2')).reported?.cost.text).toBe('2')
})
