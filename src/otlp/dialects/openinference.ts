import type { Attribute } from '../attribute.ts'
import { annotations } from '../evaluation.ts'
import { choiceMessages, promptMessages } from '../genai-messages.ts'
import { isList, isObject, type Json } from '../json.ts'
import { KIND_NAMES } from '../kinds.ts'
import type { SpanEvent, Span } from '../model.ts'
import {
  documents,
  embeddingSizes,
  embeddingTexts,
  parsed,
  typedPayload,
  unwrapped,
} from '../payload-readers.ts'
import { choice, exact, json, nonEmpty, number, text, textList, textMember } from '../readers.ts'
import { attribute, parameter, textAttribute, usage } from '../rule-builders.ts'
import type { Dialect } from '../rules.ts'

/** OpenInference, the conventions of Arize Phoenix. */
export const openinference: Dialect = {
  name: 'openinference',
  title: 'OpenInference',
  ignores: ['input.mime_type', 'output.mime_type'],
  rules: [
    { field: 'kind', from: ['openinference.span.kind'], read: choice(KIND_NAMES) },
    { field: 'display_name', from: ['graph.node.name'], read: text },
    textAttribute(
      'model',
      'llm.response.model_name',
      'llm.model_name',
      'embedding.model_name',
      'reranker.model_name',
    ),
    textAttribute('model_requested', 'llm.request.model_name'),
    // Failed requests have no other.
    { field: 'attributes.model_requested', from: ['llm.invocation_parameters'], read: textMember('model') },
    textAttribute('provider', 'llm.provider', 'llm.system'),
    textAttribute('system', 'llm.system'),
    { field: 'attributes.finish_reasons', from: ['llm.finish_reason'], read: textList },

    { field: 'inputs.messages', under: 'llm.input_messages.', readGroup: promptMessages },
    { field: 'inputs.prompt', under: 'llm.prompts.', readGroup: texts('prompt') },
    { field: 'inputs.query', from: ['reranker.query'], read: text },
    { field: 'inputs.documents', under: 'reranker.input_documents.', readGroup: documents },
    { field: 'inputs.texts', under: 'embedding.embeddings.', readGroup: embeddingTexts },
    { field: 'inputs.tools', under: 'llm.tools.', readGroup: toolSchemas },
    {
      field: 'inputs.parameters',
      from: ['llm.invocation_parameters', 'embedding.invocation_parameters'],
      read: parameters,
    },
    parameter('top_k', 'reranker.top_k'),
    { field: 'inputs', from: ['input.value'], read: typedPayload('input.mime_type', 'user') },
    { field: 'inputs', from: ['tool.parameters'], read: exact },
    { field: 'output.messages', under: 'llm.output_messages.', readGroup: choiceMessages },
    { field: 'output.choices', under: 'llm.choices.', readGroup: texts('completion') },
    { field: 'output.documents', under: 'retrieval.documents.', readGroup: documents },
    { field: 'output.documents', under: 'reranker.output_documents.', readGroup: documents },
    { field: 'output.embeddings', under: 'embedding.embeddings.', readGroup: embeddingSizes },
    { field: 'output', from: ['output.value'], read: typedPayload('output.mime_type', 'assistant') },

    usage('prompt_tokens', 'llm.token_count.prompt'),
    usage('completion_tokens', 'llm.token_count.completion'),
    usage('total_tokens', 'llm.token_count.total'),
    usage(
      'cache_read_input_tokens',
      'llm.token_count.prompt_details.cache_read',
      'llm.token_count.prompt_details.cache_input',
    ),
    usage('cache_creation_input_tokens', 'llm.token_count.prompt_details.cache_write'),
    usage('reasoning_tokens', 'llm.token_count.completion_details.reasoning'),
    usage('audio_input_tokens', 'llm.token_count.prompt_details.audio'),
    usage('audio_output_tokens', 'llm.token_count.completion_details.audio'),
    { field: 'summary.cost_reported.total', from: ['llm.cost.total'], read: number },
    { field: 'summary.cost_reported.prompt', from: ['llm.cost.prompt'], read: number },
    { field: 'summary.cost_reported.completion', from: ['llm.cost.completion'], read: number },
    { field: 'summary.ttft_ms', events: ['First Token Stream Event'], readEvents: millisecondsAfterStart },

    attribute('tool.name', 'tool.name'),
    attribute('tool.description', 'tool.description'),
    attribute('tool.call_id', 'tool.id', 'tool_call.id'),
    { field: 'attributes.tool.json_schema', from: ['tool.json_schema'], read: json },
    attribute('agent.name', 'agent.name'),
    attribute('graph.node_id', 'graph.node.id'),
    attribute('graph.node_name', 'graph.node.name'),
    attribute('graph.parent_id', 'graph.node.parent_id'),
    { field: 'attributes.tags', from: ['tag.tags'], read: textList },
    { field: 'metadata', from: ['metadata'], read: (each) => (isObject(each.json) ? each.json : undefined) },
    attribute('prompt.id', 'prompt.id'),
    attribute('prompt.url', 'prompt.url'),
    attribute('prompt.vendor', 'prompt.vendor'),
    attribute('prompt.template', 'llm.prompt_template.template'),
    { field: 'attributes.prompt.variables', from: ['llm.prompt_template.variables'], read: json },
    attribute('prompt.version', 'llm.prompt_template.version'),

    { field: 'feedback.annotation', under: 'annotations.', readGroup: annotations('annotation') },
    { field: 'feedback.evaluation', under: 'evaluations.', readGroup: annotations('evaluation') },
    { field: 'feedback.annotation.trace', under: 'trace.annotations.', readGroup: annotations('annotation') },
    { field: 'feedback.evaluation.trace', under: 'trace.evaluations.', readGroup: annotations('evaluation') },
    {
      field: 'feedback.annotation.session',
      under: 'session.annotations.',
      readGroup: annotations('annotation'),
    },
    {
      field: 'feedback.evaluation.session',
      under: 'session.evaluations.',
      readGroup: annotations('evaluation'),
    },
  ],
}

/** Texts of the completion models: `llm.prompts.0.prompt.text`. */
function texts(name: 'prompt' | 'completion') {
  return (members: readonly Attribute[]): Json | undefined => {
    const list = unwrapped(name)(members)
    if (!isList(list)) return undefined
    return nonEmpty(
      list.flatMap((item) => (isObject(item) && typeof item['text'] === 'string' ? [item['text']] : [])),
    )
  }
}

function toolSchemas(members: readonly Attribute[]): Json | undefined {
  const list = unwrapped('tool')(members)
  if (!isList(list)) return undefined
  return list.map((item) => {
    const schema = isObject(item) ? item['json_schema'] : undefined
    return typeof schema === 'string' ? parsed(schema) : item
  })
}

/** Some instrumentations put the whole request here; messages and tools are read elsewhere. */
const NO_PARAMETERS: ReadonlySet<string> = new Set([
  'messages',
  'input',
  'tools',
  'model',
  'api_key',
  'extra_headers',
])

function parameters({ json: given }: Attribute): Json | undefined {
  if (!isObject(given)) return undefined
  return nonEmpty(Object.fromEntries(Object.entries(given).filter(([name]) => !NO_PARAMETERS.has(name))))
}

function millisecondsAfterStart(events: readonly SpanEvent[], { startNanos }: Span): Json | undefined {
  const nanos = (events[0]?.timeNanos ?? 0n) - startNanos
  return nanos >= 0n ? Number(nanos / 1000n) / 1000 : undefined
}
