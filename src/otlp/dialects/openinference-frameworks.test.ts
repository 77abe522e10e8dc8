import { describe, expect, test } from 'vitest'
import { mapSpan } from '../map-span.ts'
import { parsedCall, testSpan } from '../../../test/otlp/span-fixture.ts'

describe('an OpenInference span', () => {
  test('of a node of LangGraph has the messages of its update', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'model',
          attributes: {
            'openinference.span.kind': 'CHAIN',
            'output.value':
              '[{"graph": null, "update": {"messages": [{"type": "ai", "data": {"content": "Sunny.", "additional_kwargs": {"refusal": null}, "response_metadata": {"finish_reason": "stop"}, "type": "ai", "name": "weather_agent", "tool_calls": [], "invalid_tool_calls": []}}]}, "resume": null, "goto": []}]',
            'output.mime_type': 'application/json',
          },
        }),
      ),
    )
    expect(call.output).toEqual({
      messages: [
        {
          role: 'assistant',
          parts: [{ type: 'text', content: 'Sunny.' }],
          name: 'weather_agent',
          finish_reason: 'stop',
        },
      ],
    })
  })

  test('of LlamaIndex has no text part without text', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          attributes: {
            'openinference.span.kind': 'LLM',
            'llm.output_messages.0.message.role': 'assistant',
            'llm.output_messages.0.message.contents.0.message_content.type': 'text',
            'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'call_1',
            'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'get_weather',
            'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{}',
          },
        }),
      ),
    )
    expect(call.output).toEqual({
      messages: [
        {
          role: 'assistant',
          parts: [{ type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: {} }],
        },
      ],
    })
  })

  test('of Haystack has the value of the sender beside messages of which some have no content', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          attributes: {
            'openinference.span.kind': 'LLM',
            'input.value':
              "{\"messages\": [\"ChatMessage(_role=<ChatRole.USER: 'user'>, _content=[TextContent(text='Weather?')])\", \"ChatMessage(_role=<ChatRole.TOOL: 'tool'>, _content=[ToolCallResult(result='sunny')])\"]}",
            'input.mime_type': 'application/json',
            'llm.input_messages.0.message.role': 'user',
            'llm.input_messages.0.message.content': 'Weather?',
            'llm.input_messages.1.message.role': 'tool',
          },
        }),
      ),
    )
    expect(call.inputs).toMatchObject({
      messages: [
        { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
        { role: 'tool', parts: [] },
      ],
      value: { messages: [expect.any(String), expect.stringContaining('sunny')] },
    })
  })
})
