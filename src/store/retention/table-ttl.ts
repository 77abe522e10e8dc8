import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/**
 * What happens to the calls of all projects at some age, by a TTL of the table. ClickHouse drops or moves a part when all its
 * rows are too old, and rewrites none (`ttl_only_drop_parts`). A partition is a month, so it may happen up to a month later.
 */
export interface TableTtl {
  /** The maximum age (`HEDDLE_RETENTION_MAX_DAYS`); 0 = no limit. Calls with feedback or a chosen tag are not kept either. */
  readonly deleteAfterDays: number
  readonly cold?: ColdStorage | undefined
}

/** A storage policy of ClickHouse whose volume `cold` gets old calls. */
export interface ColdStorage {
  readonly policy: string
  /** 0 = none. */
  readonly afterDays: number
}

/** Times outside these years are mistakes of clients, and do not fit a DateTime: such calls age from their arrival on. */
const ORIGIN = `if((started_at >= '2020-01-01 00:00:00') AND (started_at < '2100-01-01 00:00:00'), toDateTime(started_at), toDateTime(inserted_at))`

/** As ClickHouse prints it, so that the two can be compared; empty if nothing happens at any age. */
function ttlClause({ deleteAfterDays, cold }: TableTtl): string {
  const at = (days: number, action: string): string[] =>
    days === 0 ? [] : [`${ORIGIN} + toIntervalDay(${days})${action}`]
  return [...at(deleteAfterDays, ''), ...at(cold?.afterDays ?? 0, ` TO VOLUME 'cold'`)].join(', ')
}

/** Applies the settings to the table. Changes only what differs. */
export async function applyTableTtl(db: Database, ttl: TableTtl): Promise<void> {
  const row = await db.first<{ engine_full: string }>(selectCallsTable, {
    name: 'ttl of calls',
    kind: 'point',
  })
  const engine = row?.engine_full ?? ''
  const policy = ttl.cold?.policy
  // Without cold storage in the settings the policy stays: parts may be there.
  if (policy !== undefined && /storage_policy = '([^']*)'/.exec(engine)?.[1] !== policy)
    await db.ddl(`ALTER TABLE calls MODIFY SETTING storage_policy = '${checkedName(policy)}'`)
  const current = / TTL (.*) SETTINGS /.exec(engine)?.[1] ?? ''
  const wanted = ttlClause(ttl)
  if (current === wanted) return
  if (wanted === '') return db.ddl('ALTER TABLE calls REMOVE TTL')
  await db.ddl('ALTER TABLE calls MODIFY SETTING ttl_only_drop_parts = 1')
  // Existing parts get their range of times from the mutation that this starts, which rewrites no data.
  await db.ddl(`ALTER TABLE calls MODIFY TTL ${wanted}`)
}

function checkedName(policy: string): string {
  if (/^[\w-]+$/.test(policy)) return policy
  throw new Error(`"${policy}" is not the name of a storage policy of ClickHouse`)
}

export const selectCallsTable: Sql = sql`SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND name = 'calls'`
