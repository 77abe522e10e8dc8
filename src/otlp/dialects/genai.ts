import type { Attribute } from '../attribute.ts'
import { evaluationEvents } from '../evaluation.ts'
import { GENAI_OPERATIONS } from '../kinds.ts'
import {
  choiceMessages,
  contentEvents,
  inputMessages,
  messageEvents,
  messageListEvents,
  outputMessages,
  promptMessages,
} from '../genai-messages.ts'
import { inputPayload, outputPayload } from '../payload-readers.ts'
import type { Json } from '../json.ts'
import type { Span, SpanEvent } from '../model.ts'
import { choice, exact, listOfJson, number, text, textList } from '../readers.ts'
import { attribute, kindIs, parameter, usage } from '../rule-builders.ts'
import type { AttributeRule, Dialect } from '../rules.ts'

/** Names under `gen_ai.request.` that become parameters of the same name. */
const PARAMETERS = [
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'stop_sequences',
  'encoding_formats',
  'stream',
  'reasoning_effort',
  'batch',
  'structured_output_schema',
] as const

function requestParameter(name: string, ...from: readonly string[]): AttributeRule {
  return parameter(name, `gen_ai.request.${name}`, ...from)
}

const MESSAGE_EVENTS = [
  'gen_ai.system.message',
  'gen_ai.user.message',
  'gen_ai.assistant.message',
  'gen_ai.tool.message',
]

