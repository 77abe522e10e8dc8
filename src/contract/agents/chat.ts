import { z } from 'zod'
import { datetime, offset, projectId, recordId } from '../fields.ts'
import { operation } from '../operation.ts'
import { rawObject } from '../raw-json.ts'
import { pageLimit } from './agent-fields.ts'
import { spanStatus } from './span.ts'

/** Turns of conversations as lists of messages. */

const text = z.string().nullable()
const count = z.int().nullable()
const feedback = z.array(rawObject).nullable()

const userMessage = z.object({ text: z.string(), content_refs: z.array(z.string()) })

const assistantMessage = z.object({
  text: z.string(),
  model: text,
  reasoning_content: text,
  reasoning_tokens: count,
  input_tokens: count,
  output_tokens: count,
  duration_ms: count,
  status: spanStatus,
  content_refs: z.array(z.string()),
})

const toolCall = z.object({
  tool_name: text,
  tool_arguments: text,
  tool_result: text,
  duration_ms: count,
  status: spanStatus,
  content_refs: z.array(z.string()),
})

const agentStart = z.object({
  model: text,
  system_instructions: text,
  tool_definitions: text,
  status: spanStatus,
})

const message = z.object({
  type: z.enum(['user_message', 'assistant_message', 'tool_call', 'agent_start']),
  span_id: z.string(),
  agent_name: text.meta({ description: 'Of the span, or of the nearest span above that names an agent.' }),
  agent_version: text,
  status_code: spanStatus,
  status_message: text,
  error_type: text,
  started_at: datetime,
  user_message: userMessage.optional(),
  assistant_message: assistantMessage.optional(),
  tool_call: toolCall.optional(),
  agent_start: agentStart.optional(),
  feedback: feedback.meta({ description: 'Of the call, with its first message.' }),
})

export type ChatMessage = z.output<typeof message>

const turn = z.object({
  trace_id: z.string(),
  root_span_name: text,
  agent_name: text,
  agent_version: text,
  provider: text,
  status_code: spanStatus.nullable(),
  wb_user_id: text,
  started_at: datetime.nullable(),
  ended_at: datetime.nullable(),
  total_duration_ms: count.meta({ description: 'Of the root.' }),
  total_input_tokens: z.int().meta({ description: 'Of all model calls.' }),
  total_output_tokens: z.int(),
  total_reasoning_tokens: z.int(),
  total_cache_creation_input_tokens: z.int(),
  total_cache_read_input_tokens: z.int(),
  total_cost_usd: z.null(),
  messages: z.array(message),
  feedback: feedback.meta({ description: 'Of the root; null if it was not requested.' }),
})

export type ChatTurn = z.output<typeof turn>

const options = {
  include_feedback: z.boolean().nullish(),
  include_model_tool_calls: z
    .literal(false, 'must be false; tools are shown where their own spans are')
    .nullish(),
}

/** Spans of all turns in one response. */
export const MAX_CHAT_SPANS = 10_000

export const MAX_CHAT_TURNS = 50

export const agentChatOperations = {
  agent_traces_chat: operation({
    path: '/agents/traces/chat',
    summary: 'Read the spans of a trace as messages. Without spans there are none.',
    access: 'read',
    request: z.object({ project_id: projectId, trace_id: recordId, ...options }),
    response: turn,
  }),
  agent_conversations_chat: operation({
    path: '/agents/conversations/chat',
    summary: 'Read the latest turns of a conversation as messages, in time order.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      conversation_id: recordId.meta({ description: 'A thread.' }),
      limit: pageLimit(MAX_CHAT_TURNS, MAX_CHAT_TURNS),
      offset: offset.meta({ description: 'Number of latest turns to skip.' }),
      ...options,
    }),
    response: z.object({
      conversation_id: z.string(),
      turns: z.array(turn).meta({ description: 'A turn is a trace.' }),
      total_turns: z.int(),
      has_more: z.boolean(),
      limit: z.int(),
      offset: z.int(),
      total_cost_usd: z.null(),
      feedback: z.null(),
    }),
  }),
}
