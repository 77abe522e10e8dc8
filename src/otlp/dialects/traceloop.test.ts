import { describe, expect, test } from 'vitest'
import { mapSpan } from '../map-span.ts'
import { PARENT_ID, parsedCall, testSpan } from '../../../test/otlp/span-fixture.ts'

describe('a Traceloop span', () => {
  const association = {
    'traceloop.workflow.name': 'answer',
    'traceloop.association.properties.session_id': 's-1',
    'traceloop.association.properties.user_id': 'ada',
    'traceloop.association.properties.plan': 'free',
  }

  test('version 0.4, model call', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'openai.chat',
          scope: 'opentelemetry.instrumentation.openai.v1',
          parentSpanId: PARENT_ID,
          attributes: {
            ...association,
            'llm.request.type': 'chat',
            'gen_ai.system': 'OpenAI',
            'gen_ai.request.model': 'gpt-4o',
            'gen_ai.response.model': 'gpt-4o-2024-08-06',
            'llm.is_streaming': false,
            'llm.headers': 'Authorization: secret',
            'gen_ai.prompt.0.role': 'user',
            'gen_ai.prompt.0.content': '[{"type":"text","text":"Weather?"}]',
            'gen_ai.prompt.1.role': 'assistant',
            'gen_ai.prompt.1.tool_calls.0.id': 'call_1',
            'gen_ai.prompt.1.tool_calls.0.name': 'weather',
            'gen_ai.prompt.1.tool_calls.0.arguments': '{"city":"Paris"}',
            'gen_ai.prompt.2.role': 'tool',
            'gen_ai.prompt.2.content': '{"t": 21}',
            'gen_ai.prompt.2.tool_call_id': 'call_1',
            'gen_ai.completion.0.role': 'assistant',
            'gen_ai.completion.0.content': '21 °C',
            'gen_ai.completion.0.finish_reason': 'stop',
            'llm.request.functions.0.name': 'weather',
            'llm.request.functions.0.parameters': '{"type":"object"}',
            'gen_ai.usage.prompt_tokens': 12,
            'gen_ai.usage.completion_tokens': 3,
            'llm.usage.total_tokens': 15,
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'chat gpt-4o',
      display_name: 'openai.chat',
      thread_id: 's-1',
      attributes: {
        kind: 'llm',
        provider: 'OpenAI',
        workflow: 'answer',
        user_id: 'ada',
        metadata: { plan: 'free' },
      },
      inputs: {
        messages: [
          { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' }],
          },
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: '{"t": 21}' }] },
        ],
        tools: [{ type: 'function', name: 'weather', parameters: { type: 'object' } }],
        parameters: { stream: false },
      },
      output: {
        messages: [{ role: 'assistant', parts: [{ type: 'text', content: '21 °C' }], finish_reason: 'stop' }],
      },
      summary: {
        usage: { 'gpt-4o-2024-08-06': { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } },
      },
    })
    expect(JSON.stringify(call.attributes)).not.toContain('secret')
  })

  test('version 0.6 has messages of the GenAI conventions', () => {
    const messages = [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }]
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'openai.chat',
          attributes: {
            ...association,
            'gen_ai.operation.name': 'chat',
            'gen_ai.provider.name': 'openai',
            'gen_ai.request.model': 'gpt-4o',
            'gen_ai.input.messages': JSON.stringify(messages),
          },
        }),
      ),
    )
    expect(call).toMatchObject({ op_name: 'chat gpt-4o', inputs: { messages }, attributes: { kind: 'llm' } })
  })

  test('of a workflow and its tools', () => {
    const call = (kind: string) =>
      parsedCall(
        mapSpan(
          testSpan({
            name: `answer.${kind}`,
            attributes: {
              ...association,
              'traceloop.span.kind': kind,
              'traceloop.entity.name': 'answer',
              'traceloop.entity.path': 'a.b',
              'traceloop.entity.input': '{"args": ["Hi"], "kwargs": {"n": 1.0}}',
              'traceloop.entity.output': '"Hello"',
            },
          }),
        ),
      )
    expect(call('workflow')).toMatchObject({
      op_name: 'answer',
      display_name: 'answer.workflow',
      attributes: { kind: 'workflow', path: 'a.b' },
      inputs: { args: ['Hi'], kwargs: { n: 1 } },
      output: 'Hello',
    })
    expect(call('task').attributes).toMatchObject({ kind: 'workflow' })
    expect(call('tool').attributes).toMatchObject({ kind: 'tool' })
    expect(call('agent').attributes).toMatchObject({ kind: 'agent' })
  })

  test('of a vector database', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'chroma.query',
          attributes: { 'db.system': 'chroma', 'db.vector.query.top_k': 2 },
          events: [
            {
              name: 'db.query.result',
              attributes: { 'db.query.result.id': 'a', 'db.query.result.distance': 0.5 },
            },
            { name: 'db.query.result', attributes: { 'db.query.result.id': 'b' } },
          ],
        }),
      ),
    )
    expect(call).toMatchObject({
      attributes: { kind: 'retriever', db: { system: 'chroma' } },
      output: { documents: [{ id: 'a', distance: 0.5 }, { id: 'b' }] },
    })
  })

  test('of the Responses API has the text of the reasoning', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.output.messages':
              '[{"role": "assistant", "parts": [{"type": "reasoning", "content": "[{\\"text\\": \\"I should look.\\", \\"type\\": \\"summary_text\\"}]"}], "finish_reason": "stop"}]',
          },
        }),
      ),
    )
    expect(call.output).toEqual({
      messages: [
        {
          role: 'assistant',
          parts: [{ type: 'reasoning', content: 'I should look.' }],
          finish_reason: 'stop',
        },
      ],
    })
  })
})
