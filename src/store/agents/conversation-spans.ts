import { CONVERSATION_FEEDBACK, MAX_CONVERSATION_SPANS } from '../../contract/agents/conversation-spans.ts'
import { REF_PREFIX } from '../../contract/objects/ref.ts'
import { groupKey } from '../calls/read/group-keys.ts'
import { LATENCY_MS } from '../calls/columns/named-fields.ts'
import { callRows, type ReadMode, readWithFallback } from '../calls/read/usage-query.ts'
import type { Database } from '../database/database.ts'
import { from } from '../query/scope.ts'
import { and, identifier, type Sql, sql } from '../query/sql.ts'
import { ALL_TIME, SPAN_SOURCES, spanConditions, type SpanPeriod } from './spans.ts'

/** The spans of conversations by narrow columns, and the feedback on conversations and their turns. */

export interface ConversationsQuery extends SpanPeriod {
  readonly project_id: string
  /** Not empty texts. */
  readonly conversation_ids: readonly string[]
}

export interface ConversationSpanRow {
  readonly conversation_id: string
  readonly trace_id: string
  /** Of the call. */
  readonly id: string
  readonly operation: string
  readonly status: 'UNSET' | 'OK' | 'ERROR'
  readonly duration_ms: string | null
}

/** The latest spans of each conversation, latest first; no more than `limit` of all. */
export async function listConversationSpans(
  db: Database,
  query: ConversationsQuery,
  limit: number,
): Promise<ConversationSpanRow[]> {
  return readWithFallback((mode) =>
    db.rows<ConversationSpanRow & { needs_documents: string }>(selectConversationSpans(query, limit, mode), {
      name: 'spans of conversations',
      kind: 'scan',
    }),
  )
}

export function selectConversationSpans(query: ConversationsQuery, limit: number, mode: ReadMode): Sql {
  const { project_id } = query
  const selection = {
    project_id,
    filter: undefined,
    conditions: conversationConditions(query),
    buckets: ALL_TIME,
  }
  const value = (name: string, column: string) => ({
    ...groupKey(project_id, name, 'UTC', SPAN_SOURCES),
    column: identifier(column),
  })
  const values = [value('operation_name', 'operation_name'), value('status_code', 'status')]
  const columns = [
    sql`thread_id AS conversation_id`,
    sql`trace_id`,
    sql`id`,
    sql`started_at`,
    sql`${LATENCY_MS} AS duration_ms`,
  ]
  return sql`SELECT conversation_id, trace_id, id, ifNull(operation_name, '') AS operation, status, duration_ms,
  toString(needs_document) AS needs_documents
FROM (${callRows(selection, columns, [], false, mode, values)})
ORDER BY started_at DESC, id DESC LIMIT ${MAX_CONVERSATION_SPANS} BY conversation_id LIMIT ${limit}`
}

export interface ConversationFeedbackRow {
  /** Empty for feedback on a turn. */
  readonly conversation_id: string
  /** Empty for feedback on a conversation. */
  readonly trace_id: string
  readonly feedback_type: (typeof CONVERSATION_FEEDBACK)[number]
  readonly scorer_tags: readonly string[]
  readonly scorer_ratings: string
  readonly scorer_rating_reasons: string
  readonly scorer_rating_confidences: string
}

/** Oldest first. */
export async function listConversationFeedback(
  db: Database,
  query: ConversationsQuery,
): Promise<ConversationFeedbackRow[]> {
  return db.rows<ConversationFeedbackRow>(selectConversationFeedback(query), {
    name: 'feedback of conversations',
    kind: 'scan',
  })
}

export function selectConversationFeedback(query: ConversationsQuery): Sql {
  const { project_id, conversation_ids } = query
  const conversation = itemOfRef(project_id, 'agent_conversation')
  const turn = itemOfRef(project_id, 'agent_turn')
  const traces = sql`SELECT trace_id ${from(project_id, 'calls')} AND ${and(conversationConditions(query))}`
  return sql`SELECT if(${conversation.isIn}, ${conversation.id}, '') AS conversation_id, if(${turn.isIn}, ${turn.id}, '') AS trace_id,
  feedback_type, scorer_tags, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences
${from(project_id, 'feedback')} AND feedback_type IN ${CONVERSATION_FEEDBACK}
  AND ((${conversation.isIn} AND ${conversation.id} IN ${conversation_ids}) OR (${turn.isIn} AND ${turn.id} IN (${traces})))
ORDER BY created_at, feedback.id`
}

/** What a ref such as `weave:///entity/project/agent_turn/id` refers to. SDKs percent-encode the id. */
function itemOfRef(project_id: string, kind: string): { readonly isIn: Sql; readonly id: Sql } {
  const prefix = `${REF_PREFIX}${project_id}/${kind}/`
  return {
    isIn: sql`startsWith(weave_ref, ${prefix})`,
    id: sql`decodeURLComponent(substring(weave_ref, ${Buffer.byteLength(prefix) + 1}))`,
  }
}

function conversationConditions({ conversation_ids, ...selection }: ConversationsQuery): Sql[] {
  return [...spanConditions(selection), sql`thread_id IN ${conversation_ids}`]
}
