import { describe, expect, test } from 'vitest'
import { mapSpan } from '../map-span.ts'
import { parsedCall, testSpan } from '../../../test/otlp/span-fixture.ts'

describe('a span of Google ADK', () => {
  test('of a model call', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'call_llm',
          scope: 'gcp.vertex.agent',
          attributes: {
            'gen_ai.system': 'gcp.vertex.agent',
            'gen_ai.request.model': 'gemini-2.5-flash',
            'gcp.vertex.agent.session_id': 's-1',
            'gcp.vertex.agent.invocation_id': 'i-1',
            'gcp.vertex.agent.llm_request':
              '{"model":"gemini-2.5-flash","config":{"system_instruction":"Be brief.","temperature":0.5,"tools":[{"function_declarations":[{"name":"weather"}]}]},"contents":[{"role":"user","parts":[{"text":"Weather?"}]},{"role":"model","parts":[{"function_call":{"id":"1","name":"weather","args":{"city":"Paris"}}}]},{"role":"user","parts":[{"function_response":{"id":"1","name":"weather","response":{"t":21}}}]}]}',
            'gcp.vertex.agent.llm_response':
              '{"content":{"parts":[{"text":"21 °C"}],"role":"model"},"finish_reason":"STOP","usage_metadata":{"prompt_token_count":9,"candidates_token_count":2,"total_token_count":11,"cached_content_token_count":3}}',
            'gen_ai.usage.input_tokens': 9,
            'gen_ai.usage.output_tokens': 2,
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'call_llm',
      thread_id: 's-1',
      attributes: { kind: 'llm', invocation_id: 'i-1', model: 'gemini-2.5-flash' },
      inputs: {
        system: 'Be brief.',
        messages: [
          { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', id: '1', name: 'weather', arguments: { city: 'Paris' } }],
          },
          {
            role: 'user',
            parts: [{ type: 'tool_call_response', id: '1', name: 'weather', response: { t: 21 } }],
          },
        ],
        tools: [{ function_declarations: [{ name: 'weather' }] }],
        parameters: { temperature: 0.5 },
      },
      output: {
        messages: [{ role: 'assistant', parts: [{ type: 'text', content: '21 °C' }], finish_reason: 'STOP' }],
      },
      summary: {
        usage: {
          'gemini-2.5-flash': {
            prompt_tokens: 9,
            completion_tokens: 2,
            total_tokens: 11,
            cache_read_input_tokens: 3,
          },
        },
      },
    })
  })

  test('of a tool', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'execute_tool weather',
          attributes: {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': 'weather',
            'gcp.vertex.agent.llm_request': '{}',
            'gcp.vertex.agent.llm_response': '{}',
            'gcp.vertex.agent.tool_call_args': '{"city":"Paris"}',
            'gcp.vertex.agent.tool_response': '{"t":21}',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'weather',
      attributes: { kind: 'tool' },
      inputs: { city: 'Paris' },
      output: { t: 21 },
    })
  })
})

describe('a span of Claude Code', () => {
  test('of a model call counts cached tokens apart', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'claude_code.llm_request',
          attributes: {
            'session.id': 's-1',
            model: 'claude-opus-4-5',
            'gen_ai.system': 'anthropic',
            input_tokens: 2,
            output_tokens: 12,
            cache_read_tokens: 0,
            cache_creation_tokens: 1,
            new_context: 'Fix the bug',
            'response.model_output': 'Done.',
            stop_reason: 'end_turn',
            ttft_ms: 800,
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'claude_code.llm_request',
      thread_id: 's-1',
      attributes: { kind: 'llm', provider: 'anthropic', finish_reasons: ['end_turn'] },
      inputs: { messages: [{ role: 'user', parts: [{ type: 'text', content: 'Fix the bug' }] }] },
      output: { messages: [{ role: 'assistant', parts: [{ type: 'text', content: 'Done.' }] }] },
      summary: {
        usage: {
          'claude-opus-4-5': { prompt_tokens: 3, completion_tokens: 12, total_tokens: 15 },
        },
        ttft_ms: 800,
      },
    })
  })

  test('of a tool and of an interaction', () => {
    const tool = parsedCall(
      mapSpan(
        testSpan({
          name: 'claude_code.tool',
          attributes: { tool_name: 'Bash', tool_input: '{"command":"ls"}', tool_use_id: 'toolu_1' },
          events: [{ name: 'tool.output', attributes: { output: 'a.txt' } }],
        }),
      ),
    )
    expect(tool).toMatchObject({
      op_name: 'Bash',
      display_name: 'claude_code.tool',
      attributes: { kind: 'tool', tool: { name: 'Bash', call_id: 'toolu_1' } },
      inputs: { command: 'ls' },
      output: 'a.txt',
    })
    const interaction = parsedCall(
      mapSpan(
        testSpan({
          name: 'claude_code.interaction',
          attributes: { user_prompt: 'Fix the bug', 'session.id': 's-1' },
        }),
      ),
    )
    expect(interaction).toMatchObject({
      op_name: 'claude_code.interaction',
      turn_id: interaction.id,
      attributes: { kind: 'agent' },
      inputs: { messages: [{ role: 'user', parts: [{ type: 'text', content: 'Fix the bug' }] }] },
    })
  })
})

