import type { TimeCursor } from '../../../core/time/time-cursor.ts'
import type { Database } from '../../database/database.ts'
import { from } from '../../query/scope.ts'
import { moment, type Sql, sql } from '../../query/sql.ts'

/** Reads the spans that calls were made from, to map them again. */

export interface StoredSpan {
  readonly id: string
  /** Start of the call in microseconds. */
  readonly started: string
  readonly sent_by: string
  /** Versions of the start and the end of the call. */
  readonly start_version: string
  readonly end_version: string
  readonly otel_dump: string
  /** Length of `otel_dump`. */
  readonly bytes: number
}

/** A page ends with the span that makes it this large, whatever its number of rows. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024

/** The next spans of ended calls, ordered by start time. A running call is mapped when it ends. */
export async function listSpans(
  db: Database,
  project_id: string,
  after: TimeCursor | undefined,
  limit: number,
): Promise<StoredSpan[]> {
  return db.rows<StoredSpan>(selectSpans(project_id, after, limit), { name: 'stored spans', kind: 'list' })
}

export function selectSpans(project_id: string, after: TimeCursor | undefined, limit: number): Sql {
  const position =
    after === undefined ? sql`` : sql` AND (started_at, id) > (${moment(after.at)}, ${after.id})`
  return sql`SELECT id, toUnixTimestamp64Micro(started_at) AS started, sent_by, start_version, end_version, otel_dump,
  toUInt32(length(otel_dump)) AS bytes
${from(project_id, 'calls')} AND (started_at, id) IN (
  SELECT started_at, id FROM (
    SELECT started_at, id, sum(bytes) OVER (ORDER BY started_at, id) - bytes AS bytes_before FROM (
      SELECT started_at, id, otel_dump.size AS bytes
      ${from(project_id, 'calls')} AND otel_dump.size != 0 AND isNotNull(ended_at)${position}
      ORDER BY started_at, id LIMIT ${limit}))
  WHERE bytes_before < ${MAX_PAGE_BYTES})
ORDER BY started_at, id`
}
