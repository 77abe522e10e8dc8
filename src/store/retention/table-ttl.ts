import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/**
 * The maximum age of calls in all projects (`HEDDLE_RETENTION_MAX_DAYS`), by a TTL of the table. With
 * `ttl_only_drop_parts` ClickHouse drops a part when all its rows are too old, and rewrites none. A partition is a month, so
 * a call may stay up to a month longer. Nothing is kept: neither calls with feedback nor those with a chosen tag.
 */

/** Times outside these years are mistakes of clients, and do not fit a DateTime: such calls age from their arrival on. */
function ttlExpression(days: number): string {
  return `if((started_at >= '2020-01-01 00:00:00') AND (started_at < '2100-01-01 00:00:00'), toDateTime(started_at), toDateTime(inserted_at)) + toIntervalDay(${days})`
}

/** Applies the setting to the table; 0 removes the limit. Changes only what differs. */
export async function applyMaxAge(db: Database, days: number): Promise<void> {
  const row = await db.first<{ engine_full: string }>(selectCallsTable, {
    name: 'ttl of calls',
    kind: 'point',
  })
  const current = / TTL (.*) SETTINGS /.exec(row?.engine_full ?? '')?.[1]
  if (days === 0) {
    if (current !== undefined) await db.ddl('ALTER TABLE calls REMOVE TTL')
    return
  }
  if (current === ttlExpression(days)) return
  await db.ddl('ALTER TABLE calls MODIFY SETTING ttl_only_drop_parts = 1')
  // Existing parts get their range of times from the mutation that this starts, which rewrites no data.
  await db.ddl(`ALTER TABLE calls MODIFY TTL ${ttlExpression(days)}`)
}

export const selectCallsTable: Sql = sql`SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND name = 'calls'`
