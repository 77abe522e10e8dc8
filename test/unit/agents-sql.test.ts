import { expect, test } from 'vitest'
import { RawJson } from '../../src/contract/raw-json.ts'
import { parseQuery } from '../../src/core/query/parse.ts'
import { type AgentsQuery, selectAgentCount, selectAgents } from '../../src/store/agents/agents.ts'
import {
  selectConversationFeedback,
  selectConversationSpans,
} from '../../src/store/agents/conversation-spans.ts'
import { selectMessageSpans, selectTraceAgents } from '../../src/store/agents/message-spans.ts'
import { spanConditions } from '../../src/store/agents/spans.ts'
import { selectTurnCount, selectTurns } from '../../src/store/agents/turns.ts'
import { countStatement } from '../../src/store/calls/read/select-calls.ts'
import { HOSTILE, show } from './statements.ts'

const PROJECT = 'acme/demo'

test('the statements that read agents bind every value', async () => {
  const page = { limit: 10, offset: 20 }
  const agents: AgentsQuery = {
    project_id: PROJECT,
    agent_name: undefined,
    by: 'agent_name',
    sort_by: null,
    ...page,
  }
  const versions: AgentsQuery = {
    ...agents,
    agent_name: HOSTILE,
    by: 'agent_version',
    sort_by: [{ field: 'span_count', direction: 'asc' }],
  }
  const conversation = { project_id: PROJECT, conversation_id: HOSTILE }
  const conversations = { project_id: PROJECT, conversation_ids: [HOSTILE], from: 1n, before: 2n }
  const operands = [{ $getField: 'status_code' }, { $literal: HOSTILE }]
  const query = parseQuery(RawJson.fromValue({ $expr: { $eq: operands } }))
  const messages = {
    project_id: PROJECT,
    filter: { thread_ids: [HOSTILE] },
    query,
    inTrace: query,
    text: 'rain',
    searchIndex: 'off' as const,
  }
  const spans = spanConditions({ project_id: PROJECT, query, from: 1n, before: 2n })
  await expect(
    show([
      ['agents counted', selectAgentCount(agents, 'extracted')],
      ['agents', selectAgents(agents, 'extracted')],
      ['versions of an agent, with documents', selectAgents(versions, 'documents')],
      ['turns counted', selectTurnCount(conversation)],
      ['turns', selectTurns(conversation, page)],
      ['spans of conversations', selectConversationSpans(conversations, 10, 'extracted')],
      ['spans of conversations, with documents', selectConversationSpans(conversations, 10, 'documents')],
      ['feedback of conversations', selectConversationFeedback(conversations)],
      ['spans with a text', selectMessageSpans(messages, { from: 1n, after: { at: 2n, id: HOSTILE } }, 10)],
      ['agents of traces', selectTraceAgents(PROJECT, [HOSTILE], 'extracted')],
      ['spans counted', countStatement(PROJECT, spans, undefined)],
    ]),
  ).toMatchFileSnapshot('snapshots/agents.sql')
})
