import { describe, expect, test } from 'vitest'
import { mapSpan } from '../map-span.ts'
import { double, PARENT_ID, parsedCall, testSpan } from '../../../test/otlp/span-fixture.ts'

describe('a GenAI span', () => {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.request.temperature': double(1),
    'gen_ai.request.stop_sequences': ['END'],
    'gen_ai.response.model': 'gpt-4o-2024-08-06',
    'gen_ai.response.id': 'chatcmpl-1',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 1000,
    'gen_ai.usage.output_tokens': 50,
    'gen_ai.usage.cache_read.input_tokens': 800,
    'gen_ai.usage.reasoning.output_tokens': 20,
    'gen_ai.conversation.id': 'thread-1',
    'user.id': 'ada',
    'server.address': 'api.openai.com',
    'server.port': 443,
  }
  const question = { role: 'user', parts: [{ type: 'text', content: 'Weather in Paris?' }] }
  const toolCall = {
    role: 'assistant',
    parts: [{ type: 'tool_call', id: 'call_1', name: 'weather', arguments: { city: 'Paris', days: 1.5 } }],
    finish_reason: 'tool_calls',
  }

  test('with messages as JSON strings', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'chat gpt-4o',
          attributes: {
            ...attributes,
            'gen_ai.system_instructions': '[{"type":"text","content":"Be brief."}]',
            'gen_ai.input.messages': JSON.stringify([question]),
            'gen_ai.output.messages': JSON.stringify([toolCall]),
            'gen_ai.tool.definitions':
              '[{"type":"function","name":"weather","parameters":{"type":"object"}}]',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'chat gpt-4o',
      display_name: '',
      thread_id: 'thread-1',
      turn_id: call.id,
      attributes: {
        kind: 'llm',
        provider: 'openai',
        model: 'gpt-4o-2024-08-06',
        model_requested: 'gpt-4o',
        response_id: 'chatcmpl-1',
        finish_reasons: ['stop'],
        user_id: 'ada',
        server: { address: 'api.openai.com', port: 443 },
        otel: { scope: { name: 'test' }, resource: { service: { name: 'chatbot' } } },
      },
      inputs: {
        system: [{ type: 'text', content: 'Be brief.' }],
        messages: [question],
        tools: [{ type: 'function', name: 'weather', parameters: { type: 'object' } }],
        parameters: { temperature: 1, stop_sequences: ['END'] },
      },
      output: { messages: [toolCall] },
      summary: {
        usage: {
          'gpt-4o-2024-08-06': {
            requests: 1,
            prompt_tokens: 1000,
            completion_tokens: 50,
            total_tokens: 1050,
            cache_read_input_tokens: 800,
            reasoning_tokens: 20,
          },
        },
      },
      exception: null,
    })
  })

  test('with messages as structured values', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          attributes: {
            ...attributes,
            'gen_ai.input.messages': [question],
            'gen_ai.output.messages': [toolCall],
          },
        }),
      ),
    )
    expect(call.inputs).toMatchObject({ messages: [question] })
    expect(call.output).toEqual({ messages: [toolCall] })
  })

  test('keeps numbers as sent', () => {
    const { call } = mapSpan(
      testSpan({
        attributes: {
          ...attributes,
          'gen_ai.input.messages':
            '[{"role":"user","content":"x","n":1},{"role":"assistant","parts":[{"type":"tool_call","id":"1","name":"f","arguments":{"a":1.0,"b":12345678901234567890,"c":1e3,"d":NaN}}]}]',
        },
      }),
    )
    expect(call.inputs.text).toContain('"arguments":{"a":1.0,"b":12345678901234567890,"c":1e3,"d":null}')
    expect(call.inputs.text).toContain('"temperature":1.0')
  })

  test('with a message that is none keeps the others', () => {
    const messages = [question, 7, { role: 'user', parts: 'odd' }, toolCall]
    const call = parsedCall(
      mapSpan(testSpan({ attributes: { 'gen_ai.input.messages': JSON.stringify(messages) } })),
    )
    expect(call.inputs).toEqual({
      messages: [
        question,
        { role: 'user', parts: [{ type: 'unknown', content: 7 }] },
        { role: 'user', parts: [{ type: 'text', content: 'odd' }] },
        toolCall,
      ],
    })
  })

  test('with messages in events, as until 1.36', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.system': 'openai',
            'gen_ai.request.model': 'gpt-4',
            'gen_ai.usage.prompt_tokens': 7,
            'gen_ai.usage.completion_tokens': 3,
          },
          events: [
            { name: 'gen_ai.system.message', attributes: { content: 'Be brief.' } },
            { name: 'gen_ai.user.message', attributes: { content: '{"a": 1}', role: 'user' } },
            { name: 'gen_ai.tool.message', attributes: { content: '21 °C', id: 'call_1' } },
            {
              name: 'gen_ai.choice',
              attributes: { index: 0, finish_reason: 'stop', message: '{"role":"assistant","content":"Hi"}' },
            },
            { name: 'retry', attributes: { attempt: 2 } },
          ],
        }),
      ),
    )
    expect(call.inputs).toEqual({
      messages: [
        { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
        { role: 'user', parts: [{ type: 'text', content: '{"a": 1}' }] },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: '21 °C' }] },
      ],
    })
    expect(call.output).toEqual({
      messages: [{ role: 'assistant', parts: [{ type: 'text', content: 'Hi' }], finish_reason: 'stop' }],
    })
    expect(call.attributes).toMatchObject({
      provider: 'openai',
      otel: { events: [{ name: 'retry', time: '2025-11-15T00:00:00.500000Z', attributes: { attempt: 2 } }] },
    })
    expect(call.summary).toMatchObject({ usage: { 'gpt-4': { prompt_tokens: 7, completion_tokens: 3 } } })
  })

  test('with the events of OpenLIT', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4' },
          events: [
            { name: 'gen_ai.content.prompt', attributes: { 'gen_ai.prompt': 'user: Hi' } },
            { name: 'gen_ai.content.completion', attributes: { 'gen_ai.completion': 'Hello' } },
          ],
        }),
      ),
    )
    expect(call.inputs).toEqual({
      messages: [{ role: 'user', parts: [{ type: 'text', content: 'user: Hi' }] }],
    })
    expect(call.output).toEqual({
      messages: [{ role: 'assistant', parts: [{ type: 'text', content: 'Hello' }] }],
    })
  })

  test('of a tool', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'execute_tool weather',
          parentSpanId: PARENT_ID,
          attributes: {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': 'weather',
            'gen_ai.tool.type': 'function',
            'gen_ai.tool.call.id': 'call_1',
            'gen_ai.tool.call.arguments': '{"city": "Paris"}',
            'gen_ai.tool.call.result': '21 °C',
            'gen_ai.conversation.id': 'thread-1',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'weather',
      display_name: 'execute_tool weather',
      parent_id: `8448eb211c80319c${PARENT_ID}`,
      thread_id: 'thread-1',
      turn_id: '',
      attributes: { kind: 'tool', tool: { name: 'weather', type: 'function', call_id: 'call_1' } },
      inputs: { city: 'Paris' },
      output: '21 °C',
      summary: {},
    })
  })

  test('of an agent reports its usage without counting it', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'invoke_agent support-bot',
          attributes: {
            'gen_ai.operation.name': 'invoke_agent',
            'gen_ai.agent.name': 'support-bot',
            'gen_ai.agent.version': '3',
            'gen_ai.request.model': 'gpt-4o',
            'gen_ai.usage.input_tokens': 100,
            'gen_ai.usage.output_tokens': 10,
          },
        }),
      ),
    )
    expect(call.op_name).toBe('invoke_agent support-bot')
    expect(call.summary).toEqual({})
    expect(call.attributes).toMatchObject({
      kind: 'agent',
      agent: { name: 'support-bot', version: '3' },
      usage_reported: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    })
  })

  test('of a retrieval', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'retrieval docs',
          attributes: {
            'gen_ai.operation.name': 'retrieval',
            'gen_ai.retrieval.query.text': 'refund',
            'gen_ai.retrieval.documents': '[{"id":"a","score":0.50}]',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      attributes: { kind: 'retriever' },
      inputs: { query: 'refund' },
      output: { documents: [{ id: 'a', score: 0.5 }] },
    })
  })
})

