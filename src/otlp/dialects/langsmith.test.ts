import { describe, expect, test } from 'vitest'
import { mapSpan } from '../map-span.ts'
import { parsedCall, PARENT_ID, testSpan } from '../../../test/otlp/span-fixture.ts'

const METADATA = {
  'langsmith.metadata.ls_method': 'traceable',
  'langsmith.metadata.session_id': 'ls-sess',
  'langsmith.metadata.user_id': 'ada',
}

describe('a span of LangSmith', () => {
  test('of a function has its arguments and its result as sent', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'answer',
          scope: 'langsmith',
          attributes: {
            ...METADATA,
            'gen_ai.operation.name': 'chain',
            'langsmith.span.kind': 'chain',
            'langsmith.span.tags': 'prod, graph:step:2',
            'gen_ai.system': 'langchain',
            'gen_ai.prompt': '{"q":"Weather?","limit":1.0}',
            'gen_ai.completion': '{"output":"The weather in Paris is sunny."}',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'answer',
      thread_id: 'ls-sess',
      turn_id: call.id,
      attributes: {
        kind: 'chain',
        user_id: 'ada',
        tags: ['prod', 'graph:step:2'],
        metadata: { ls_method: 'traceable' },
      },
      inputs: { q: 'Weather?', limit: 1 },
      output: { output: 'The weather in Paris is sunny.' },
    })
  })

  test('of an agent is a conversation', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'ls_agent',
          scope: 'langsmith',
          attributes: {
            'langsmith.span.kind': 'chain',
            'gen_ai.prompt': '{"messages":[{"role":"user","content":"Weather?"}]}',
            'gen_ai.completion':
              '{"messages":[{"content":"Weather?","additional_kwargs":{},"response_metadata":{},"type":"human","id":"ad5d939a"},{"content":"","additional_kwargs":{"refusal":null},"response_metadata":{"finish_reason":"tool_calls"},"type":"ai","name":"ls_agent","id":"lc_run--1","tool_calls":[{"name":"get_weather","args":{"city":"Paris"},"id":"call_1","type":"tool_call"}],"invalid_tool_calls":[]},{"content":"sunny","additional_kwargs":{},"response_metadata":{},"type":"tool","name":"get_weather","id":"29578e30","tool_call_id":"call_1","status":"success"}]}',
          },
        }),
      ),
    )
    expect(call.inputs).toEqual({
      messages: [{ role: 'user', parts: [{ type: 'text', content: 'Weather?' }] }],
    })
    expect(call.output).toEqual({
      messages: [
        { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
        {
          role: 'assistant',
          name: 'ls_agent',
          finish_reason: 'tool_calls',
          parts: [{ type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: { city: 'Paris' } }],
        },
        {
          role: 'tool',
          name: 'get_weather',
          parts: [{ type: 'tool_call_response', id: 'call_1', name: 'get_weather', response: 'sunny' }],
        },
      ],
    })
  })

  test('of a model call has its messages, and cached tokens of the metadata', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'ChatOpenAI',
          scope: 'langsmith',
          parentSpanId: PARENT_ID,
          attributes: {
            ...METADATA,
            'langsmith.span.kind': 'llm',
            'gen_ai.operation.name': 'chat',
            'gen_ai.system': 'openai',
            'gen_ai.request.model': 'gpt-4o-mini',
            'langsmith.metadata.usage_metadata':
              '{"input_tokens":100,"output_tokens":20,"total_tokens":120,"input_token_details":{"audio":0,"cache_read":40},"output_token_details":{"audio":0,"reasoning":5}}',
            'gen_ai.usage.input_tokens': 100,
            'gen_ai.usage.output_tokens': 20,
            'gen_ai.usage.total_tokens': 120,
            'gen_ai.prompt':
              '{"messages":[[{"lc":1,"type":"constructor","id":["langchain","schema","messages","SystemMessage"],"kwargs":{"content":"brief","type":"system"}},{"lc":1,"type":"constructor","id":["langchain","schema","messages","HumanMessage"],"kwargs":{"content":"Weather?","type":"human","id":"ad5d939a"}}]]}',
            'gen_ai.completion':
              '{"generations":[[{"text":"Sunny.","generation_info":{"finish_reason":"stop","logprobs":null},"type":"ChatGeneration","message":{"lc":1,"type":"constructor","id":["langchain","schema","messages","AIMessage"],"kwargs":{"content":"Sunny.","additional_kwargs":{"refusal":null},"response_metadata":{"model_name":"gpt-4o-mini-2024-07-18"},"type":"ai","id":"lc_run--2","tool_calls":[],"invalid_tool_calls":[]}}}]],"llm_output":{"model_name":"gpt-4o-mini-2024-07-18"},"run":null,"type":"LLMResult"}',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'chat gpt-4o-mini',
      thread_id: 'ls-sess',
      inputs: {
        messages: [
          { role: 'system', parts: [{ type: 'text', content: 'brief' }] },
          { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
        ],
      },
      output: {
        messages: [
          { role: 'assistant', parts: [{ type: 'text', content: 'Sunny.' }], finish_reason: 'stop' },
        ],
        llm_output: { model_name: 'gpt-4o-mini-2024-07-18' },
      },
      summary: {
        usage: {
          'gpt-4o-mini-2024-07-18': {
            prompt_tokens: 100,
            completion_tokens: 20,
            total_tokens: 120,
            cache_read_input_tokens: 40,
            reasoning_tokens: 5,
          },
        },
      },
    })
  })

  test('of a failed model call shows the response without a text as sent', () => {
    const completion =
      '{"generations":[[{"text":"","type":"ChatGeneration","message":{"lc":1,"type":"constructor","id":["langchain","schema","messages","AIMessage"],"kwargs":{"content":"","response_metadata":{"status_code":400},"type":"ai","tool_calls":[]}}}]],"llm_output":null}'
    const call = parsedCall(mapSpan(testSpan({ attributes: { 'gen_ai.completion': completion } })))
    expect(call.output).toEqual(JSON.parse(completion))
  })

  test('of a node of LangGraph has the messages of its update', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          attributes: {
            'langsmith.span.kind': 'chain',
            'gen_ai.completion':
              '{"output": [{"graph": null, "update": {"messages": [{"content": "Sunny.", "additional_kwargs": {}, "response_metadata": {}, "type": "ai", "name": "ls_agent"}]}, "resume": null, "goto": []}]}',
          },
        }),
      ),
    )
    expect(call.output).toEqual({
      messages: [{ role: 'assistant', parts: [{ type: 'text', content: 'Sunny.' }], name: 'ls_agent' }],
    })
  })
})
