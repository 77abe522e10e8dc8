import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { from } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { findVersions, softDeleteRecords, nextVersion } from '../query/versions.ts'

/** A feedback record as stored: JSON documents as text, times in ISO 8601. */
export interface FeedbackRow {
  readonly project_id: string
  readonly id: string
  readonly weave_ref: string
  readonly wb_user_id: string
  readonly creator: string | null
  readonly created_at: string
  readonly feedback_type: string
  readonly payload: string
  readonly payload_normalized: string
  readonly annotation_ref: string | null
  readonly runnable_ref: string | null
  readonly call_ref: string | null
  readonly trigger_ref: string | null
  readonly queue_id: string | null
  readonly scorer_tags: readonly string[]
  readonly scorer_tag_reasons: string
  readonly scorer_tag_confidences: string
  readonly scorer_ratings: string
  readonly scorer_rating_reasons: string
  readonly scorer_rating_confidences: string
  readonly span_agent_name: string
  readonly span_agent_version: string
  readonly span_status_code: string
  readonly span_conversation_id: string
  readonly span_trace_id: string
  readonly scorer_trace_id: string
}

const ROW = sql`SELECT project_id, id, weave_ref, wb_user_id, creator, created_at, feedback_type, payload,
  payload_normalized, annotation_ref, runnable_ref, call_ref, trigger_ref, queue_id, scorer_tags, scorer_tag_reasons,
  scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences, span_agent_name,
  span_agent_version, span_status_code, span_conversation_id, span_trace_id, scorer_trace_id`

export async function findFeedback(
  db: Database,
  project_id: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FeedbackRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<FeedbackRow>(selectFeedback(project_id, ids), {
    name: 'feedback by id',
    kind: 'point',
  })
  return new Map(rows.map((row) => [row.id, row]))
}

export function selectFeedback(project_id: string, ids: readonly string[]): Sql {
  return sql`${ROW} ${from(project_id, 'feedback')} AND id IN ${ids}`
}

/** All feedback on these items, oldest first; used for `include_feedback` of calls. */
export async function listFeedbackAbout(
  db: Database,
  project_id: string,
  weave_refs: readonly string[],
): Promise<FeedbackRow[]> {
  if (weave_refs.length === 0) return []
  const statement = selectFeedbackAbout(project_id, weave_refs)
  return db.rows<FeedbackRow>(statement, { name: 'feedback about items', kind: 'list' })
}

export function selectFeedbackAbout(project_id: string, weave_refs: readonly string[]): Sql {
  return sql`${ROW} ${from(project_id, 'feedback')} AND weave_ref IN ${weave_refs} ORDER BY created_at, id`
}

/** Inserts or replaces records by id, also purged ones; all in one insert. */
export async function insertFeedback(db: Database, rows: readonly FeedbackRow[], now: Micros): Promise<void> {
  const versioned: object[] = []
  for (const project_id of new Set(rows.map((row) => row.project_id))) {
    const own = rows.filter((row) => row.project_id === project_id)
    const ids = own.map((row) => row.id)
    const versions = await findVersions(db, project_id, 'feedback', ids)
    for (const row of own) {
      versioned.push({ ...row, version: nextVersion(now, versions.get(row.id)?.version), is_deleted: 0 })
    }
  }
  await db.insert('feedback', versioned)
}

export async function purgeFeedback(
  db: Database,
  project_id: string,
  ids: readonly string[],
  now: Micros,
): Promise<void> {
  await softDeleteRecords(db, project_id, 'feedback', ids, now)
}
