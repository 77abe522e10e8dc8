import { z } from 'zod'
import { datetime } from '../fields.ts'
import { rawNumber } from '../raw-json.ts'

/** A span as readers of agents see it. Fields of Weave's API that Heddle does not have are null or empty. */

const text = z.string().nullable()
const count = z.int().nullable()
const number = z.union([z.number(), rawNumber])
const texts = z.array(z.string())

export const spanStatus = z.enum(['UNSET', 'OK', 'ERROR'])

export type SpanStatus = z.output<typeof spanStatus>

const message = z.object({
  role: z.string(),
  content: z.string().meta({ description: 'Text, or the parts as JSON if the message has others.' }),
  finish_reason: z.string(),
})

export type SpanMessage = z.output<typeof message>

export const span = z.object({
  project_id: z.string(),
  trace_id: z.string(),
  span_id: z.string(),
  parent_span_id: text,
  span_name: text,
  span_kind: z.enum(['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']).nullable(),
  started_at: datetime,
  ended_at: datetime.nullable(),
  status_code: spanStatus.meta({ description: '`ERROR` also if the span has only recorded an exception.' }),
  status_message: text,
  error_type: text,
  operation_name: text,
  provider_name: text,
  agent_name: text,
  agent_id: text,
  agent_version: text,
  agent_description: text,
  request_model: text,
  response_id: text,
  conversation_id: text,
  conversation_name: text,
  parent_call_id: text,
  parent_call_trace_id: text,
  input_tokens: count.meta({ description: 'Of model calls, as in `summary.usage` of calls.' }),
  output_tokens: count,
  reasoning_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  finish_reasons: texts,
  tool_name: text,
  tool_type: text,
  tool_call_id: text,
  tool_description: text,
  wb_user_id: text,
  wb_run_id: text,
  wb_run_step: count,
  wb_run_step_end: count,
  custom_attrs_string: z.record(z.string(), z.string()).meta({
    description: 'Attributes without a field of their own, flat; lists as JSON.',
  }),
  custom_attrs_int: z.record(z.string(), number),
  custom_attrs_float: z.record(z.string(), number),
  custom_attrs_bool: z.record(z.string(), z.boolean()),
  artifact_refs: texts,
  content_refs: texts,
  object_refs: texts,
  response_model: text.meta({ description: 'This and all below: only with `include_details`.' }),
  system_instructions: texts,
  input_messages: z.array(message),
  output_messages: z.array(message),
  reasoning_content: text,
  tool_call_arguments: text,
  tool_call_result: text,
  tool_definitions: text,
  raw_span_dump: text.meta({ description: 'The complete span as JSON.' }),
})

export type AgentSpan = z.output<typeof span>
