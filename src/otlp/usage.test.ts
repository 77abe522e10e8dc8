import { describe, expect, test } from 'vitest'
import { mapSpan } from './map-span.ts'
import { parsedCall, testSpan } from '../../test/otlp/span-fixture.ts'

function usageOf(counts: Readonly<Record<string, number>>) {
  const attributes = Object.fromEntries(
    Object.entries(counts).map(([name, value]) => [`gen_ai.usage.${name}`, value]),
  )
  const call = parsedCall(
    mapSpan(
      testSpan({
        attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', ...attributes },
      }),
    ),
  )
  const { usage } = call.summary as { usage: { m: Readonly<Record<string, number>> } }
  const { prompt_tokens, completion_tokens, total_tokens } = usage.m
  const { usage_contradiction } = call.attributes as { usage_contradiction?: string }
  return { counts: [prompt_tokens, completion_tokens, total_tokens], usage_contradiction }
}

describe('cached tokens and reasoning', () => {
  test.each([
    ['are included if the total says so', { input_tokens: 100, output_tokens: 20, total_tokens: 120 }],
    [
      'are added to the prompt if the total says so',
      { input_tokens: 60, output_tokens: 20, total_tokens: 120 },
    ],
    ['are both added if the total says so', { input_tokens: 60, output_tokens: 15, total_tokens: 120 }],
    [
      'only reasoning is added if the total says so',
      { input_tokens: 100, output_tokens: 15, total_tokens: 120 },
    ],
    ['are included without a total', { input_tokens: 100, output_tokens: 20 }],
  ])('%s', (_, sent) => {
    expect(usageOf({ ...sent, 'cache_read.input_tokens': 40, reasoning_tokens: 5 })).toEqual({
      counts: [100, 20, 120],
      usage_contradiction: undefined,
    })
  })

  test('are apart if they are more than the whole', () => {
    const sent = { input_tokens: 10, output_tokens: 3, 'cache_read.input_tokens': 40, reasoning_tokens: 5 }
    expect(usageOf(sent).counts).toEqual([50, 8, 58])
  })
})

test('a total that no reading of the counts explains is stored as sent, and the contradiction shown', () => {
  const sent = { input_tokens: 100, output_tokens: 20, total_tokens: 500, 'cache_read.input_tokens': 40 }
  expect(usageOf(sent)).toEqual({
    counts: [100, 20, 500],
    usage_contradiction: 'total_tokens is 500, but prompt_tokens and completion_tokens are 100 and 20',
  })
})
