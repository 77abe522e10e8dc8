import { describe, expect, test } from 'vitest'
import { mapSpan } from '../map-span.ts'
import { CALL_ID, double, parsedCall, testSpan } from '../../../test/otlp/span-fixture.ts'

describe('an OpenInference span', () => {
  test('of a model call', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'ChatCompletion',
          scope: 'openinference.instrumentation.openai',
          attributes: {
            'openinference.span.kind': 'LLM',
            'llm.system': 'openai',
            'llm.provider': 'azure',
            'llm.model_name': 'gpt-4o-mini-2024-07-18',
            'llm.invocation_parameters': '{"model": "gpt-4o-mini", "temperature": 0.0, "api_key": "secret"}',
            'input.value': '{"messages": []}',
            'input.mime_type': 'application/json',
            'output.value': '{"id": "chatcmpl-1"}',
            'output.mime_type': 'application/json',
            'llm.input_messages.0.message.role': 'system',
            'llm.input_messages.0.message.content': 'Be brief.',
            'llm.input_messages.1.message.role': 'user',
            'llm.input_messages.1.message.contents.0.message_content.type': 'text',
            'llm.input_messages.1.message.contents.0.message_content.text': 'What is this?',
            'llm.input_messages.1.message.contents.1.message_content.type': 'image',
            'llm.input_messages.1.message.contents.1.message_content.image.image.url':
              'data:image/png;base64,iVBORw0=',
            'llm.input_messages.2.message.role': 'assistant',
            'llm.input_messages.2.message.tool_calls.0.tool_call.id': 'call_1',
            'llm.input_messages.2.message.tool_calls.0.tool_call.function.name': 'weather',
            'llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments': '{"city": "Paris"}',
            'llm.input_messages.3.message.role': 'tool',
            'llm.input_messages.3.message.content': '21',
            'llm.input_messages.3.message.tool_call_id': 'call_1',
            'llm.output_messages.0.message.role': 'assistant',
            'llm.output_messages.0.message.content': 'A chart.',
            'llm.tools.0.tool.json_schema': '{"type": "function", "function": {"name": "weather"}}',
            'llm.token_count.prompt': 20,
            'llm.token_count.completion': 4,
            'llm.token_count.total': 24,
            'llm.token_count.prompt_details.cache_read': 8,
            'llm.cost.total': double(0.5),
            'session.id': 's-1',
            'user.id': 'ada',
            'tag.tags': ['a', 'b'],
            metadata: '{"team": "x"}',
          },
        }),
      ),
    )
    expect(call).toEqual(
      expect.objectContaining({
        op_name: 'ChatCompletion',
        thread_id: 's-1',
        inputs: {
          messages: [
            { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
            {
              role: 'user',
              parts: [
                { type: 'text', content: 'What is this?' },
                { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'iVBORw0=' },
              ],
            },
            {
              role: 'assistant',
              parts: [{ type: 'tool_call', id: 'call_1', name: 'weather', arguments: '{"city": "Paris"}' }],
            },
            { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: '21' }] },
          ],
          tools: [{ type: 'function', function: { name: 'weather' } }],
          parameters: { temperature: 0 },
        },
        output: { messages: [{ role: 'assistant', parts: [{ type: 'text', content: 'A chart.' }] }] },
        summary: {
          usage: {
            'gpt-4o-mini-2024-07-18': {
              requests: 1,
              prompt_tokens: 20,
              completion_tokens: 4,
              total_tokens: 24,
              cache_read_input_tokens: 8,
              total_cost: 0.5,
            },
          },
          cost_reported: { total: 0.5 },
        },
      }),
    )
    expect(call.attributes).toMatchObject({
      kind: 'llm',
      provider: 'azure',
      system: 'openai',
      model: 'gpt-4o-mini-2024-07-18',
      user_id: 'ada',
      tags: ['a', 'b'],
      metadata: { team: 'x' },
    })
    expect(call.attributes).not.toHaveProperty('input')
  })

  test('of a chain has its values as inputs and output', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'RunnableSequence',
          attributes: {
            'openinference.span.kind': 'CHAIN',
            'input.value': '{"question": "Why?", "n": 1.0}',
            'input.mime_type': 'application/json',
            'output.value': '[1]',
            'output.mime_type': 'text/plain',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      attributes: { kind: 'chain' },
      inputs: { question: 'Why?', n: 1 },
      output: '[1]',
    })
  })

  test('of a tool', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'weather',
          attributes: {
            'openinference.span.kind': 'TOOL',
            'tool.name': 'get_weather',
            'tool.description': 'Weather of a city',
            'tool.parameters': '{"city": "Paris"}',
            'output.value': '21',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      op_name: 'get_weather',
      display_name: 'weather',
      attributes: { kind: 'tool', tool: { description: 'Weather of a city' } },
      inputs: { city: 'Paris' },
      output: '21',
    })
  })

  test('of a retriever', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'VectorStoreRetriever',
          attributes: {
            'openinference.span.kind': 'RETRIEVER',
            'input.value': 'refund',
            'retrieval.documents.0.document.id': 'a',
            'retrieval.documents.0.document.content': 'Refunds …',
            'retrieval.documents.0.document.score': 0.75,
            'retrieval.documents.0.document.metadata': '{"page": 3}',
            'retrieval.documents.10.document.id': 'c',
            'retrieval.documents.2.document.id': 'b',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      attributes: { kind: 'retriever' },
      inputs: { value: 'refund' },
      output: {
        documents: [
          { id: 'a', content: 'Refunds …', score: 0.75, metadata: { page: 3 } },
          { id: 'b' },
          { id: 'c' },
        ],
      },
    })
  })

  test('of an embedding has texts and no vectors', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'CreateEmbeddings',
          attributes: {
            'openinference.span.kind': 'EMBEDDING',
            'embedding.model_name': 'text-embedding-3-small',
            'embedding.embeddings.0.embedding.text': 'hello',
            'embedding.embeddings.0.embedding.vector': [0.25, 0.5, 0.75],
            'llm.token_count.prompt': 2,
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      attributes: { kind: 'embedding' },
      inputs: { texts: ['hello'] },
      output: { embeddings: [{ dimensions: 3 }] },
      summary: { usage: { 'text-embedding-3-small': { prompt_tokens: 2 } } },
    })
  })

  test('of LangGraph has the question of its value, not the message without content', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          name: 'weather_agent',
          scope: 'openinference.instrumentation.langchain',
          attributes: {
            'openinference.span.kind': 'AGENT',
            'input.value': '{"messages": [{"role": "user", "content": "Weather in Paris?"}]}',
            'input.mime_type': 'application/json',
            'llm.input_messages.0.message.role': 'user',
            'output.value':
              '{"messages": [{"type": "human", "data": {"content": "Weather in Paris?", "additional_kwargs": {}, "response_metadata": {}, "type": "human", "name": null, "id": "21831ad9"}}, {"type": "ai", "data": {"content": "", "additional_kwargs": {"refusal": null}, "response_metadata": {"finish_reason": "tool_calls"}, "type": "ai", "name": "weather_agent", "id": "lc_run--1", "tool_calls": [{"name": "get_weather", "args": {"city": "Paris"}, "id": "call_1", "type": "tool_call"}], "invalid_tool_calls": []}}, {"type": "tool", "data": {"content": "sunny", "additional_kwargs": {}, "response_metadata": {}, "type": "tool", "name": "get_weather", "id": "29578e30", "tool_call_id": "call_1", "artifact": null, "status": "success"}}, {"type": "AIMessageChunk", "data": {"content": "Sunny.", "type": "AIMessageChunk", "name": null}}]}',
            'output.mime_type': 'application/json',
          },
        }),
      ),
    )
    expect(call.inputs).toEqual({
      messages: [{ role: 'user', parts: [{ type: 'text', content: 'Weather in Paris?' }] }],
    })
    expect(call.output).toMatchObject({
      messages: [
        { role: 'user', parts: [{ type: 'text', content: 'Weather in Paris?' }] },
        {
          role: 'assistant',
          parts: [{ type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: { city: 'Paris' } }],
        },
        {
          role: 'tool',
          parts: [{ type: 'tool_call_response', id: 'call_1', name: 'get_weather', response: 'sunny' }],
        },
        { role: 'assistant', parts: [{ type: 'text', content: 'Sunny.' }] },
      ],
    })
  })

  test.each([
    ['a message with content among others without', { 'llm.input_messages.1.message.content': 'Weather?' }],
    ['a value that is no list of messages', { 'input.value': '{"question": "Weather?"}' }],
  ])('with messages without content has %s', (_, attributes) => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          attributes: {
            'llm.input_messages.0.message.role': 'user',
            'input.value':
              '{"messages": [{"role": "user", "content": "Hi"}, {"role": "user", "content": "Weather?"}]}',
            ...attributes,
          },
        }),
      ),
    )
    const isList = !('input.value' in attributes)
    expect(call.inputs).toEqual(
      isList
        ? {
            messages: [
              { role: 'user', parts: [{ type: 'text', content: 'Hi' }] },
              { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
            ],
          }
        : { question: 'Weather?' },
    )
  })

  test('with nothing but a message without content has this message', () => {
    const call = parsedCall(
      mapSpan(testSpan({ attributes: { 'llm.output_messages.0.message.role': 'assistant' } })),
    )
    expect(call.output).toEqual({ messages: [{ role: 'assistant', parts: [] }] })
  })

  test('of a failed model call has the model that was requested', () => {
    const call = parsedCall(
      mapSpan(
        testSpan({
          statusCode: 2,
          attributes: {
            'openinference.span.kind': 'LLM',
            'llm.system': 'openai',
            'llm.invocation_parameters': '{"model": "gpt-fail"}',
          },
        }),
      ),
    )
    expect(call).toMatchObject({
      attributes: { model: 'gpt-fail', model_requested: 'gpt-fail' },
      summary: { usage: { 'gpt-fail': { requests: 1 } } },
    })
  })

  test('with annotations has feedback', () => {
    const { feedback } = mapSpan(
      testSpan({
        attributes: {
          'annotations.0.annotation.name': 'correct',
          'annotations.0.annotation.score': double(1),
          'annotations.0.annotation.annotator_kind': 'HUMAN',
          'annotations.0.annotation.identifier': 'ada',
          'session.evaluations.0.evaluation.name': 'tone',
          'session.evaluations.0.evaluation.label': 'kind',
        },
      }),
    )
    expect(feedback.map(({ payload, ...rest }) => ({ ...rest, payload: payload.text }))).toEqual([
      {
        call_id: CALL_ID,
        feedback_type: 'annotation.correct',
        payload: '{"value":1.0,"annotator_kind":"HUMAN"}',
        key: `${CALL_ID}/span/annotation.correct/ada`,
      },
      {
        call_id: CALL_ID,
        feedback_type: 'evaluation.tone',
        payload: '{"label":"kind","target":"session"}',
        key: `${CALL_ID}/session/evaluation.tone/#0`,
      },
    ])
  })
})
