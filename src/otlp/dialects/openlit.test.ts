import { expect, test } from 'vitest'
import { mapSpan } from '../map-span.ts'
import { parsedCall, testSpan } from '../../../test/otlp/span-fixture.ts'

const ANTHROPIC = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'anthropic',
  'gen_ai.request.model': 'claude-sonnet-4-5',
  'gen_ai.usage.output_tokens': 20,
  'gen_ai.usage.cache_read.input_tokens': 40,
}
const ANTHROPIC_USAGE = {
  usage: {
    'claude-sonnet-4-5': {
      prompt_tokens: 110,
      completion_tokens: 20,
      total_tokens: 130,
      cache_read_input_tokens: 40,
      cache_creation_input_tokens: 10,
    },
  },
}

test('a span of the SDK of Anthropic has its cache writes and its stop reason', () => {
  const call = parsedCall(
    mapSpan(
      testSpan({
        name: 'anthropic.messages.create',
        scope: 'com.anthropic.sdk.python',
        attributes: {
          ...ANTHROPIC,
          'gen_ai.usage.input_tokens': 110,
          'gen_ai.usage.cache_write.input_tokens': 10,
          'anthropic.usage.cache_creation.ephemeral_5m_input_tokens': 10,
          'anthropic.message.stop_reason': 'end_turn',
        },
      }),
    ),
  )
  expect(call.attributes).toMatchObject({ finish_reasons: ['end_turn'] })
  expect(call.summary).toMatchObject(ANTHROPIC_USAGE)
  expect(call.summary).toMatchObject({
    usage: { 'claude-sonnet-4-5': { cache_creation_5m_input_tokens: 10 } },
  })
})

test('OpenLIT sends the usage of Anthropic, without cached tokens, and the end user', () => {
  const openlit = (
    attributes: Readonly<Record<string, string | number>>,
    scope = 'openlit.instrumentation.anthropic',
  ) =>
    parsedCall(
      mapSpan(
        testSpan({
          scope,
          attributes: {
            ...ANTHROPIC,
            'gen_ai.usage.input_tokens': 60,
            'gen_ai.usage.cache_creation.input_tokens': 10,
            'gen_ai.client.token.usage': 80,
            'gen_ai.request.user': 'ada',
            ...attributes,
          },
        }),
      ),
    )
  expect(openlit({})).toMatchObject({ attributes: { user_id: 'ada' }, summary: ANTHROPIC_USAGE })
  expect(openlit({ 'gen_ai.usage.total_tokens': 80 }).summary).toMatchObject(ANTHROPIC_USAGE)
  const usage = { 'claude-sonnet-4-5': { prompt_tokens: 60 } }
  expect(openlit({ 'gen_ai.provider.name': 'openai' }).summary).toMatchObject({ usage })
  expect(openlit({}, 'test').summary).toMatchObject({ usage })
})