/** The GenAI semantic conventions: attributes since 1.37, and the events and indexed attributes before. */
export const genai: Dialect = {
  name: 'genai',
  title: 'OpenTelemetry GenAI',
  rules: [
    { field: 'kind', from: ['gen_ai.operation.name'], read: choice(GENAI_OPERATIONS) },
    attribute('gen_ai.operation_name', 'gen_ai.operation.name'),
    { field: 'attributes.provider', from: ['gen_ai.provider.name', 'gen_ai.system'], read: text },
    { field: 'attributes.model', from: ['gen_ai.response.model', 'gen_ai.response_model'], read: text },
    {
      field: 'attributes.model_requested',
      from: ['gen_ai.request.model', 'gen_ai.request_model'],
      read: text,
    },
    { field: 'attributes.response_id', from: ['gen_ai.response.id'], read: text },
    {
      field: 'attributes.finish_reasons',
      from: ['gen_ai.response.finish_reasons', 'anthropic.message.stop_reason'],
      read: textList,
    },
    {
      field: 'attributes.system_fingerprint',
      from: [
        'openai.response.system_fingerprint',
        'gen_ai.openai.response.system_fingerprint',
        'gen_ai.response.system_fingerprint',
      ],
      read: text,
    },

    ...PARAMETERS.map((name) => requestParameter(name)),
    parameter('reasoning_effort', 'gen_ai.request.reasoning.level'),
    { field: 'inputs.parameters.choice_count', from: ['gen_ai.request.choice.count'] },
    { field: 'inputs.parameters.output_type', from: ['gen_ai.output.type'] },
    { field: 'inputs.parameters.dimensions', from: ['gen_ai.embeddings.dimension.count'] },
    requestParameter(
      'service_tier',
      'openai.request.service_tier',
      'gen_ai.openai.request.service_tier',
      'anthropic.request.service_tier',
    ),
    { field: 'inputs.parameters.response_format', from: ['gen_ai.openai.request.response_format'] },
    { field: 'inputs.parameters.seed', from: ['gen_ai.openai.request.seed'] },

    { field: 'inputs.system', from: ['gen_ai.system_instructions'], read: exact },
    { field: 'inputs.messages', from: ['gen_ai.input.messages'], read: inputMessages },
    { field: 'inputs.messages', under: 'gen_ai.prompt.', readGroup: promptMessages },
    { field: 'inputs.messages', events: MESSAGE_EVENTS, readEvents: messageEvents },
    {
      field: 'inputs.messages',
      events: ['gen_ai.content.prompt', 'gen_ai.client.inference.operation.details'],
      readEvents: messageListEvents('user', 'gen_ai.input.messages', 'gen_ai.prompt'),
    },
    { field: 'inputs.messages', from: ['gen_ai.prompt'], read: inputMessages },
    { field: 'output.messages', from: ['gen_ai.output.messages'], read: outputMessages },
    { field: 'output.messages', under: 'gen_ai.completion.', readGroup: choiceMessages },
    { field: 'output.messages', events: ['gen_ai.choice'], readEvents: messageEvents },
    {
      field: 'output.messages',
      events: ['gen_ai.content.completion', 'gen_ai.client.inference.operation.details'],
      readEvents: messageListEvents('assistant', 'gen_ai.output.messages', 'gen_ai.completion'),
    },
    { field: 'output.messages', from: ['gen_ai.completion'], read: outputMessages },
    { field: 'inputs', from: ['gen_ai.tool.call.arguments'], read: exact },
    {
      field: 'inputs',
      events: ['gen_ai.tool.input'],
      readEvents: contentEvents('gen_ai.tool.call.arguments', 'input'),
    },
    { field: 'output', from: ['gen_ai.tool.call.result'], read: exact },
    {
      field: 'output',
      events: ['gen_ai.tool.output', 'tool.output'],
      readEvents: contentEvents('gen_ai.tool.call.result', 'output', 'content'),
    },
    { field: 'inputs', events: ['gen_ai.tool.message'], readEvents: ofTool('content') },
    { field: 'output', events: ['gen_ai.choice'], readEvents: ofTool('message', 'content') },
    { field: 'inputs', from: ['gen_ai.input.messages', 'gen_ai.prompt'], read: inputPayload },
    { field: 'output', from: ['gen_ai.output.messages', 'gen_ai.completion'], read: outputPayload },
    { field: 'inputs.tools', from: ['gen_ai.tool.definitions', 'gen_ai.request.tools'], read: listOfJson },

    usage('prompt_tokens', 'gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'),
    usage('completion_tokens', 'gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'),
    usage('total_tokens', 'gen_ai.usage.total_tokens'),
    usage(
      'cache_read_input_tokens',
      'gen_ai.usage.cache_read.input_tokens',
      'gen_ai.usage.cache_read_input_tokens',
      'gen_ai.usage.input_cached_tokens',
      'gen_ai.usage.details.cache_read_tokens',
      'gen_ai.usage.prompt_tokens_details.cached_tokens',
      'gen_ai.usage.input_tokens_details.cached_tokens',
    ),
    usage(
      'cache_creation_input_tokens',
      'gen_ai.usage.cache_creation.input_tokens',
      'gen_ai.usage.cache_creation_input_tokens',
      'gen_ai.usage.cache_write.input_tokens',
      'gen_ai.usage.details.cache_write_tokens',
    ),
    usage(
      'cache_creation_5m_input_tokens',
      'gen_ai.usage.cache_creation.input_tokens.ephemeral_5m',
      'gen_ai.usage.cache_creation_input_tokens.ephemeral_5m',
      'anthropic.usage.cache_creation.ephemeral_5m_input_tokens',
    ),
    usage(
      'cache_creation_1h_input_tokens',
      'gen_ai.usage.cache_creation.input_tokens.ephemeral_1h',
      'gen_ai.usage.cache_creation_input_tokens.ephemeral_1h',
      'anthropic.usage.cache_creation.ephemeral_1h_input_tokens',
    ),
    usage(
      'reasoning_tokens',
      'gen_ai.usage.reasoning.output_tokens',
      'gen_ai.usage.reasoning_tokens',
      'gen_ai.usage.details.reasoning_tokens',
      'gen_ai.usage.completion_tokens_details.reasoning_tokens',
      'gen_ai.usage.output_tokens_details.reasoning_tokens',
    ),
    usage('text_input_tokens', 'gen_ai.usage.text.input_tokens'),
    usage('image_input_tokens', 'gen_ai.usage.image.input_tokens'),
    usage('audio_input_tokens', 'gen_ai.usage.audio.input_tokens'),
    usage('video_input_tokens', 'gen_ai.usage.video.input_tokens'),
    usage('text_output_tokens', 'gen_ai.usage.text.output_tokens'),
    usage('audio_output_tokens', 'gen_ai.usage.audio.output_tokens'),
    {
      field: 'summary.cost_reported.total',
      from: [
        'gen_ai.usage.cost',
        'gen_ai.usage.total_cost',
        'gen_ai.cost.total',
        'gen_ai.cost.amount',
        'operation.cost',
      ],
      read: number,
    },
    {
      field: 'summary.cost_reported.prompt',
      from: ['gen_ai.usage.input_cost', 'gen_ai.cost.input'],
      read: number,
    },
    {
      field: 'summary.cost_reported.completion',
      from: ['gen_ai.usage.output_cost', 'gen_ai.cost.output'],
      read: number,
    },
    { field: 'feedback.evaluation', events: ['gen_ai.evaluation.result'], readEvents: evaluationEvents },
    {
      field: 'summary.ttft_ms',
      from: [
        'gen_ai.response.time_to_first_chunk',
        'gen_ai.client.operation.time_to_first_chunk',
        'gen_ai.server.time_to_first_token',
      ],
      read: secondsAfterStart,
    },

    attribute('tool.name', 'gen_ai.tool.name'),
    attribute('tool.type', 'gen_ai.tool.type'),
    attribute('tool.description', 'gen_ai.tool.description'),
    attribute('tool.call_id', 'gen_ai.tool.call.id'),
    attribute('agent.id', 'gen_ai.agent.id'),
    attribute('agent.name', 'gen_ai.agent.name'),
    attribute('agent.version', 'gen_ai.agent.version'),
    attribute('agent.description', 'gen_ai.agent.description'),
    attribute('workflow', 'gen_ai.workflow.name'),
    { field: 'inputs.query', from: ['gen_ai.retrieval.query.text', 'gen_ai.memory.query.text'], read: text },
    { field: 'output.documents', from: ['gen_ai.retrieval.documents', 'gen_ai.memory.records'], read: exact },
    attribute('memory.store_id', 'gen_ai.memory.store.id'),
    attribute('memory.record_id', 'gen_ai.memory.record.id'),
    attribute('memory.record_count', 'gen_ai.memory.record.count'),
    attribute('mcp.method', 'mcp.method.name'),
    attribute('mcp.session_id', 'mcp.session.id'),
    attribute('mcp.protocol_version', 'mcp.protocol.version'),
    attribute('mcp.resource_uri', 'mcp.resource.uri'),
    attribute('mcp.request_id', 'jsonrpc.request.id'),
    attribute('prompt.name', 'gen_ai.prompt.name'),
    attribute('prompt.version', 'gen_ai.prompt.version'),

    { field: 'thread_id', from: ['gen_ai.conversation.id', 'session.id'], read: conversationId },
    {
      field: 'attributes.user_id',
      from: ['user.id', 'enduser.id', 'gen_ai.user', 'llm.user', 'gen_ai.request.user'],
      read: text,
    },
    {
      field: 'attributes.environment',
      in: 'resource',
      from: ['deployment.environment.name', 'deployment.environment'],
      read: text,
    },
    {
      field: 'attributes.environment',
      from: ['deployment.environment.name', 'deployment.environment'],
      read: text,
    },

    {
      field: 'kind',
      from: ['mcp.method.name'],
      read: (each) => (each.text === 'tools/call' ? 'tool' : 'mcp'),
    },
    kindIs('tool', 'gen_ai.tool.call.id', 'gen_ai.tool.name'),
    kindIs('retriever', 'gen_ai.retrieval.query.text', 'gen_ai.retrieval.documents'),
    kindIs('embedding', 'gen_ai.embeddings.dimension.count'),
    kindIs('llm', 'gen_ai.input.messages', 'gen_ai.request.model', 'gen_ai.request_model'),
  ],
}

/** Strands writes the arguments of a tool and its result as messages. */
function ofTool(...keys: readonly string[]) {
  const read = contentEvents(...keys)
  return (events: readonly SpanEvent[], { attributes }: Span): Json | undefined =>
    attributes.get('gen_ai.operation.name') === 'execute_tool' ? read(events) : undefined
}

/** Microsoft's Agent Framework sends the id of the previous response, another one for each call. */
function conversationId({ text: id }: Attribute): string | undefined {
  return id?.startsWith('resp_') === true ? undefined : id
}

/** Some senders write milliseconds: as seconds, these would be long after the end. */
function secondsAfterStart({ number }: Attribute, { startNanos, endNanos }: Span): number | undefined {
  if (number === undefined) return undefined
  const durationMs = Number(endNanos - startNanos) / 1e6
  const isInMs = endNanos !== 0n && number <= durationMs && number * 1000 > 2 * durationMs
  return isInMs ? number : number * 1000
}
