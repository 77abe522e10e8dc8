import type { Database } from '../database/database.ts'
import { callIdOfRef, feedbackRecords } from '../calls/read/feedback-field.ts'
import { type Sql, sql } from '../query/sql.ts'

/** What is recorded on evaluation runs as feedback: that they became a baseline, and what gates decided. */

const MAX_RECORDS = 200

export interface RunRecord {
  readonly run: string
  readonly user: string
  readonly at: string
  /** JSON as stored. */
  readonly payload: string
}

/** Newest first. */
export async function listRunRecords(
  db: Database,
  project_id: string,
  feedback_type: string,
): Promise<RunRecord[]> {
  const options = { name: 'run records', kind: 'list' } as const
  return db.rows<RunRecord>(selectRunRecords(project_id, feedback_type), options)
}

export function selectRunRecords(project_id: string, feedback_type: string): Sql {
  return sql`SELECT ${callIdOfRef(project_id)} AS run, wb_user_id AS user, created_at AS at, payload
${feedbackRecords(project_id, feedback_type)} ORDER BY created_at DESC, id DESC LIMIT ${MAX_RECORDS}`
}
