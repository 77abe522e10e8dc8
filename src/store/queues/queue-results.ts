import type { Database } from '../database/database.ts'
import { from } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** A value that a reviewer gave to a call with a score. */
export interface ScoreRow {
  readonly weave_ref: string
  /** The reviewer. */
  readonly wb_user_id: string
  /** `wandb.annotation.` and the name of the score. */
  readonly feedback_type: string
  /** JSON as sent. */
  readonly payload: string
  readonly annotation_ref: string | null
  readonly created_at: string
}

export const ANNOTATION_TYPE = 'wandb.annotation.'

/** The scores on these calls: of each reviewer and score the newest, ordered by score and reviewer. */
export async function listScores(
  db: Database,
  project_id: string,
  weave_refs: readonly string[],
): Promise<ScoreRow[]> {
  if (weave_refs.length === 0) return []
  return db.rows<ScoreRow>(selectScores(project_id, weave_refs), { name: 'queue scores', kind: 'list' })
}

export function selectScores(project_id: string, weave_refs: readonly string[]): Sql {
  return sql`SELECT weave_ref, wb_user_id, feedback_type, payload, annotation_ref, created_at
${from(project_id, 'feedback')} AND weave_ref IN ${weave_refs} AND startsWith(feedback_type, ${ANNOTATION_TYPE})
ORDER BY feedback_type, wb_user_id, created_at DESC, id DESC LIMIT 1 BY weave_ref, feedback_type, wb_user_id`
}
