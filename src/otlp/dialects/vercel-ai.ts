import type { Attribute } from '../attribute.ts'
import { isAbsent, isList, isObject, type Json, type JsonObject } from '../json.ts'
import { parsedValue, inputMessages } from '../genai-messages.ts'
import { normalMessage, normalMessages } from '../messages.ts'
import type { Span } from '../model.ts'
import { vectorSizes } from '../payload-readers.ts'
import { choice, exact, groupObject, json, listOfJson, member, nonEmpty, text, textList } from '../readers.ts'
import { attribute, parameter, textAttribute, usage } from '../rule-builders.ts'
import type { Dialect } from '../rules.ts'

const OPERATIONS = {
  'ai.generatetext': 'agent',
  'ai.streamtext': 'agent',
  'ai.generateobject': 'agent',
  'ai.streamobject': 'agent',
  'ai.generatetext.dogenerate': 'llm',
  'ai.streamtext.dostream': 'llm',
  'ai.generateobject.dogenerate': 'llm',
  'ai.streamobject.dostream': 'llm',
  'ai.toolcall': 'tool',
  'ai.embed': 'embedding',
  'ai.embedmany': 'embedding',
  'ai.embed.doembed': 'embedding',
  'ai.embedmany.doembed': 'embedding',
  'ai.rerank': 'reranker',
  'ai.rerank.dorerank': 'reranker',
}

/** Spans around a model call, which report its usage too. */
const OUTER_OPERATIONS: ReadonlySet<string> = new Set(['ai.embed', 'ai.embedMany', 'ai.rerank'])

const RESPONSE = [
  'ai.response.text',
  'ai.response.toolCalls',
  'ai.response.reasoning',
  'ai.response.files',
] as const

/** The AI SDK of Vercel, versions 3 to 6; version 7 follows the GenAI conventions, with these attributes as extras. */
export const vercelAi: Dialect = {
  name: 'vercel-ai',
  title: 'Vercel AI SDK',
  ignores: ['ai.prompt.format', 'operation.name'],
  rules: [
    { field: 'kind', from: ['ai.operationId'], read: choice(OPERATIONS) },
    {
      field: 'counts_usage',
      from: ['ai.operationId'],
      read: (each) => !OUTER_OPERATIONS.has(each.text ?? ''),
    },
    textAttribute('gen_ai.operation_name', 'ai.operationId'),
    attribute('agent.name', 'ai.telemetry.functionId', 'resource.name'),
    textAttribute('model', 'ai.response.model'),
    textAttribute('model_requested', 'ai.model.id'),
    { field: 'attributes.provider', from: ['ai.model.provider'], read: provider },
    textAttribute('response_id', 'ai.response.id'),
    attribute('response_timestamp', 'ai.response.timestamp'),
    {
      field: 'attributes.finish_reasons',
      from: ['ai.response.finishReason', 'ai.finishReason'],
      read: textList,
    },
    { field: 'attributes.provider_metadata', from: ['ai.response.providerMetadata'], read: json },

    { field: 'inputs.messages', from: ['ai.prompt.messages'], read: inputMessages },
    { field: 'inputs.messages', from: ['ai.prompt'], read: promptMember('messages') },
    { field: 'inputs.system', from: ['ai.prompt'], read: member('system') },
    { field: 'inputs.prompt', from: ['ai.prompt'], read: member('prompt') },
    { field: 'inputs', from: ['ai.prompt'], read: exact },
    { field: 'inputs.texts', from: ['ai.values', 'ai.value', 'ai.documents'], read: valueList },
    { field: 'inputs.tools', from: ['ai.prompt.tools'], read: listOfJson },
    { field: 'inputs.tool_choice', from: ['ai.prompt.toolChoice'], read: json },
    { field: 'inputs.parameters', under: 'ai.settings.', readGroup: settings },
    { field: 'inputs.parameters.schema', from: ['ai.schema'], read: json },
    parameter('schema_name', 'ai.schema.name'),
    parameter('schema_description', 'ai.schema.description'),
    { field: 'inputs', from: ['ai.toolCall.args'], read: exact },
    { field: 'output.messages', from: RESPONSE, read: (_, span) => responseMessage(span, 'ai.response.') },
    {
      field: 'output.messages',
      from: ['ai.result.text', 'ai.result.toolCalls'],
      read: (_, span) => responseMessage(span, 'ai.result.'),
    },
    {
      field: 'output',
      from: ['ai.toolCall.result', 'ai.response.object', 'ai.result.object', 'ai.ranking'],
      read: exact,
    },
    { field: 'output.embeddings', from: ['ai.embeddings', 'ai.embedding'], read: embeddingSizes },

    usage('prompt_tokens', 'ai.usage.inputTokens', 'ai.usage.promptTokens', 'ai.usage.tokens'),
    usage('completion_tokens', 'ai.usage.outputTokens', 'ai.usage.completionTokens'),
    usage('total_tokens', 'ai.usage.totalTokens'),
    usage(
      'cache_read_input_tokens',
      'ai.usage.inputTokenDetails.cacheReadTokens',
      'ai.usage.cachedInputTokens',
    ),
    usage('cache_creation_input_tokens', 'ai.usage.inputTokenDetails.cacheWriteTokens'),
    usage('reasoning_tokens', 'ai.usage.outputTokenDetails.reasoningTokens', 'ai.usage.reasoningTokens'),
    usage('text_output_tokens', 'ai.usage.outputTokenDetails.textTokens'),
    {
      field: 'summary.ttft_ms',
      from: ['ai.response.msToFirstChunk', 'ai.stream.msToFirstChunk'],
      read: (each) => each.number,
    },
    {
      field: 'summary.ttft_ms',
      events: ['ai.stream.firstChunk'],
      readEvents: ([event]) => {
        const value =
          event?.attributes.get('ai.response.msToFirstChunk') ??
          event?.attributes.get('ai.stream.msToFirstChunk')
        return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
      },
    },

    attribute('tool.name', 'ai.toolCall.name'),
    attribute('tool.call_id', 'ai.toolCall.id'),
    {
      field: 'thread_id',
      from: [
        'ai.telemetry.metadata.sessionId',
        'ai.telemetry.metadata.session_id',
        'ai.telemetry.metadata.threadId',
        'ai.telemetry.metadata.thread_id',
      ],
      read: text,
    },
    textAttribute('user_id', 'ai.telemetry.metadata.userId', 'ai.telemetry.metadata.user_id'),
    { field: 'attributes.tags', from: ['ai.telemetry.metadata.tags'], read: textList },
    { field: 'metadata', under: 'ai.telemetry.metadata.', readGroup: (members) => groupObject(members) },
    { field: 'metadata', under: 'ai.settings.', readGroup: runtimeContext },
  ],
}

