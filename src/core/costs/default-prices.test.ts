import { expect, test } from 'vitest'
import { findDefaultModel, readDefaultPrices } from './default-prices.ts'

test('built-in prices are exact amounts per token with stable unique ids', async () => {
  const prices = await readDefaultPrices(0n)
  const found = prices.find((price) => price.provider_id === 'openai' && price.llm_id === 'gpt-4o')
  expect(found).toMatchObject({
    prompt_token_cost: '0.0000025',
    completion_token_cost: '0.00001',
    cache_read_input_token_cost: '0.00000125',
    pricing_level: 'default',
    effective_date: 0n,
  })
  expect(prices.length).toBeGreaterThan(1000)
  expect(new Set(prices.map((price) => price.id)).size).toBe(prices.length)
  expect((await readDefaultPrices(1n)).map((price) => price.id)).toEqual(prices.map((price) => price.id))
  for (const price of prices) expect(price.prompt_token_cost).toMatch(/^\d+(\.\d+)?$/)
})

test('dated prices keep their date', async () => {
  const dated = (await readDefaultPrices(0n)).filter((price) => price.effective_date > 0n)
  expect(dated.length).toBeGreaterThan(5)
})

test('a dated or prefixed model name resolves to its price entry', () => {
  expect(findDefaultModel('gpt-4o-2024-08-06')).toEqual({ provider_id: 'openai', llm_id: 'gpt-4o' })
  expect(findDefaultModel('openai/gpt-4o')).toEqual({ provider_id: 'openai', llm_id: 'gpt-4o' })
  for (const id of [
    'anthropic.claude-3-5-sonnet-20241022-v2:0',
    'us.anthropic.claude-3-5-sonnet-20241022-v2:0',
  ])
    expect(findDefaultModel(id)).toEqual({
      provider_id: 'aws',
      llm_id: 'regional.anthropic.claude-3-5-sonnet-20241022-v2:0',
    })
  expect(findDefaultModel('my-own-model')).toBeUndefined()
  expect(findDefaultModel('my.own-model')).toBeUndefined()
  expect(findDefaultModel('x'.repeat(1000))).toBeUndefined()
})
