import type { LiveCursor, LivePosition } from '../../core/live/live-cursor.ts'
import type { StoredBefore, LogRow, PriorRow } from '../../core/live/live-events.ts'
import { type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { fromAllVersions, fromLiveLog } from '../query/scope.ts'
import { moment, type Sql, sql } from '../query/sql.ts'

/** Reads the log of the live feed (the table `live_log`; docs/decisions/0009-live-feed.md). */

/** Rows are kept for at least a day; cursors expire an hour earlier. */
export const RETENTION_MICROS: Micros = 23n * 3_600_000_000n

/**
 * The longest insert. `logged_at` is the start of the insert, but its position is assigned at its end. ClickHouse aborts
 * an insert after 30 s, and the client waits for 120 s.
 */
export const MAX_INSERT_MICROS: Micros = 300_000_000n

/**
 * How rows are ordered. With a delay, for replicated tables, the order is by time, because their block numbers do not
 * tell when a row became visible.
 */
export interface LiveOrder {
  readonly delayMs: number
}

function positionColumns({ delayMs }: LiveOrder): { block: Sql; offset: Sql } {
  return delayMs === 0
    ? { block: sql`_block_number`, offset: sql`_block_offset` }
    : {
        block: sql`toUnixTimestamp64Micro(logged_at)`,
        offset: sql`sipHash64(id, record_type, version) % 1000000000`,
      }
}

interface Row extends Omit<LogRow, 'block' | 'offset' | 'at' | 'version' | 'is_deleted' | 'has_exception'> {
  readonly version: string
  readonly is_deleted: number
  readonly has_exception: number
  readonly block: string
  readonly offset: string
  readonly logged_at: string
}

/** Rows from the cursor on, oldest first. */
export async function listLive(
  db: Database,
  project_id: string,
  cursor: LiveCursor,
  page: { readonly limit: number; readonly order: LiveOrder },
): Promise<LogRow[]> {
  const statement = selectLive(project_id, cursor, page)
  const rows = await db.rows<Row>(statement, { name: 'live log', kind: 'point' })
  return rows.map(({ logged_at, ...row }) => ({
    ...row,
    is_deleted: row.is_deleted === 1,
    version: BigInt(row.version),
    has_exception: row.has_exception === 1,
    block: Number(row.block),
    offset: Number(row.offset),
    at: parseTime(logged_at) ?? 0n,
  }))
}

export function selectLive(
  project_id: string,
  cursor: LiveCursor,
  { limit, order }: { readonly limit: number; readonly order: LiveOrder },
): Sql {
  const { block, offset } = positionColumns(order)
  const isVisible =
    order.delayMs === 0 ? sql`` : sql` AND logged_at <= now64(6) - toIntervalMillisecond(${order.delayMs})`
  return sql`SELECT record_type, id, is_deleted, version, content_hash, trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at,
  has_exception, feedback_type, weave_ref, wb_user_id, logged_at, ${block} AS block, ${offset} AS offset
${fromLiveLog(project_id, sql`${block} >= ${cursor.block}`)}
  AND logged_at >= ${moment(cursor.at - MAX_INSERT_MICROS)} AND (${block}, ${offset}) >= (${cursor.block}, ${cursor.offset})${isVisible}
ORDER BY block, offset LIMIT ${limit}`
}

/** The log rows of these records, each content at its first position. */
export async function listLogged(
  db: Database,
  project_id: string,
  ids: readonly string[],
  order: LiveOrder,
): Promise<Map<string, PriorRow[]>> {
  const logged = new Map<string, PriorRow[]>()
  if (ids.length === 0) return logged
  type Group = Pick<Row, 'id' | 'record_type' | 'version' | 'content_hash' | 'is_deleted'> & {
    readonly is_ended: number
    readonly first: readonly [string, string]
  }
  const statement = selectLogged(project_id, ids, order)
  for (const row of await db.rows<Group>(statement, { name: 'live log by id', kind: 'point' })) {
    const { id, record_type, content_hash, first } = row
    const position: LivePosition = { block: Number(first[0]), offset: Number(first[1]) }
    const known = logged.get(id) ?? []
    known.push({
      record_type,
      version: BigInt(row.version),
      content_hash,
      is_deleted: row.is_deleted === 1,
      is_ended: row.is_ended === 1,
      ...position,
    })
    logged.set(id, known)
  }
  return logged
}

export function selectLogged(project_id: string, ids: readonly string[], order: LiveOrder): Sql {
  const { block, offset } = positionColumns(order)
  return sql`SELECT id, record_type, version, content_hash, is_deleted, isNotNull(ended_at) AS is_ended, min((${block}, ${offset})) AS first
${fromAllVersions(project_id, 'live_log')} AND id IN ${ids}
GROUP BY id, record_type, version, content_hash, is_deleted, is_ended`
}

/** What was stored of these calls before the log starts: rows in `call_ids` that are not in the log. */
export async function listStoredBefore(
  db: Database,
  project_id: string,
  ids: readonly string[],
): Promise<Map<string, StoredBefore>> {
  if (ids.length === 0) return new Map()
  const statement = selectStoredBefore(project_id, ids)
  const rows = await db.rows<{ id: string; was_ended: number }>(statement, {
    name: 'calls before the live log',
    kind: 'point',
  })
  return new Map(rows.map((row) => [row.id, { was_ended: row.was_ended === 1 }]))
}

/** Bits 56 to 111 of a version are the end time of the call (core/calls/call-facts.ts). */
export function selectStoredBefore(project_id: string, ids: readonly string[]): Sql {
  return sql`SELECT id, max(bitAnd(bitShiftRight(version, 56), 72057594037927935) > 0) AS was_ended
${fromAllVersions(project_id, 'call_ids')} AND id IN ${ids} AND is_part = 0
  AND (id, version) NOT IN (SELECT id, version ${fromAllVersions(project_id, 'live_log')} AND id IN ${ids})
GROUP BY id`
}

export interface LogEnd {
  /** ClickHouse's clock before the read. */
  readonly now: Micros
  /** The last row of the recent minutes; undefined if there is none. */
  readonly last: (LivePosition & { readonly at: Micros }) | undefined
}

/** The current end of a project's log. */
export async function readLogEnd(db: Database, project_id: string, order: LiveOrder): Promise<LogEnd> {
  const row = await db.first<{ now: string; last: readonly [string, string]; newest: string; n: string }>(
    selectLogEnd(project_id, order),
    { name: 'live log end', kind: 'point' },
  )
  const now = parseTime(row?.now ?? '') ?? 0n
  if (row === undefined || row.n === '0') return { now, last: undefined }
  const [block, offset] = row.last
  return {
    now,
    last: { block: Number(block), offset: Number(offset), at: parseTime(row.newest) ?? now },
  }
}

export function selectLogEnd(project_id: string, order: LiveOrder): Sql {
  const { block, offset } = positionColumns(order)
  return sql`SELECT now64(6, 'UTC') AS now, max((${block}, ${offset})) AS last, max(logged_at) AS newest, count() AS n
${fromAllVersions(project_id, 'live_log')} AND logged_at >= now64(6) - toIntervalMicrosecond(${Number(MAX_INSERT_MICROS)})`
}
