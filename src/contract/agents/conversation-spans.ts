import { z } from 'zod'
import { projectId } from '../fields.ts'
import { MAX_ID_CHARACTERS } from '../limits.ts'
import { operation } from '../operation.ts'
import { spanStatus } from './span.ts'
import { spanPeriod } from './spans.ts'

/** The spans of conversations in short, with the feedback on their turns. */

/** Spans of each conversation, and of all conversations of a request. */
export const MAX_CONVERSATION_SPANS = 200
export const MAX_LISTED_SPANS = 100_000

/** The types of feedback that are shown. */
export const CONVERSATION_FEEDBACK = ['wandb.agent_user_feedback', 'wandb.agent_monitor'] as const

const span = z.object({
  operation_name: z.string(),
  trace_id: z.string(),
  span_id: z.string(),
  status: spanStatus,
  duration_ms: z.int().meta({ description: '0 for a running span.' }),
})

export type ConversationSpan = z.output<typeof span>

const rating = z.object({
  name: z.string(),
  value: z.number(),
  reason: z.string().nullable(),
  confidence: z.number().nullable(),
})

export type ConversationRating = z.output<typeof rating>

const feedback = z.object({
  trace_id: z.string().nullable().meta({ description: 'The turn; null for feedback on the conversation.' }),
  feedback_type: z.enum(CONVERSATION_FEEDBACK),
  tags: z.array(z.string()).meta({ description: 'Emoji without skin tones.' }),
  ratings: z.array(rating),
})

export type ConversationFeedback = z.output<typeof feedback>

export const agentConversationOperations = {
  agent_conversations_spans: operation({
    path: '/agents/conversations/spans',
    summary: 'List the spans of conversations in short, in time order, with the feedback on their turns.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      conversation_ids: z
        .array(z.string().max(MAX_ID_CHARACTERS))
        .max(10_000)
        .nullish()
        .meta({ description: `Threads. Together they may have ${MAX_LISTED_SPANS} listed spans.` }),
      ...spanPeriod,
    }),
    response: z.object({
      conversations: z
        .array(
          z.object({
            conversation_id: z.string(),
            spans: z.array(span).meta({ description: `The latest ${MAX_CONVERSATION_SPANS}.` }),
            spans_feedback: z.array(feedback),
          }),
        )
        .meta({ description: 'In the order of the request.' }),
    }),
  }),
}