test('a span of MLflow', () => {
  const call = parsedCall(
    mapSpan(
      testSpan({
        name: 'Completions',
        attributes: {
          'mlflow.spanType': '"CHAT_MODEL"',
          'mlflow.spanInputs': '{"messages": [{"role": "user", "content": "Hi"}], "model": "gpt-4o"}',
          'mlflow.spanOutputs': '{"choices": []}',
          'mlflow.llm.model': '"gpt-4o"',
          'mlflow.chat.tokenUsage': '{"input_tokens": 5, "output_tokens": 2, "total_tokens": 7}',
          'mlflow.trace.session': '"s-1"',
          'mlflow.trace.user': '"ada"',
        },
      }),
    ),
  )
  expect(call).toMatchObject({
    op_name: 'Completions',
    thread_id: 's-1',
    attributes: { kind: 'llm', user_id: 'ada' },
    inputs: { messages: [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }], model: 'gpt-4o' },
    output: { choices: [] },
    summary: { usage: { 'gpt-4o': { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } } },
  })
})

test('a response of OpenAI in a span of MLflow is a conversation, and keeps what else it has', () => {
  const call = parsedCall(
    mapSpan(
      testSpan({
        attributes: {
          'mlflow.spanType': '"CHAT_MODEL"',
          'mlflow.spanOutputs':
            '{"id": "chatcmpl-1", "choices": [{"finish_reason": "tool_calls", "index": 0, "logprobs": null, "message": {"content": null, "refusal": null, "role": "assistant", "annotations": null, "tool_calls": [{"id": "call_1", "function": {"arguments": "{\\"city\\": \\"Paris\\"}", "name": "get_weather"}, "type": "function"}]}}], "created": 1795128672, "model": "gpt-4o-mini-2024-07-18"}',
        },
      }),
    ),
  )
  expect(call.output).toEqual({
    messages: [
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: '{"city": "Paris"}' }],
        finish_reason: 'tool_calls',
      },
    ],
    id: 'chatcmpl-1',
    created: 1795128672,
    model: 'gpt-4o-mini-2024-07-18',
  })
})

test('a span of Laminar', () => {
  const call = parsedCall(
    mapSpan(
      testSpan({
        name: 'answer',
        attributes: {
          'lmnr.span.type': 'LLM',
          'lmnr.span.input': '[{"role":"user","content":"Hi"}]',
          'lmnr.span.output': '"Hello"',
          'lmnr.span.path': ['root', 'answer'],
          'lmnr.association.properties.session_id': 's-1',
          'lmnr.association.properties.user_id': 'ada',
          'lmnr.association.properties.tags': ['a'],
          'lmnr.association.properties.plan': 'free',
        },
      }),
    ),
  )
  expect(call).toMatchObject({
    thread_id: 's-1',
    attributes: {
      kind: 'llm',
      path: ['root', 'answer'],
      user_id: 'ada',
      tags: ['a'],
      metadata: { plan: 'free' },
    },
    inputs: { messages: [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }] },
    output: 'Hello',
  })
})

test('any other span has its attributes nested, and no inputs', () => {
  const call = parsedCall(
    mapSpan(
      testSpan({
        name: 'GET /users/42/orders',
        kind: 2,
        attributes: {
          'http.request.method': 'GET',
          'http.response.status_code': 200,
          'url.path': '/users/42/orders',
          url: 'conflict',
          kind: 'mine',
          'otel.scope': 'x',
          'http.request.header.cookie': ['secret'],
        },
      }),
    ),
  )
  expect(call).toMatchObject({
    op_name: 'GET /users/{id}/orders',
    display_name: 'GET /users/42/orders',
    inputs: {},
    output: null,
    attributes: {
      kind: 'other',
      http: { request: { method: 'GET' }, response: { status_code: 200 } },
      url: { path: '/users/42/orders' },
      otel: { kind: 'SERVER' },
    },
  })
  expect(JSON.stringify(call.attributes)).not.toContain('secret')
  expect(JSON.stringify(call.attributes)).toContain('conflict')
  expect(JSON.stringify(call.attributes)).toContain('mine')
})

test('attributes named input and output are inputs and output', () => {
  const call = parsedCall(
    mapSpan(
      testSpan({ attributes: { input: '{"a": 1.0}', output: 'b', 'wandb.attributes': '{"x": {"y": 1}}' } }),
    ),
  )
  expect(call).toMatchObject({ inputs: { a: 1 }, output: 'b', attributes: { x: { y: 1 } } })
})

describe('a span of MLflow', () => {
  const map = (attributes: Readonly<Record<string, string>>) =>
    parsedCall(mapSpan(testSpan({ attributes: { 'mlflow.spanType': '"CHAT_MODEL"', ...attributes } })))

  test('of a failed request has the name of the model without quotes', () => {
    expect(map({ model: '"gpt-fail"' }).attributes).toMatchObject({ model: 'gpt-fail' })
    expect(parsedCall(mapSpan(testSpan({ attributes: { model: '"m"' } }))).attributes).toMatchObject({
      model: '"m"',
    })
  })

  test('has the reasoning tokens of its output', () => {
    const { summary } = map({
      model: '"gpt-4o-mini"',
      'mlflow.chat.tokenUsage': '{"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}',
      'mlflow.spanOutputs':
        '{"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 20, "completion_tokens_details": {"reasoning_tokens": 5}}}',
    })
    expect(summary).toMatchObject({
      usage: { 'gpt-4o-mini': { completion_tokens: 20, total_tokens: 120, reasoning_tokens: 5 } },
    })
  })

  test('of embeddings has the tokens of its output', () => {
    const { summary } = map({
      'mlflow.spanType': '"EMBEDDING"',
      model: '"text-embedding-3-small"',
      'mlflow.spanOutputs': '{"data": [], "usage": {"prompt_tokens": 8, "total_tokens": 8}}',
    })
    expect(summary).toMatchObject({
      usage: { 'text-embedding-3-small': { prompt_tokens: 8, total_tokens: 8 } },
    })
  })
})
