import type { LiveCursor, LivePosition } from '../../core/live/live-cursor.ts'
import type { Before, LogRow, Said } from '../../core/live/live-events.ts'
import { type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { fromEveryVersion, fromLiveLog } from '../query/scope.ts'
import { moment, type Sql, sql } from '../query/sql.ts'

/** The log behind the live feed: migrations/0006_live.sql and docs/decisions/0009-live-feed.md. */

/** Rows are kept for a day at least; a cursor may be an hour short of that. */
export const KEPT_MICROS: Micros = 23n * 3_600_000_000n

/**
 * A row's time is when its insert began, its place when that ended: no insert may take longer than this. The engine
 * gets 30 s for one and the client waits 120 s.
 */
export const SLACK_MICROS: Micros = 300_000_000n

/** Where a row stands. `settleMs` is for replicated tables, whose numbers do not tell when a row became visible. */
export interface LiveOrder {
  readonly settleMs: number
}

function placeOf({ settleMs }: LiveOrder): { block: Sql; offset: Sql } {
  return settleMs === 0
    ? { block: sql`_block_number`, offset: sql`_block_offset` }
    : {
        block: sql`toUnixTimestamp64Micro(logged_at)`,
        offset: sql`sipHash64(id, noun, version) % 1000000000`,
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

/** Rows from the cursor on, the oldest first. */
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
  const { block, offset } = placeOf(order)
  const settled =
    order.settleMs === 0 ? sql`` : sql` AND logged_at <= now64(6) - toIntervalMillisecond(${order.settleMs})`
  return sql`SELECT noun, id, is_deleted, version, says, trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at,
  has_exception, feedback_type, weave_ref, wb_user_id, logged_at, ${block} AS block, ${offset} AS offset
${fromLiveLog(project_id, sql`${block} >= ${cursor.block}`)}
  AND logged_at >= ${moment(cursor.at - SLACK_MICROS)} AND (${block}, ${offset}) >= (${cursor.block}, ${cursor.offset})${settled}
ORDER BY block, offset LIMIT ${limit}`
}

/** What the log says of these records, each thing at the place where it was said first. */
export async function listSaid(
  db: Database,
  project_id: string,
  ids: readonly string[],
  order: LiveOrder,
): Promise<Map<string, Said[]>> {
  const said = new Map<string, Said[]>()
  if (ids.length === 0) return said
  type Group = Pick<Row, 'id' | 'noun' | 'version' | 'says' | 'is_deleted'> & {
    readonly is_ended: number
    readonly first: readonly [string, string]
  }
  const statement = selectSaid(project_id, ids, order)
  for (const row of await db.rows<Group>(statement, { name: 'live log by id', kind: 'point' })) {
    const { id, noun, says, first } = row
    const place: LivePosition = { block: Number(first[0]), offset: Number(first[1]) }
    const known = said.get(id) ?? []
    known.push({
      noun,
      version: BigInt(row.version),
      says,
      is_deleted: row.is_deleted === 1,
      is_ended: row.is_ended === 1,
      ...place,
    })
    said.set(id, known)
  }
  return said
}

export function selectSaid(project_id: string, ids: readonly string[], order: LiveOrder): Sql {
  const { block, offset } = placeOf(order)
  return sql`SELECT id, noun, version, says, is_deleted, isNotNull(ended_at) AS is_ended, min((${block}, ${offset})) AS first
${fromEveryVersion(project_id, 'live_log')} AND id IN ${ids}
GROUP BY id, noun, version, says, is_deleted, is_ended`
}

/** What was stored of these calls before the log began: rows that `call_ids` knows and the log does not. */
export async function listBefore(
  db: Database,
  project_id: string,
  ids: readonly string[],
): Promise<Map<string, Before>> {
  if (ids.length === 0) return new Map()
  const statement = selectBefore(project_id, ids)
  const rows = await db.rows<{ id: string; was_ended: number }>(statement, {
    name: 'calls before the live log',
    kind: 'point',
  })
  return new Map(rows.map((row) => [row.id, { was_ended: row.was_ended === 1 }]))
}

/** Bits 56 to 111 of a version say when the call ended (core/call-facts.ts). */
export function selectBefore(project_id: string, ids: readonly string[]): Sql {
  return sql`SELECT id, max(bitAnd(bitShiftRight(version, 56), 72057594037927935) > 0) AS was_ended
${fromEveryVersion(project_id, 'call_ids')} AND id IN ${ids} AND is_part = 0
  AND (id, version) NOT IN (SELECT id, version ${fromEveryVersion(project_id, 'live_log')} AND id IN ${ids})
GROUP BY id`
}

export interface Frontier {
  /** The engine's clock, from before it looked. */
  readonly now: Micros
  /** The last row of the last minutes; undefined if there was none. */
  readonly last: (LivePosition & { readonly at: Micros }) | undefined
}

/** Where the log of a project ends right now. */
export async function readFrontier(db: Database, project_id: string, order: LiveOrder): Promise<Frontier> {
  const row = await db.first<{ now: string; last: readonly [string, string]; newest: string; n: string }>(
    selectFrontier(project_id, order),
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

export function selectFrontier(project_id: string, order: LiveOrder): Sql {
  const { block, offset } = placeOf(order)
  return sql`SELECT now64(6, 'UTC') AS now, max((${block}, ${offset})) AS last, max(logged_at) AS newest, count() AS n
${fromEveryVersion(project_id, 'live_log')} AND logged_at >= now64(6) - toIntervalMicrosecond(${Number(SLACK_MICROS)})`
}
