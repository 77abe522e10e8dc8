import type { Attribute } from '../attribute.ts'
import { choiceMessages, promptMessages } from '../genai-messages.ts'
import { isObject, type Json, toJson } from '../json.ts'
import { KIND_NAMES } from '../kinds.ts'
import type { SpanEvent } from '../model.ts'
import { inputPayload, outputPayload, parsed } from '../payload-readers.ts'
import { choice, groupObject, indexed, nest, nonEmpty, text } from '../readers.ts'
import { attribute, kindIs, parameter, textAttribute, usage } from '../rule-builders.ts'
import type { Dialect } from '../rules.ts'

const ASSOCIATION = 'traceloop.association.properties.'

/** Traceloop and OpenLLMetry; messages in the newer versions follow the GenAI conventions. */
export const traceloop: Dialect = {
  name: 'traceloop',
  title: 'Traceloop / OpenLLMetry',
  rules: [
    { field: 'kind', from: ['traceloop.span.kind', 'llm.request.type'], read: choice(KIND_NAMES) },
    textAttribute('gen_ai.operation_name', 'llm.request.type'),
    { field: 'op_name', from: ['traceloop.entity.name'], read: text },
    attribute('path', 'traceloop.entity.path'),
    attribute('version', 'traceloop.entity.version'),
    attribute('workflow', 'traceloop.workflow.name'),
    { field: 'inputs', from: ['traceloop.entity.input'], read: inputPayload },
    { field: 'output', from: ['traceloop.entity.output'], read: outputPayload },
    textAttribute('model', 'llm.response.model'),
    textAttribute('model_requested', 'llm.request.model'),
    textAttribute('provider', 'llm.vendor'),
    { field: 'inputs.messages', under: 'llm.prompts.', readGroup: promptMessages },
    { field: 'output.messages', under: 'llm.completions.', readGroup: choiceMessages },
    { field: 'inputs.tools', under: 'llm.request.functions.', readGroup: functions },
    parameter('stream', 'llm.is_streaming', 'gen_ai.is_streaming'),
    parameter('temperature', 'llm.temperature'),
    parameter('top_p', 'llm.top_p'),
    parameter('max_tokens', 'llm.request.max_tokens'),
    parameter('frequency_penalty', 'llm.frequency_penalty'),
    parameter('presence_penalty', 'llm.presence_penalty'),
    usage('prompt_tokens', 'llm.usage.prompt_tokens'),
    usage('completion_tokens', 'llm.usage.completion_tokens'),
    usage('total_tokens', 'llm.usage.total_tokens'),
    usage('cache_read_input_tokens', 'llm.usage.cache_read_input_tokens'),
    usage('cache_creation_input_tokens', 'llm.usage.cache_creation_input_tokens'),
    usage('reasoning_tokens', 'llm.usage.reasoning_tokens'),

    {
      field: 'thread_id',
      from: ['session_id', 'thread_id', 'conversation_id'].map((name) => ASSOCIATION + name),
      read: text,
    },
    textAttribute('user_id', `${ASSOCIATION}user_id`),
    { field: 'metadata', under: ASSOCIATION, readGroup: (members) => groupObject(members) },
    attribute('prompt.name', 'traceloop.prompt.key'),
    attribute('prompt.version', 'traceloop.prompt.version'),
    attribute('prompt.template', 'traceloop.prompt.template'),
    attribute('prompt.version_name', 'traceloop.prompt.version_name'),

    { field: 'inputs.query', under: 'db.vector.query.', readGroup: vectorQuery },
    { field: 'output.documents', events: ['db.query.result', 'db.search.result'], readEvents: queryResults },
    kindIs('retriever', 'db.vector.query.top_k', 'db.vector.query.embeddings.count'),
  ],
}

function functions(members: readonly Attribute[]): Json | undefined {
  return nonEmpty(
    indexed(members).map((item) => {
      if (!isObject(item)) return item
      const { parameters } = item
      return {
        type: 'function',
        ...item,
        parameters: typeof parameters === 'string' ? parsed(parameters) : parameters,
      }
    }),
  )
}

function vectorQuery(members: readonly Attribute[]): Json | undefined {
  return groupObject(members)
}

/** One event for each document; the keys are `db.query.result.id` and so on. */
function queryResults(events: readonly SpanEvent[]): Json | undefined {
  return nonEmpty(
    events.map(({ name, attributes }) =>
      nest(
        [...attributes].map(
          ([key, value]) =>
            [key.startsWith(`${name}.`) ? key.slice(name.length + 1) : key, toJson(value)] as const,
        ),
      ),
    ),
  )
}
