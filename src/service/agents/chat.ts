import { unprocessable } from '../../contract/api-error.ts'
import { type ChatTurn, MAX_CHAT_SPANS, MAX_CHAT_TURNS } from '../../contract/agents/chat.ts'
import { viewTurn } from '../../core/agents/chat.ts'
import type { StoredCallRow } from '../../core/calls/call-view.ts'
import { streamSpans } from '../../store/agents/spans.ts'
import { countTurns, listTurns } from '../../store/agents/turns.ts'
import { findCallFeedback } from '../calls/call-feedback.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** Handlers that read turns of conversations as messages. */

export function agentChatHandlers({
  db,
}: Deps): Pick<Handlers, 'agent_traces_chat' | 'agent_conversations_chat'> {
  return {
    agent_traces_chat: async ({ project_id, trace_id, include_feedback }) => {
      const [turn] = await readTurns(project_id, [trace_id], include_feedback === true)
      return turn ?? viewTurn(trace_id, [], undefined)
    },
    agent_conversations_chat: async ({ project_id, conversation_id, include_feedback, ...request }) => {
      const { limit, offset } = { limit: request.limit ?? MAX_CHAT_TURNS, offset: request.offset ?? 0 }
      const conversation = { project_id, conversation_id }
      const total_turns = await countTurns(db, conversation)
      const latest = await listTurns(db, conversation, { limit, offset })
      const turns = await readTurns(project_id, latest.toReversed(), include_feedback === true)
      const has_more = offset + latest.length < total_turns
      const page = { turns, total_turns, has_more, limit, offset }
      return { conversation_id, ...page, total_cost_usd: null, feedback: null }
    },
  }

  async function readTurns(
    project_id: string,
    trace_ids: readonly string[],
    hasFeedback: boolean,
  ): Promise<ChatTurn[]> {
    if (trace_ids.length === 0) return []
    const rows = await readSpans(project_id, trace_ids)
    const feedback = hasFeedback ? await findCallFeedback(db, project_id, rows) : undefined
    return trace_ids.map((trace_id) =>
      viewTurn(
        trace_id,
        rows.filter((row) => row.trace_id === trace_id),
        feedback,
      ),
    )
  }

  async function readSpans(project_id: string, trace_ids: readonly string[]): Promise<StoredCallRow[]> {
    const selection = { project_id, filter: { trace_ids: [...trace_ids] } }
    const sort_by = [{ field: 'started_at' as const, direction: 'asc' as const }]
    const page = { sort_by, content: 'messages' as const, limit: MAX_CHAT_SPANS + 1, offset: undefined }
    const rows: StoredCallRow[] = []
    for await (const row of streamSpans(db, selection, page)) rows.push(row)
    if (rows.length > MAX_CHAT_SPANS) {
      const reason = `has more than ${MAX_CHAT_SPANS} spans; request fewer turns, or list them with /agents/spans/query`
      throw unprocessable([trace_ids.length === 1 ? 'trace_id' : 'limit'], reason)
    }
    return rows
  }
}
