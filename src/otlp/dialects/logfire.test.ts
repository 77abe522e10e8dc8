import { describe, expect, test } from 'vitest'
import { mapSpan } from '../map-span.ts'
import { CALL_ID, PARENT_ID, parsedCall, SPAN_ID, testSpan } from '../../../test/otlp/span-fixture.ts'

describe('a span of Pydantic AI', () => {
  const system = { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] }
  const question = { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] }
  const call1 = {
    role: 'assistant',
    parts: [{ type: 'tool_call', id: '1', name: 'weather', arguments: { city: 'Paris' } }],
  }
  const result = {
    role: 'user',
    parts: [{ type: 'tool_call_response', id: '1', name: 'weather', result: 21 }],
  }
  const last = { role: 'assistant', parts: [{ type: 'text', content: '21 °C' }] }

  test('of an agent run', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'agent run',
          scope: 'pydantic-ai',
          attributes: {
            agent_name: 'support',
            model_name: 'gpt-4o',
            'logfire.msg': 'support run',
            'logfire.json_schema': '{"type":"object"}',
            'pydantic_ai.all_messages': JSON.stringify([system, question, call1, result, last]),
            final_result: '{"t": 21.0}',
            'gen_ai.usage.input_tokens': 40,
            'gen_ai.usage.output_tokens': 8,
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'invoke_agent support',
      display_name: 'support run',
      attributes: { kind: 'agent', agent: { name: 'support' }, usage_reported: { prompt_tokens: 40 } },
      inputs: { messages: [system, question] },
      output: {
        messages: [
          call1,
          {
            role: 'user',
            parts: [{ type: 'tool_call_response', id: '1', name: 'weather', response: 21 }],
          },
          last,
        ],
        result: { t: 21 },
      },
      summary: {},
    })
    expect(call.attributes).not.toHaveProperty('logfire')
  })

  test('of a model call in the first version', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'chat gpt-4o',
          scope: 'pydantic-ai',
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.system': 'openai',
            'gen_ai.request.model': 'gpt-4o',
            events:
              '[{"content":"Hi","role":"user","gen_ai.message.index":0,"event.name":"gen_ai.user.message"},{"index":0,"message":{"role":"assistant","content":"Hello"},"event.name":"gen_ai.choice"}]',
            'gen_ai.usage.input_tokens': 4,
            'gen_ai.usage.details.cache_read_tokens': 1,
            'operation.cost': 0.25,
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'chat gpt-4o',
      inputs: { messages: [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }] },
      output: { messages: [{ role: 'assistant', parts: [{ type: 'text', content: 'Hello' }] }] },
      summary: {
        usage: { 'gpt-4o': { prompt_tokens: 4, cache_read_input_tokens: 1 } },
        cost_reported: { total: 0.25 },
      },
    })
  })

  test('of a tool', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'running tool',
          scope: 'pydantic-ai',
          attributes: {
            'gen_ai.tool.name': 'weather',
            tool_arguments: '{"city":"Paris"}',
            tool_response: '21',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'weather',
      attributes: { kind: 'tool' },
      inputs: { city: 'Paris' },
      output: '21',
    })
  })

  test('the keys of Pydantic AI mean nothing in other spans', () => {
    const call = parsedCall(mapSpan(testSpan({ attributes: { agent_name: 'x', final_result: 'y' } })))
    expect(call).toMatchObject({
      attributes: { kind: 'other', agent_name: 'x', final_result: 'y' },
      output: null,
    })
  })
})

describe('a pending span of Logfire', () => {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4o',
    'logfire.span_type': 'pending_span',
    'logfire.msg': 'chat gpt-4o',
  }

  test('is the running call of its parent', () => {
    const { call } = mapSpan(
      testSpan({
        spanId: '1111111111111111',
        parentSpanId: SPAN_ID,
        attributes: { ...attributes, 'logfire.pending_parent_id': PARENT_ID },
      }),
    )
    expect(call).toMatchObject({
      id: CALL_ID,
      parent_id: `8448eb211c80319c${PARENT_ID}`,
      op_name: 'chat gpt-4o',
      end: undefined,
    })
  })

  test('of a root has no parent', () => {
    const { call } = mapSpan(
      testSpan({
        spanId: '1111111111111111',
        parentSpanId: SPAN_ID,
        attributes: { ...attributes, 'logfire.pending_parent_id': '0000000000000000' },
      }),
    )
    expect(call).toMatchObject({ id: CALL_ID, parent_id: '' })
  })
})
