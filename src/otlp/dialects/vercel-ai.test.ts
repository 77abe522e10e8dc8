import { describe, expect, test } from 'vitest'
import { mapSpan } from '../map-span.ts'
import { double, PARENT_ID, parsedCall, testSpan } from '../../../test/otlp/span-fixture.ts'

describe('a span of the AI SDK', () => {
  test('version 5, model call', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'ai.streamText.doStream',
          scope: 'ai',
          parentSpanId: PARENT_ID,
          attributes: {
            'operation.name': 'ai.streamText.doStream support',
            'resource.name': 'support',
            'ai.operationId': 'ai.streamText.doStream',
            'ai.telemetry.functionId': 'support',
            'ai.telemetry.metadata.sessionId': 's-1',
            'ai.telemetry.metadata.userId': 'ada',
            'ai.telemetry.metadata.tags': ['a'],
            'ai.telemetry.metadata.plan': 'free',
            'ai.model.id': 'gpt-4o',
            'ai.model.provider': 'openai.responses',
            'ai.settings.maxRetries': 2,
            'ai.request.headers.authorization': 'Bearer secret',
            'ai.prompt.messages':
              '[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"Weather?"}]},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"call_1","toolName":"weather","input":{"city":"Paris"}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"call_1","toolName":"weather","output":{"type":"json","value":{"t":21}}}]}]',
            'ai.prompt.tools': ['{"type":"function","name":"weather"}'],
            'ai.prompt.toolChoice': '{"type":"auto"}',
            'ai.response.finishReason': 'stop',
            'ai.response.text': 'It is 21 °C.',
            'ai.response.reasoning': 'The tool said so.',
            'ai.response.id': 'resp_1',
            'ai.response.model': 'gpt-4o-2024-08-06',
            'ai.response.msToFirstChunk': double(120),
            'ai.usage.inputTokens': 30,
            'ai.usage.outputTokens': 6,
            'ai.usage.totalTokens': 36,
            'ai.usage.cachedInputTokens': 10,
            'gen_ai.system': 'openai.responses',
            'gen_ai.request.model': 'gpt-4o',
            'gen_ai.usage.input_tokens': 30,
            'gen_ai.usage.output_tokens': 6,
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'ai.streamText.doStream gpt-4o',
      thread_id: 's-1',
      turn_id: '',
      inputs: {
        messages: [
          { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
          { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', id: 'call_1', name: 'weather', arguments: { city: 'Paris' } }],
          },
          {
            role: 'tool',
            parts: [{ type: 'tool_call_response', id: 'call_1', name: 'weather', response: { t: 21 } }],
          },
        ],
        tools: [{ type: 'function', name: 'weather' }],
        tool_choice: { type: 'auto' },
        parameters: { maxRetries: 2 },
      },
      output: {
        messages: [
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', content: 'The tool said so.' },
              { type: 'text', content: 'It is 21 °C.' },
            ],
            finish_reason: 'stop',
          },
        ],
      },
      summary: {
        usage: {
          'gpt-4o-2024-08-06': { prompt_tokens: 30, completion_tokens: 6, cache_read_input_tokens: 10 },
        },
        ttft_ms: 120,
      },
    })
    expect(call.attributes).toMatchObject({
      kind: 'llm',
      provider: 'openai',
      user_id: 'ada',
      tags: ['a'],
      metadata: { plan: 'free' },
    })
    expect(JSON.stringify(call.attributes)).not.toContain('secret')
  })

  test('version 5, outer span', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'ai.generateText',
          attributes: {
            'ai.operationId': 'ai.generateText',
            'ai.telemetry.functionId': 'support',
            'ai.prompt': '{"system":"Be brief.","prompt":"Hi"}',
            'ai.response.text': 'Hello',
            'ai.usage.inputTokens': 30,
            'ai.usage.outputTokens': 6,
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'ai.generateText support',
      attributes: { kind: 'agent', usage_reported: { prompt_tokens: 30 } },
      inputs: { system: 'Be brief.', prompt: 'Hi' },
      output: { messages: [{ role: 'assistant', parts: [{ type: 'text', content: 'Hello' }] }] },
      summary: {},
    })
  })

  test('version 4', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'ai.generateText.doGenerate',
          attributes: {
            'ai.operationId': 'ai.generateText.doGenerate',
            'ai.model.id': 'claude-3',
            'ai.result.toolCalls':
              '[{"toolCallType":"function","toolCallId":"1","toolName":"weather","args":"{}"}]',
            'ai.finishReason': 'tool-calls',
            'ai.usage.promptTokens': 5,
            'ai.usage.completionTokens': 2,
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      output: {
        messages: [
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', id: '1', name: 'weather', arguments: '{}' }],
            finish_reason: 'tool-calls',
          },
        ],
      },
      summary: { usage: { 'claude-3': { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } } },
    })
  })

  test('version 7 follows the GenAI conventions', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'step 3',
          scope: 'gen_ai',
          attributes: {
            'gen_ai.operation.name': 'agent_step',
            'ai.settings.context.tenant': 'acme',
            'gen_ai.usage.input_tokens': 3,
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'step',
      display_name: 'step 3',
      attributes: { kind: 'agent', metadata: { tenant: 'acme' }, usage_reported: { prompt_tokens: 3 } },
      summary: {},
    })
  })

  test('of a tool', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'ai.toolCall',
          attributes: {
            'ai.operationId': 'ai.toolCall',
            'ai.toolCall.name': 'weather',
            'ai.toolCall.id': 'call_1',
            'ai.toolCall.args': '{"city":"Paris"}',
            'ai.toolCall.result': '{"t":21.0}',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'weather',
      attributes: { kind: 'tool', tool: { call_id: 'call_1' } },
      inputs: { city: 'Paris' },
      output: { t: 21 },
    })
  })

  test('of an object', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'ai.generateObject.doGenerate',
          attributes: {
            'ai.operationId': 'ai.generateObject.doGenerate',
            'ai.model.id': 'gpt-4o',
            'ai.response.object': '{"name":"Ada"}',
          },
        }),
      ),
    )
    expect(call).toMatchObject({ attributes: { kind: 'llm' }, output: { name: 'Ada' } })
  })

  test('counts the usage of an embedding once', () => {
    const usage = (operation: string) =>
      parsedCall(
        mapSpan(
          testSpan({
            name: operation,
            attributes: {
              'ai.operationId': operation,
              'ai.model.id': 'embed',
              'ai.value': '"hello"',
              'ai.embedding': '[0.5,0.25]',
              'ai.usage.tokens': 4,
            },
          }),
        ),
      )
    expect(usage('ai.embed')).toMatchObject({
      attributes: { usage_reported: { prompt_tokens: 4 } },
      summary: {},
    })
    expect(usage('ai.embed.doEmbed')).toMatchObject({
      inputs: { texts: ['hello'] },
      output: { embeddings: [{ dimensions: 2 }] },
      summary: { usage: { embed: { prompt_tokens: 4 } } },
    })
  })
})

test.each([
  ['a Buffer', '{"type":"Buffer","data":[137,80,78,71]}'],
  ['a Uint8Array', '{"0":137,"1":80,"2":78,"3":71}'],
])('an image that was written as %s is an image', (_, image) => {
  const prompt = `{"messages":[{"role":"user","content":[{"type":"image","image":${image},"mediaType":"image/png"}]}]}`
  const call = parsedCall(mapSpan(testSpan({ attributes: { 'ai.prompt': prompt } })))
  expect(call.inputs).toEqual({
    messages: [
      {
        role: 'user',
        parts: [{ type: 'blob', modality: 'image', mime_type: 'image/png', content: 'iVBORw==' }],
      },
    ],
  })
})
