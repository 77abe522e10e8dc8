import type { Attribute } from '../attribute.ts'
import { isList, isObject, type Json } from '../json.ts'
import { normalMessages } from '../messages.ts'
import type { Span } from '../model.ts'
import { exact, json, memberAt, nonEmpty, number, text } from '../readers.ts'
import { attribute, kindIs, textAttribute, usage } from '../rule-builders.ts'
import type { Dialect } from '../rules.ts'

/** Logfire and Pydantic AI. Pending spans are read by pending-span.ts. */
export const logfire: Dialect = {
  name: 'logfire',
  title: 'Logfire / Pydantic AI',
  applies: ({ scope, attributes }: Span) =>
    scope.name.startsWith('pydantic-ai') || scope.name.startsWith('logfire') || attributes.has('logfire.msg'),
  ignores: ['logfire.json_schema', 'logfire.span_type', 'logfire.msg_template', 'logfire.metrics'],
  rules: [
    { field: 'display_name', from: ['logfire.msg'], read: text },
    attribute('agent.name', 'agent_name'),
    kindIs('agent', 'agent_name', 'pydantic_ai.all_messages', 'all_messages_events'),
    textAttribute('model_requested', 'model_name'),
    { field: 'inputs.messages', from: ['pydantic_ai.all_messages', 'all_messages_events'], read: question },
    { field: 'output.messages', from: ['pydantic_ai.all_messages', 'all_messages_events'], read: response },
    { field: 'output.result', from: ['final_result'], read: exact },
    { field: 'inputs.messages', from: ['events'], read: eventList(false) },
    { field: 'output.messages', from: ['events'], read: eventList(true) },
    { field: 'inputs.messages', from: ['request_data'], read: messagesIn('messages', 'user') },
    { field: 'inputs', from: ['request_data'], read: exact },
    { field: 'output.messages', from: ['response_data'], read: messagesIn('message', 'assistant') },
    { field: 'output', from: ['response_data'], read: exact },
    { field: 'inputs', from: ['tool_arguments'], read: exact },
    { field: 'output', from: ['tool_response', 'return'], read: exact },
    { field: 'inputs.parameters.request', from: ['model_request_parameters'], read: json },
    usage('prompt_tokens', 'gen_ai.aggregated_usage.input_tokens'),
    usage('completion_tokens', 'gen_ai.aggregated_usage.output_tokens'),
    usage(
      'cache_read_input_tokens',
      'gen_ai.aggregated_usage.cache_read.input_tokens',
      'gen_ai.aggregated_usage.details.cache_read_tokens',
    ),
    usage(
      'cache_creation_input_tokens',
      'gen_ai.aggregated_usage.cache_creation.input_tokens',
      'gen_ai.aggregated_usage.details.cache_write_tokens',
    ),
    { field: 'summary.cost_reported.total', from: ['operation.cost'], read: number },
    attribute('tags', 'logfire.tags'),
  ],
}

function allMessages({ json: value }: Attribute): readonly Json[] {
  return isList(value) ? normalMessages(value, 'user') : []
}

/**
 * A run has all its messages in one list. Up to the last message of the user they are the inputs, and the rest is what
 * the run did. Tool results are sent in the name of the user and do not count.
 */
function runStart(messages: readonly Json[]): number {
  return (
    messages.findLastIndex(
      (message) => isObject(message) && message['role'] === 'user' && !isToolResult(message['parts']),
    ) + 1
  )
}

function isToolResult(parts: Json | undefined): boolean {
  return isList(parts) && parts.some((part) => isObject(part) && part['type'] === 'tool_call_response')
}

function question(attribute: Attribute): Json | undefined {
  const messages = allMessages(attribute)
  return nonEmpty(messages.slice(0, runStart(messages)))
}

function response(attribute: Attribute): Json | undefined {
  const messages = allMessages(attribute)
  return nonEmpty(messages.slice(runStart(messages)))
}

/** The first version of Pydantic AI's instrumentation has events as a list in an attribute. */
function eventList(isOutput: boolean) {
  return ({ json: value }: Attribute): Json | undefined => {
    if (!isList(value)) return undefined
    const events = value.filter((event) => (memberAt(event, 'event.name') === 'gen_ai.choice') === isOutput)
    return nonEmpty(normalMessages(events, isOutput ? 'assistant' : 'user'))
  }
}

function messagesIn(name: string, role: string) {
  return ({ json: value }: Attribute): Json | undefined => {
    const messages = memberAt(value, name)
    return messages === undefined ? undefined : nonEmpty(normalMessages(messages, role))
  }
}
