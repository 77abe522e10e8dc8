/**
 * The fields of spans that queries, sort orders and groups may name. Without schemas. src/store/agents/span-fields.ts has
 * the field of the call that each is read from.
 */
export const SPAN_TEXT_FIELDS = [
  'trace_id',
  'span_id',
  'parent_span_id',
  'span_name',
  'span_kind',
  'status_code',
  'status_message',
  'error_type',
  'operation_name',
  'provider_name',
  'agent_name',
  'agent_id',
  'agent_version',
  'agent_description',
  'request_model',
  'response_id',
  'conversation_id',
  'conversation_name',
  'tool_name',
  'tool_type',
  'tool_call_id',
  'parent_call_id',
  'parent_call_trace_id',
  'wb_user_id',
  'wb_run_id',
] as const

const SPAN_NUMBER_FIELDS = ['input_tokens', 'output_tokens'] as const

const SPAN_TIME_FIELDS = ['started_at', 'ended_at'] as const

export const SPAN_FIELDS = [...SPAN_TEXT_FIELDS, ...SPAN_NUMBER_FIELDS, ...SPAN_TIME_FIELDS] as const

export type SpanField = (typeof SPAN_FIELDS)[number]
