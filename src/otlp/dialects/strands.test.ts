import { describe, expect, test } from 'vitest'
import { mapSpan } from '../map-span.ts'
import { parsedCall, testSpan } from '../../../test/otlp/span-fixture.ts'

type Events = Readonly<Record<string, Readonly<Record<string, string>>>>

const strands = (operation: string, events: Events) =>
  parsedCall(
    mapSpan(
      testSpan({
        scope: 'strands.telemetry.tracer',
        attributes: {
          'gen_ai.operation.name': operation,
          'gen_ai.system': 'strands-agents',
          'gen_ai.tool.name': 'get_weather',
        },
        events: Object.entries(events).map(([name, attributes]) => ({ name, attributes })),
      }),
    ),
  )

/** Strands writes the blocks of Amazon Bedrock as JSON, and the output into the attribute `message`. */
describe('a span of Strands', () => {
  test('of a model call is a conversation', () => {
    const call = strands('chat', {
      'gen_ai.system.message': { content: '[{"text": "brief"}]' },
      'gen_ai.user.message': { content: '[{"text": "Weather in Paris?"}]' },
      'gen_ai.assistant.message': {
        content:
          '[{"reasoningContent": {"reasoningText": {"text": "I should look."}}}, {"toolUse": {"toolUseId": "call_1", "name": "get_weather", "input": {"city": "Paris"}}}]',
      },
      'gen_ai.tool.message': {
        content:
          '[{"toolResult": {"toolUseId": "call_1", "status": "success", "content": [{"text": "sunny"}]}}]',
      },
      'gen_ai.choice': { finish_reason: 'end_turn', message: '[{"text": "It is sunny."}]' },
    })
    expect(call.inputs).toEqual({
      messages: [
        { role: 'system', parts: [{ type: 'text', content: 'brief' }] },
        { role: 'user', parts: [{ type: 'text', content: 'Weather in Paris?' }] },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', content: 'I should look.' },
            { type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: { city: 'Paris' } },
          ],
        },
        {
          role: 'tool',
          parts: [
            { type: 'tool_call_response', id: 'call_1', response: [{ text: 'sunny' }], status: 'success' },
          ],
        },
      ],
    })
    expect(call.output).toEqual({
      messages: [
        {
          role: 'assistant',
          parts: [{ type: 'text', content: 'It is sunny.' }],
          finish_reason: 'end_turn',
        },
      ],
    })
  })

  test.each(['It is sunny.', '{"answer": "sunny"}'])(
    'of an agent has the text %s of its reply',
    (message) => {
      const call = strands('invoke_agent', { 'gen_ai.choice': { finish_reason: 'end_turn', message } })
      expect(call.output).toEqual({
        messages: [
          { role: 'assistant', parts: [{ type: 'text', content: message }], finish_reason: 'end_turn' },
        ],
      })
    },
  )

  test('of a tool has its arguments and its result', () => {
    const call = strands('execute_tool', {
      'gen_ai.tool.message': { role: 'tool', content: '{"city": "Paris"}', id: 'call_1' },
      'gen_ai.choice': { message: '[{"text": "sunny"}]', id: 'call_1' },
    })
    expect(call).toMatchObject({
      op_name: 'get_weather',
      attributes: { kind: 'tool' },
      inputs: { city: 'Paris' },
      output: [{ text: 'sunny' }],
    })
  })

  test('has images as parts', () => {
    const call = strands('chat', {
      'gen_ai.user.message': {
        content:
          '[{"text": "What is it?"}, {"image": {"format": "png", "source": {"bytes": "iVBORw0KGgo="}}}]',
      },
    })
    expect(call.inputs).toEqual({
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', content: 'What is it?' },
            { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'iVBORw0KGgo=' },
          ],
        },
      ],
    })
  })

  test('has a text that only looks like a list as text', () => {
    const call = strands('chat', { 'gen_ai.user.message': { content: '[{"city": "Paris"}]' } })
    expect(call.inputs).toEqual({
      messages: [{ role: 'user', parts: [{ type: 'text', content: '[{"city": "Paris"}]' }] }],
    })
  })
})
