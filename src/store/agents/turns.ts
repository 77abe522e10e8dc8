import { spanConditions } from './spans.ts'
import type { Database } from '../database/database.ts'
import { type Page, page } from '../query/page.ts'
import { from } from '../query/scope.ts'
import { and, type Sql, sql } from '../query/sql.ts'

/** The turns of a conversation are the traces with spans of its thread. */

interface Conversation {
  readonly project_id: string
  readonly conversation_id: string
}

export async function countTurns(db: Database, conversation: Conversation): Promise<number> {
  const row = await db.first<{ count: string }>(selectTurnCount(conversation), {
    name: 'turns counted',
    kind: 'scan',
  })
  return Number(row?.count ?? 0)
}

export function selectTurnCount(conversation: Conversation): Sql {
  return sql`SELECT uniqExact(trace_id) AS count ${fromConversation(conversation)}`
}

/** Latest first. */
export async function listTurns(db: Database, conversation: Conversation, turns: Page): Promise<string[]> {
  const rows = await db.rows<{ trace_id: string }>(selectTurns(conversation, turns), {
    name: 'turns',
    kind: 'scan',
  })
  return rows.map(({ trace_id }) => trace_id)
}

export function selectTurns(conversation: Conversation, turns: Page): Sql {
  return sql`SELECT trace_id ${fromConversation(conversation)}
GROUP BY trace_id ORDER BY min(started_at) DESC, trace_id DESC ${page(turns)}`
}

function fromConversation({ project_id, conversation_id }: Conversation): Sql {
  const conditions = spanConditions({ project_id, filter: { thread_ids: [conversation_id] } })
  return sql`${from(project_id, 'calls')} AND ${and(conditions)}`
}
