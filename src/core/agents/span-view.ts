import type { AgentSpan, SpanMessage, SpanStatus } from '../../contract/agents/span.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { RawJson as Raw } from '../../contract/raw-json.ts'
import { hasException, type StoredCallRow } from '../calls/call-view.ts'
import { usageEntries } from '../costs/usage.ts'
import { isObject } from '../json/is-object.ts'
import { find } from '../json/navigate.ts'
import { safeRecord } from '../json/safe-record.ts'
import { type AttributeType, customAttributes } from './custom-attributes.ts'
import { documentText, jsonAt, parseDocument, textAt, textsAt, valueAt } from './document.ts'
import { type Message, messagesIn } from './messages.ts'

/** A call that was made from a span, as readers of agents see it. */

/** A call id is half a trace id and the span id. */
const HALF = 16

export function spanId(call_id: string): string {
  return call_id.slice(HALF)
}

export function viewSpan(row: StoredCallRow, hasDetails: boolean): AgentSpan {
  const attributes = parseDocument(row.attributes)
  const parent_id = row.parent_id ?? ''
  const isSameTrace = parent_id.startsWith(row.id.slice(0, HALF))
  return {
    project_id: row.project_id,
    trace_id: row.trace_id,
    span_id: spanId(row.id),
    parent_span_id: isSameTrace ? orNull(spanId(parent_id)) : null,
    span_name: textAt(attributes, 'otel.name'),
    span_kind: textAt(attributes, 'otel.kind') as AgentSpan['span_kind'],
    started_at: row.started_at,
    ended_at: row.ended_at ?? null,
    status_code: spanStatus(row, attributes),
    status_message: textAt(attributes, 'otel.status.message'),
    error_type: textAt(attributes, 'error.type'),
    operation_name: textAt(attributes, 'gen_ai.operation_name'),
    provider_name: textAt(attributes, 'provider'),
    agent_name: textAt(attributes, 'agent.name'),
    agent_id: textAt(attributes, 'agent.id'),
    agent_version: textAt(attributes, 'agent.version'),
    agent_description: textAt(attributes, 'agent.description'),
    request_model: textAt(attributes, 'model_requested'),
    response_id: textAt(attributes, 'response_id'),
    conversation_id: orNull(row.thread_id),
    conversation_name: textAt(attributes, 'gen_ai.conversation.name'),
    parent_call_id: textAt(attributes, 'weave.parent_call.id'),
    parent_call_trace_id: textAt(attributes, 'weave.parent_call.trace_id'),
    ...spanTokens(row),
    finish_reasons: textsAt(attributes, 'finish_reasons'),
    tool_name: textAt(attributes, 'tool.name'),
    tool_type: textAt(attributes, 'tool.type'),
    tool_call_id: textAt(attributes, 'tool.call_id'),
    tool_description: textAt(attributes, 'tool.description'),
    wb_user_id: orNull(row.wb_user_id),
    wb_run_id: orNull(row.wb_run_id),
    wb_run_step: integer(row.wb_run_step),
    wb_run_step_end: integer(row.wb_run_step_end),
    ...viewCustomAttributes(row.attributes ?? ''),
    artifact_refs: textsAt(attributes, 'weave.artifact_refs'),
    content_refs: textsAt(attributes, 'weave.content_refs'),
    object_refs: textsAt(attributes, 'weave.object_refs'),
    ...(hasDetails ? viewDetails(row, attributes) : NO_DETAILS),
  }
}

export function spanStatus(row: StoredCallRow, attributes: unknown): SpanStatus {
  if (hasException(row.exception)) return 'ERROR'
  return valueAt(attributes, 'otel.status.code') === 'OK' ? 'OK' : 'UNSET'
}

type SpanTokens = Pick<
  AgentSpan,
  | 'input_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'cache_creation_input_tokens'
  | 'cache_read_input_tokens'
>

/** The tokens that count: those of model calls. A span has at most one model. */
export function spanTokens({ summary }: StoredCallRow): SpanTokens {
  const usage = summary === undefined || summary === '' ? undefined : find(Raw.fromText(summary), 'usage')
  const [entry] = usageEntries(usage)
  const tokens = entry?.tokens
  const counts = entry === undefined ? undefined : (parseDocument(usage?.text) as Record<string, unknown>)
  const reasoning = isObject(counts) ? valueAt(counts[entry?.model ?? ''], 'reasoning_tokens') : undefined
  return {
    input_tokens: tokens === undefined ? null : Number(tokens.prompt),
    output_tokens: tokens === undefined ? null : Number(tokens.completion),
    reasoning_tokens: typeof reasoning === 'number' ? Math.trunc(reasoning) : null,
    cache_creation_input_tokens: tokens === undefined ? null : Number(tokens.cacheCreation),
    cache_read_input_tokens: tokens === undefined ? null : Number(tokens.cacheRead),
  }
}

function viewCustomAttributes(attributes: string) {
  const found = customAttributes(attributes)
  const ofType = <Value>(type: AttributeType): Record<string, Value> =>
    safeRecord(found.filter((each) => each.type === type).map(({ key, value }) => [key, value as Value]))
  return {
    custom_attrs_string: ofType<string>('string'),
    custom_attrs_int: ofType<RawJson>('int'),
    custom_attrs_float: ofType<RawJson>('float'),
    custom_attrs_bool: ofType<boolean>('bool'),
  }
}

type Details = Pick<
  AgentSpan,
  | 'response_model'
  | 'system_instructions'
  | 'input_messages'
  | 'output_messages'
  | 'reasoning_content'
  | 'tool_call_arguments'
  | 'tool_call_result'
  | 'tool_definitions'
  | 'raw_span_dump'
>

const NO_DETAILS: Details = {
  response_model: null,
  system_instructions: [],
  input_messages: [],
  output_messages: [],
  reasoning_content: null,
  tool_call_arguments: null,
  tool_call_result: null,
  tool_definitions: null,
  raw_span_dump: null,
}

function viewDetails(row: StoredCallRow, attributes: unknown): Details {
  const inputs = parseDocument(row.inputs)
  const output = parseDocument(row.output)
  const isTool = valueAt(attributes, 'kind') === 'tool'
  const instructions = jsonAt(inputs, 'system')
  const responses = messagesIn(output)
  const reasoning = responses.map((message) => message.reasoning).filter((text) => text !== '')
  return {
    response_model: responseModel(row.otel_dump),
    system_instructions: instructions === null ? [] : [instructions],
    input_messages: messagesIn(inputs).map(viewMessage),
    output_messages: responses.map(viewMessage),
    reasoning_content: reasoning.length === 0 ? null : reasoning.join('\n'),
    tool_call_arguments: isTool ? documentText(row.inputs) : null,
    tool_call_result: isTool ? documentText(row.output) : null,
    tool_definitions: jsonAt(inputs, 'tools'),
    raw_span_dump: orNull(row.otel_dump),
  }
}

/** Calls keep the requested model, if there are both. */
function responseModel(dump: string | undefined): string | null {
  const attributes = valueAt(parseDocument(dump), 'span.attributes')
  const model = isObject(attributes) ? attributes['gen_ai.response.model'] : undefined
  return typeof model === 'string' ? model : null
}

function viewMessage({ role, content, finish_reason }: Message): SpanMessage {
  return { role, content, finish_reason }
}

export function orNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}

function integer(text: string | null | undefined): number | null {
  return text === undefined || text === null ? null : Number(text)
}
