import { unprocessable } from '../../contract/api-error.ts'
import {
  type ConversationFeedback,
  type ConversationSpan,
  MAX_LISTED_SPANS,
} from '../../contract/agents/conversation-spans.ts'
import { viewConversationFeedback } from '../../core/agents/conversation-feedback.ts'
import { spanId } from '../../core/agents/span-view.ts'
import {
  type ConversationSpanRow,
  type ConversationsQuery,
  listConversationFeedback,
  listConversationSpans,
} from '../../store/agents/conversation-spans.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { spanPeriod } from './spans.ts'

/** Handler for the spans of conversations. */

/** Conversations of one statement. */
const CHUNK = 1_000

interface Conversation {
  readonly spans: ConversationSpan[]
  readonly spans_feedback: ConversationFeedback[]
}

export function agentConversationHandlers({ db }: Deps): Pick<Handlers, 'agent_conversations_spans'> {
  return {
    agent_conversations_spans: async ({ project_id, conversation_ids, ...period }) => {
      const requested = conversation_ids ?? []
      const ids = [...new Set(requested)].filter((id) => id !== '')
      const found = new Map<string, Conversation>()
      const range = spanPeriod(period)
      let spans = 0
      for (let i = 0; i < ids.length; i += CHUNK) {
        const query = { project_id, conversation_ids: ids.slice(i, i + CHUNK), ...range }
        spans += await readConversations(query, MAX_LISTED_SPANS - spans, found)
      }
      return {
        conversations: requested.map((conversation_id) => ({
          conversation_id,
          ...(found.get(conversation_id) ?? { spans: [], spans_feedback: [] }),
        })),
      }
    },
  }

  /** Adds to `found` and returns the number of spans. */
  async function readConversations(
    query: ConversationsQuery,
    limit: number,
    found: Map<string, Conversation>,
  ): Promise<number> {
    const rows = await listConversationSpans(db, query, limit + 1)
    if (rows.length > limit) {
      const reason = `have more than ${MAX_LISTED_SPANS} spans; request fewer, or a shorter period`
      throw unprocessable(['conversation_ids'], reason)
    }
    for (const id of query.conversation_ids) found.set(id, { spans: [], spans_feedback: [] })
    const byTrace = new Map<string, Set<Conversation>>()
    for (const row of rows.toReversed()) {
      const conversation = found.get(row.conversation_id)
      if (conversation === undefined) continue
      conversation.spans.push(viewConversationSpan(row))
      byTrace.set(row.trace_id, (byTrace.get(row.trace_id) ?? new Set()).add(conversation))
    }
    for (const row of await listConversationFeedback(db, query)) {
      const { conversation_id, trace_id } = row
      const about = trace_id === '' ? [found.get(conversation_id)] : [...(byTrace.get(trace_id) ?? [])]
      for (const conversation of about) conversation?.spans_feedback.push(viewConversationFeedback(row))
    }
    return rows.length
  }
}

function viewConversationSpan(row: ConversationSpanRow): ConversationSpan {
  return {
    operation_name: row.operation,
    trace_id: row.trace_id,
    span_id: spanId(row.id),
    status: row.status,
    duration_ms: Math.max(0, Number(row.duration_ms ?? 0)),
  }
}
