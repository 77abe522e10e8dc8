import type { AttributeValue, Resource, Scope, Span } from '../../src/otlp/model.ts'
import { makeSpan } from '../../test/otlp/make-span.ts'
import { makeCall, type MadeCall, randomFrom } from '../ingest/calls.ts'

/** Generates spans of chats with a model: the texts of bench/ingest, 3.4 KB per span on average. */

/** Placeholders; templates.ts overwrites them with values of the same length. The number of the span follows. */
export const TRACE_MARK = 'fa57'
export const SPAN_MARK = 'fa58'
const NUMBER_DIGITS = 12
export const START_NANOS = 1_767_225_600_000_000_000n
export const END_NANOS = START_NANOS + 1_500_000_000n

/** The same spans in every process. */
export const SEED = 15

export const DIALECTS = ['genai', 'openinference'] as const
export type SpanDialect = (typeof DIALECTS)[number]

const RESOURCE: Resource = {
  attributes: new Map<string, AttributeValue>([
    ['service.name', 'bench'],
    ['service.version', '1.4.2'],
    ['service.instance.id', 'bench-7c9d4b5f6-x2x9q'],
    ['deployment.environment.name', 'production'],
    ['host.name', 'node-17'],
    ['process.pid', 4711n],
    ['process.runtime.name', 'cpython'],
    ['process.runtime.version', '3.12.4'],
    ['telemetry.sdk.language', 'python'],
    ['telemetry.sdk.name', 'opentelemetry'],
    ['telemetry.sdk.version', '1.38.0'],
  ]),
  schemaUrl: '',
}

const SCOPE: Scope = {
  name: 'opentelemetry.instrumentation.openai_v2',
  version: '2.2b0',
  attributes: new Map(),
  schemaUrl: 'https://opentelemetry.io/schemas/1.37.0',
}

interface Chat {
  readonly model: string
  readonly system: string
  readonly prompt: string
  readonly reply: string
  readonly promptTokens: bigint
  readonly completionTokens: bigint
}

export function makeSpans(count: number, seed: number, dialect: SpanDialect): Span[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, (_, n) => {
    const number = n.toString(16).padStart(NUMBER_DIGITS, '0')
    const chat = chatOf(makeCall(random))
    return makeSpan({
      resource: RESOURCE,
      scope: SCOPE,
      traceId: `0af7651916cd43dd${TRACE_MARK}${number}`,
      spanId: `${SPAN_MARK}${number}`,
      parentSpanId: '00f067aa0ba902b7',
      flags: 257,
      name: `chat ${chat.model}`,
      kind: 3,
      startNanos: START_NANOS,
      endNanos: END_NANOS,
      attributes: ATTRIBUTES[dialect](chat, n),
    })
  })
}

function chatOf({ start, end }: MadeCall): Chat {
  const { model, messages } = start.inputs as { model: string; messages: { content: string }[] }
  const { choices } = end.output as { choices: { message: { content: string } }[] }
  const reply = choices[0]?.message.content ?? ''
  const [system = '', prompt = ''] = messages.map(({ content }) => content)
  const tokens = (text: string): bigint => BigInt(text.length >> 2)
  return {
    model,
    system,
    prompt,
    reply,
    promptTokens: tokens(system) + tokens(prompt),
    completionTokens: tokens(reply),
  }
}

const text = (content: string): object => ({ type: 'text', content })

const ATTRIBUTES: Readonly<Record<SpanDialect, (chat: Chat, n: number) => Span['attributes']>> = {
  genai: ({ model, system, prompt, reply, promptTokens, completionTokens }, n) =>
    new Map<string, AttributeValue>([
      ['gen_ai.operation.name', 'chat'],
      ['gen_ai.provider.name', 'openai'],
      ['gen_ai.request.model', model],
      ['gen_ai.request.temperature', 0.7],
      ['gen_ai.request.max_tokens', 1024n],
      ['gen_ai.response.model', `${model}-2026-01-15`],
      ['gen_ai.response.id', `chatcmpl-${n}`],
      ['gen_ai.response.finish_reasons', ['stop']],
      ['gen_ai.usage.input_tokens', promptTokens],
      ['gen_ai.usage.output_tokens', completionTokens],
      ['gen_ai.conversation.id', `conversation-${n % 20}`],
      ['server.address', 'api.openai.com'],
      ['server.port', 443n],
      ['gen_ai.system_instructions', JSON.stringify([text(system)])],
      ['gen_ai.input.messages', JSON.stringify([{ role: 'user', parts: [text(prompt)] }])],
      [
        'gen_ai.output.messages',
        JSON.stringify([{ role: 'assistant', parts: [text(reply)], finish_reason: 'stop' }]),
      ],
    ]),
  openinference: ({ model, system, prompt, reply, promptTokens, completionTokens }, n) =>
    new Map<string, AttributeValue>([
      ['openinference.span.kind', 'LLM'],
      ['llm.system', 'openai'],
      ['llm.provider', 'openai'],
      ['llm.model_name', `${model}-2026-01-15`],
      ['llm.invocation_parameters', JSON.stringify({ model, temperature: 0.7, max_tokens: 1024 })],
      ['session.id', `conversation-${n % 20}`],
      ['user.id', `user-${n % 50}`],
      ['llm.token_count.prompt', promptTokens],
      ['llm.token_count.completion', completionTokens],
      ['llm.token_count.total', promptTokens + completionTokens],
      ['input.mime_type', 'text/plain'],
      ['llm.input_messages.0.message.role', 'system'],
      ['llm.input_messages.0.message.content', system],
      ['llm.input_messages.1.message.role', 'user'],
      ['llm.input_messages.1.message.content', prompt],
      ['llm.output_messages.0.message.role', 'assistant'],
      ['llm.output_messages.0.message.content', reply],
    ]),
}
