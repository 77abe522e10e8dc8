import type { Span } from '../../src/otlp/model.ts'
import { makeSpan, newSpanIds } from './make-span.ts'

/** Spans as Weave's SDK sends them for conversations. */

const START = BigInt(Date.UTC(2026, 3, 1)) * 1_000_000n

export type Attributes = Record<string, string | bigint | number | boolean>

interface SpanFields extends Partial<Omit<Span, 'attributes'>> {
  readonly second: number
  readonly seconds?: number
}

export function span(
  name: string,
  attributes: Attributes,
  { second, seconds = 1, ...fields }: SpanFields,
): Span {
  const startNanos = START + BigInt(second) * 1_000_000_000n
  const endNanos = startNanos + BigInt(seconds * 1000) * 1_000_000n
  const scope = { name: 'weave.conversation', version: '', attributes: new Map(), schemaUrl: '' }
  return makeSpan({
    name,
    scope,
    startNanos,
    endNanos,
    attributes: new Map(Object.entries(attributes)),
    ...fields,
  })
}

export const messages = (role: string, text: string): string =>
  JSON.stringify([{ role, parts: [{ type: 'text', content: text }] }])

const CONVERSATION = { 'gen_ai.conversation.id': 'conv-1', 'gen_ai.conversation.name': 'Weather' }

/** A turn: an agent that asks a model, calls a tool, and asks another agent. */
export function turn(second: number, version: string, fields: Partial<Span> = {}) {
  const { traceId } = newSpanIds()
  const root = span(
    'invoke_agent bot',
    {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'bot',
      'gen_ai.agent.version': version,
      'gen_ai.input.messages': messages('user', 'weather?'),
      ...CONVERSATION,
    },
    { second, seconds: 10, traceId, ...fields },
  )
  const inside = { traceId, parentSpanId: root.spanId }
  const chat = span(
    'chat gpt-4o',
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.model': 'gpt-4o-2024',
      'gen_ai.provider.name': 'openai',
      'gen_ai.input.messages': messages('user', 'weather?'),
      'gen_ai.output.messages': messages('assistant', 'Rain tomorrow.'),
      'gen_ai.usage.input_tokens': 5n,
      'gen_ai.usage.output_tokens': 7n,
      'team.name': 'north',
      'team.size': 4n,
      'team.share': 0.5,
      'team.active': true,
      ...CONVERSATION,
    },
    { ...inside, second: second + 1 },
  )
  const tool = span(
    'execute_tool search',
    {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'search',
      'gen_ai.tool.call.id': 't-1',
      'gen_ai.tool.call.arguments': '{"q":"rain"}',
      'gen_ai.tool.call.result': '{"found":1}',
      ...CONVERSATION,
    },
    { ...inside, second: second + 2 },
  )
  const helper = span(
    'invoke_agent helper',
    { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper', ...CONVERSATION },
    { ...inside, second: second + 3, seconds: 2 },
  )
  const inner = span(
    'chat mini',
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'mini',
      'gen_ai.agent.name': 'helper',
      'gen_ai.output.messages': messages('assistant', 'from the helper'),
      'gen_ai.usage.input_tokens': 100n,
      ...CONVERSATION,
    },
    { traceId, parentSpanId: helper.spanId, second: second + 4 },
  )
  return { root, chat, tool, helper, inner, all: [root, chat, tool, helper, inner] }
}