describe('usage', () => {
  function usageOf(attributes: Record<string, number>) {
    const call = parsedCall(
      mapSpan(
        testSpan({
          attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', ...attributes },
        }),
      ),
    )
    return (call.summary as { usage: { m: unknown } }).usage.m
  }

  test('with more cached than prompt tokens did not include them', () => {
    expect(
      usageOf({
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.usage.cache_read.input_tokens': 100,
        'gen_ai.usage.cache_creation.input_tokens': 20,
      }),
    ).toEqual({
      requests: 1,
      prompt_tokens: 130,
      completion_tokens: 5,
      total_tokens: 135,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
    })
  })

  test('whose total is the sum of all counts did not include cached tokens', () => {
    expect(
      usageOf({
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.usage.cache_read.input_tokens': 20,
        'gen_ai.usage.total_tokens': 125,
      }),
    ).toMatchObject({ prompt_tokens: 120, total_tokens: 125 })
  })

  test('has one name for each count, and the cost that was reported', () => {
    const usage = usageOf({
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.prompt_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.usage.cost': 0.25,
    })
    expect(usage).toEqual({
      requests: 1,
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      total_cost: 0.25,
    })
  })
})

test.each([
  ['seconds', double(0.75), 750],
  ['seconds, a little later than the end', double(1.6), 1600],
  ['milliseconds, which Strands sends', 754, 754],
])('the time to the first token is read in %s', (_, sent, ttft_ms) => {
  const attributes = { 'gen_ai.server.time_to_first_token': sent }
  expect(parsedCall(mapSpan(testSpan({ attributes }))).summary).toEqual({ ttft_ms })
})

test('the id of a response is no thread', () => {
  const thread = (id: string) =>
    parsedCall(mapSpan(testSpan({ attributes: { 'gen_ai.conversation.id': id } })))
  expect(thread('conv_1').thread_id).toBe('conv_1')
  expect(thread('resp_1')).toMatchObject({
    thread_id: '',
    attributes: { gen_ai: { conversation: { id: 'resp_1' } } },
  })
})
