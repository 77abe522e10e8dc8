import { z } from 'zod'
import { searchTextOrEmpty } from '../calls/search.ts'
import { datetime, nullableText, projectId } from '../fields.ts'
import { operation } from '../operation.ts'
import { pageLimit } from './agent-fields.ts'
import { spanPeriod } from './spans.ts'

/** Search in the messages of spans. */

const ROLES = ['', 'user', 'assistant', 'system', 'tool', 'tool_call', 'tool_result'] as const

/** Spans outside of conversations are listed under this id, as in Weave. */
export const NO_CONVERSATION = '__NO_CONVERSATION__'

export const DEFAULT_MESSAGES = 20

/** Characters of a message, unless it is requested whole. */
export const MESSAGE_PREVIEW_CHARACTERS = 500

const ifSet = (description: string) => nullableText.meta({ description: `${description} Empty: any.` })

const messageSearch = z.object({
  project_id: projectId,
  query: searchTextOrEmpty.nullish().meta({
    description: 'Text to find: literal, case-insensitive, also inside words. Empty: all messages.',
  }),
  trace_id: ifSet('Only messages of this trace.'),
  roles: z
    .array(z.enum(ROLES, `must be ${ROLES.map((role) => role || "''").join(' or ')}`))
    .nullish()
    .meta({ description: '`tool` includes `tool_call` and `tool_result`. Empty: all roles.' }),
  conversation_id: ifSet('Only messages of this thread.'),
  agent_name: ifSet('Of the span, or of the first agent of its trace if the span names none.'),
  provider_name: ifSet('Of the span.'),
  request_model: ifSet('Of the span.'),
  truncate_content: z.boolean().nullish().meta({ default: true }),
  ...spanPeriod,
  limit: pageLimit(1000, DEFAULT_MESSAGES).meta({ description: 'Number of messages.' }),
  offset: z.int().min(0).max(10_000).nullish().meta({ description: 'Number of latest messages to skip.' }),
})

export type MessageSearch = z.output<typeof messageSearch>

const matchedMessage = z.object({
  span_id: z.string(),
  trace_id: z.string(),
  role: z.string(),
  content_preview: z.string().meta({
    description: `The first ${MESSAGE_PREVIEW_CHARACTERS} characters; the whole text without \`truncate_content\`.`,
  }),
  content_digest: z.string().meta({ description: 'Equal for messages with the same text.' }),
  started_at: datetime.meta({ description: 'Of the span.' }),
})

export type MatchedMessage = z.output<typeof matchedMessage>

const conversation = z.object({
  conversation_id: z
    .string()
    .meta({ description: `\`${NO_CONVERSATION}\` for spans outside of conversations.` }),
  conversation_name: z.string(),
  agent_name: z.string(),
  matched_messages: z.array(matchedMessage),
  last_activity: datetime.meta({ description: 'Start of the latest span with a matching message.' }),
})

export type MatchedConversation = z.output<typeof conversation>

export const agentSearchOperations = {
  agent_search: operation({
    path: '/agents/search',
    summary: 'Find the latest messages of spans that contain a text, by conversation.',
    access: 'read',
    request: messageSearch,
    response: z.object({
      results: z.array(conversation).meta({ description: 'Those with the latest messages first.' }),
      total_conversations: z.int().meta({ description: 'Number of results.' }),
    }),
  }),
}
