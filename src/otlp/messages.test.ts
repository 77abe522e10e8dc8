import { describe, expect, test } from 'vitest'
import { mapSpan } from './map-span.ts'
import { parsedCall, testSpan } from '../../test/otlp/span-fixture.ts'

describe('messages of an unknown format', () => {
  const inputs = (sent: string) =>
    parsedCall(mapSpan(testSpan({ attributes: { 'gen_ai.input.messages': sent } }))).inputs

  test('are kept as sent among others', () => {
    expect(
      inputs('[{"role":"user","content":"Hi"},{"type":"web_search_call","query":"x"},{"q":1.0}]'),
    ).toEqual({
      messages: [
        { role: 'user', parts: [{ type: 'text', content: 'Hi' }] },
        { role: 'user', parts: [{ type: 'web_search_call', query: 'x' }] },
        { role: 'user', parts: [{ type: 'unknown', content: { q: 1 } }] },
      ],
    })
  })

  test.each(['{"q":"Weather?"}', '{"content":"a page","url":"https://example.com"}'])(
    'are the inputs if there are no others: %s',
    (sent) => {
      expect(inputs(sent)).toEqual(JSON.parse(sent))
    },
  )
})

test('a message of Anthropic, sent by OpenInference, has each tool call once', () => {
  const call = parsedCall(
    mapSpan(
      testSpan({
        attributes: {
          'llm.output_messages.0.message.role': 'assistant',
          'llm.output_messages.0.message.contents.0.message_content.type': 'text',
          'llm.output_messages.0.message.contents.0.message_content.text': 'I will look.',
          'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'toolu_1',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'get_weather',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"city": "Paris"}',
          'llm.output_messages.0.message.contents.1.message_content.type': 'tool_use',
          'llm.output_messages.0.message.contents.1.tool_call.id': 'toolu_1',
          'llm.output_messages.0.message.contents.1.tool_call.function.name': 'get_weather',
          'llm.output_messages.0.message.contents.1.tool_call.function.arguments': '{"city": "Paris"}',
        },
      }),
    ),
  )
  expect(call.output).toEqual({
    messages: [
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: 'I will look.' },
          { type: 'tool_call', id: 'toolu_1', name: 'get_weather', arguments: '{"city": "Paris"}' },
        ],
      },
    ],
  })
})