/** `openai.chat` and `openai.responses` are one provider. */
function provider({ text: name }: Attribute): string | undefined {
  return name?.split('.')[0]
}

function promptMember(name: string) {
  return ({ json: prompt }: Attribute): Json | undefined => {
    const value = isObject(prompt) ? prompt[name] : undefined
    return isList(value) ? nonEmpty(normalMessages(value, 'user')) : undefined
  }
}

const CONTEXT = 'context.'

function settings(members: readonly Attribute[]): JsonObject | undefined {
  return groupObject(members.filter(({ name }) => !name.startsWith(CONTEXT)))
}

/** The runtime context of version 7 is metadata. */
function runtimeContext(members: readonly Attribute[]): Json | undefined {
  const found = groupObject(members.filter(({ name }) => name.startsWith(CONTEXT)))
  return found?.['context']
}

function valueList(attribute: Attribute): Json | undefined {
  const list = listOfJson(attribute)
  return list ?? (attribute.text === undefined ? undefined : [attribute.json])
}

function embeddingSizes(attribute: Attribute): Json | undefined {
  const { json: value } = attribute
  if (!isList(value)) return undefined
  const vectors = value.some((item) => typeof item === 'string' || isList(item)) ? value : [value]
  return nonEmpty(vectorSizes(vectors))
}

/** The response is spread over several attributes. */
function responseMessage({ attributes }: Span, prefix: string): Json | undefined {
  const get = (name: string): Json | undefined => {
    const value = attributes.get(`${prefix}${name}`)
    return value === undefined || isAbsent(value) ? undefined : parsedValue(value)
  }
  const content = attributes.get(`${prefix}text`)
  const files = get('files')
  const parts: Json[] = [
    ...(typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : []),
    ...(isList(files) ? files.map((file) => (isObject(file) ? { ...file, type: 'file' } : file)) : []),
  ]
  const toolCalls = get('toolCalls')
  const reasoning = attributes.get(`${prefix}reasoning`)
  if (parts.length === 0 && toolCalls === undefined && reasoning === undefined) return undefined
  const finish = attributes.get(`${prefix}finishReason`) ?? attributes.get('ai.finishReason')
  return [
    normalMessage(
      {
        role: 'assistant',
        content: parts,
        tool_calls: toolCalls,
        reasoning: typeof reasoning === 'string' ? reasoningText(reasoning) : undefined,
        finish_reason: typeof finish === 'string' ? finish : undefined,
      },
      'assistant',
    ),
  ]
}

/** Newer versions write a list of parts. */
function reasoningText(reasoning: string): string {
  const list = parsedValue(reasoning)
  if (!isList(list)) return reasoning
  return list
    .flatMap((part) => (isObject(part) && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n')
}
