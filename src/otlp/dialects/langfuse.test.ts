import { describe, expect, test } from 'vitest'
import { mapSpan } from '../map-span.ts'
import { parsedCall, PARENT_ID, testSpan } from '../../../test/otlp/span-fixture.ts'

describe('a Langfuse span', () => {
  test('of a generation', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'summarize',
          scope: 'langfuse-sdk',
          attributes: {
            'langfuse.observation.type': 'generation',
            'langfuse.observation.input': '[{"role":"user","content":"Hi"}]',
            'langfuse.observation.output': '{"role":"assistant","content":"Hello"}',
            'langfuse.observation.model.name': 'claude-3-5-sonnet',
            'langfuse.observation.model.parameters': '{"temperature": 0.5}',
            'langfuse.observation.usage_details':
              '{"input": 100, "output": 5, "input_cached_tokens": 50, "output_reasoning_tokens": 2}',
            'langfuse.observation.cost_details': '{"input": 0.001, "output": 0.002, "total": 0.003}',
            'langfuse.observation.completion_start_time': '"2025-11-15T00:00:00.250000Z"',
            'langfuse.observation.prompt.name': 'summary',
            'langfuse.observation.prompt.version': 3,
            'langfuse.observation.metadata.topic': 'news',
            'langfuse.trace.metadata.team': '"x"',
            'langfuse.trace.name': 'daily',
            'langfuse.trace.tags': ['a'],
            'langfuse.session.id': 's-1',
            'langfuse.user.id': 'ada',
            'langfuse.environment': 'production',
            'langfuse.release': 'v1',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'summarize',
      display_name: 'daily',
      thread_id: 's-1',
      turn_id: call.id,
      attributes: {
        kind: 'llm',
        model: 'claude-3-5-sonnet',
        user_id: 'ada',
        tags: ['a'],
        environment: 'production',
        release: 'v1',
        prompt: { name: 'summary', version: 3 },
        metadata: { topic: 'news', team: 'x' },
      },
      inputs: {
        messages: [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }],
        parameters: { temperature: 0.5 },
      },
      output: { messages: [{ role: 'assistant', parts: [{ type: 'text', content: 'Hello' }] }] },
      summary: {
        usage: {
          'claude-3-5-sonnet': {
            prompt_tokens: 150,
            completion_tokens: 5,
            total_tokens: 155,
            cache_read_input_tokens: 50,
            reasoning_tokens: 2,
            total_cost: 0.003,
          },
        },
        cost_reported: { total: 0.003, prompt: 0.001, completion: 0.002 },
        ttft_ms: 250,
      },
    })
  })

  test('with the usage of OpenAI includes cached tokens', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          attributes: {
            'langfuse.observation.type': 'generation',
            'langfuse.observation.model.name': 'gpt-4o',
            'langfuse.observation.usage_details':
              '{"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105, "prompt_tokens_details": {"cached_tokens": 50}}',
          },
        }),
      ),
    )
    expect(call.summary).toMatchObject({
      usage: { 'gpt-4o': { prompt_tokens: 100, total_tokens: 105, cache_read_input_tokens: 50 } },
    })
  })

  test.each([
    [
      'the Responses API',
      '{"input_tokens": 100, "input_tokens_details": {"cached_tokens": 40}, "output_tokens": 20, "output_tokens_details": {"reasoning_tokens": 5}, "total_tokens": 120}',
    ],
    [
      'the Responses API without a total',
      '{"input_tokens": 100, "input_tokens_details": {"cached_tokens": 40}, "output_tokens": 20, "output_tokens_details": {"reasoning_tokens": 5}}',
    ],
    [
      'the callback of LangChain',
      '{"input": 60, "output": 15, "total": 120, "input_audio": 0, "input_cache_read": 40, "output_audio": 0, "output_reasoning": 5}',
    ],
  ])('with the usage of %s counts each token once', (_, usage) => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          attributes: {
            'langfuse.observation.type': 'generation',
            'langfuse.observation.model.name': 'gpt-4o-mini',
            'langfuse.observation.usage_details': usage,
          },
        }),
      ),
    )
    expect(call.summary).toMatchObject({
      usage: {
        'gpt-4o-mini': {
          prompt_tokens: 100,
          completion_tokens: 20,
          total_tokens: 120,
          cache_read_input_tokens: 40,
          reasoning_tokens: 5,
        },
      },
    })
    expect(call.attributes).not.toHaveProperty('usage_contradiction')
  })

  test('with tools has messages in the normal form, the tools and all parameters', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          attributes: {
            'langfuse.observation.type': 'generation',
            'langfuse.observation.input':
              '{"tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}], "messages": [{"role": "system", "content": "brief"}, {"role": "user", "content": [{"type": "text", "text": "Weather?"}, {"type": "image_url", "image_url": {"url": "@@@langfuseMedia:type=image/png|id=xBTN|source=base64_data_uri@@@"}}]}]}',
            'langfuse.observation.model.parameters': '{"temperature": 0.3, "top_p": 1}',
          },
        }),
      ),
    )
    expect(call.inputs).toEqual({
      messages: [
        { role: 'system', parts: [{ type: 'text', content: 'brief' }] },
        {
          role: 'user',
          parts: [
            { type: 'text', content: 'Weather?' },
            {
              type: 'image_url',
              image_url: { url: '@@@langfuseMedia:type=image/png|id=xBTN|source=base64_data_uri@@@' },
            },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }],
      // The name is also in the schema of the tool.
      parameters: { temperature: 0.3, top_p: 1 },
    })
  })

  test('with items of the Responses API is a conversation', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          attributes: {
            'langfuse.observation.output':
              '[{"id": "rs_1", "summary": [{"text": "I should look.", "type": "summary_text"}], "type": "reasoning", "content": null}, {"id": "msg_1", "content": [{"annotations": [], "text": "Sunny.", "type": "output_text"}], "role": "assistant", "status": "completed", "type": "message"}]',
          },
        }),
      ),
    )
    expect(call.output).toEqual({
      messages: [
        { role: 'assistant', parts: [{ type: 'reasoning', content: 'I should look.' }] },
        { role: 'assistant', parts: [{ type: 'text', content: 'Sunny.' }] },
      ],
    })
  })

  test('of a child is not named after the trace, and an error has its message', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'fetch',
          parentSpanId: PARENT_ID,
          attributes: {
            'langfuse.observation.type': 'tool',
            'langfuse.observation.input': '{"q": 1.0}',
            'langfuse.observation.level': 'ERROR',
            'langfuse.observation.status_message': 'not found',
            'langfuse.trace.name': 'daily',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'fetch',
      display_name: '',
      exception: 'not found',
      inputs: { q: 1 },
      attributes: { kind: 'tool' },
    })
  })
})
