import type { LiveCursor, LivePosition } from '../../core/live/live-cursor.ts'
import type { StoredBefore, LogRow, PriorRow } from '../../core/live/live-events.ts'
import { type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { type CallsOfProject, fromLiveLog, fromProjects } from '../query/scope.ts'
import { bound, moment, type Sql, sql } from '../query/sql.ts'

/**
 * Reads the log of the live feed (the table `live_log`; docs/decisions/0009-live-feed.md). Every statement reads many
 * projects, so that the cost of following does not grow with their number.
 */

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

/** A project and the position from which to read its log. */
export interface ProjectCursor {
  readonly project_id: string
  readonly cursor: LiveCursor
}

/** Records of one project, by id. */
export interface ProjectRecords {
  readonly project_id: string
  readonly ids: readonly string[]
}

interface Row extends Omit<LogRow, 'block' | 'offset' | 'at' | 'version' | 'is_deleted' | 'has_exception'> {
  readonly project_id: string
  readonly version: string
  readonly is_deleted: number
  readonly has_exception: number
  readonly block: string
  readonly offset: string
  readonly logged_at: string
}

/** Rows of each project from its cursor on, oldest first. At most `limit` per project. */
export async function listLive(
  db: Database,
  cursors: readonly ProjectCursor[],
  page: { readonly limit: number; readonly order: LiveOrder },
): Promise<Map<string, LogRow[]>> {
  if (cursors.length === 0) return new Map()
  const rows = await db.rows<Row>(selectLive(cursors, page), { name: 'live log', kind: 'live' })
  return groupByProject(rows, ({ logged_at, ...row }) => ({
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
  cursors: readonly ProjectCursor[],
  { limit, order }: { readonly limit: number; readonly order: LiveOrder },
): Sql {
  const { block, offset } = positionColumns(order)
  const project_ids = cursors.map(({ project_id }) => project_id)
  /** The value of the row's project. ClickHouse computes it once per distinct project of a block. */
  const ofProject = (value: (cursor: LiveCursor) => number): Sql =>
    sql`transform(project_id, ${project_ids}, ${bound(
      'Array(Int64)',
      cursors.map(({ cursor }) => value(cursor)),
    )}, 0)`
  const fromBlock = ofProject((cursor) => cursor.block)
  const from = (cursor: LiveCursor): Micros => cursor.at - MAX_INSERT_MICROS
  const earliest = cursors.map(({ cursor }) => from(cursor)).reduce((a, b) => (a < b ? a : b))
  const isVisible =
    order.delayMs === 0 ? sql`` : sql` AND logged_at <= now64(6) - toIntervalMillisecond(${order.delayMs})`
  // A single project needs no LIMIT BY, which would sort all its rows instead of keeping the first ones.
  const limitBy = cursors.length === 1 ? sql`` : sql` BY project_id`
  return sql`SELECT project_id, record_type, id, is_deleted, version, content_hash, trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at,
  has_exception, feedback_type, weave_ref, wb_user_id, logged_at, ${block} AS block, ${offset} AS offset
${fromLiveLog(project_ids, sql`${block} >= ${fromBlock}`)}
  AND logged_at >= ${moment(earliest)} AND toUnixTimestamp64Micro(logged_at) >= ${ofProject((cursor) => Number(from(cursor)))}
  AND (${block}, ${offset}) >= (${fromBlock}, ${ofProject((cursor) => cursor.offset)})${isVisible}
ORDER BY block, offset LIMIT ${limit}${limitBy}`
}

/** The log rows of these records by project and id, each content at its first position. */
export async function listLogged(
  db: Database,
  records: readonly ProjectRecords[],
  order: LiveOrder,
): Promise<Map<string, Map<string, PriorRow[]>>> {
  const logged = new Map<string, Map<string, PriorRow[]>>()
  if (records.length === 0) return logged
  type Group = Pick<Row, 'project_id' | 'id' | 'record_type' | 'version' | 'content_hash' | 'is_deleted'> & {
    readonly is_ended: number
    readonly first: readonly [string, string]
  }
  const statement = selectLogged(records, order)
  const rows = await db.rows<Group>(statement, { name: 'live log by id', kind: 'live' })
  for (const [project_id, groups] of groupByProject(rows, (row) => row)) {
    const known = new Map<string, PriorRow[]>()
    for (const { id, record_type, content_hash, first, ...row } of groups) {
      const prior: PriorRow = {
        record_type,
        version: BigInt(row.version),
        content_hash,
        is_deleted: row.is_deleted === 1,
        is_ended: row.is_ended === 1,
        block: Number(first[0]),
        offset: Number(first[1]),
      }
      const ofRecord = known.get(id)
      if (ofRecord === undefined) known.set(id, [prior])
      else ofRecord.push(prior)
    }
    logged.set(project_id, known)
  }
  return logged
}

export function selectLogged(records: readonly ProjectRecords[], order: LiveOrder): Sql {
  const { block, offset } = positionColumns(order)
  return sql`SELECT project_id, id, record_type, version, content_hash, is_deleted, isNotNull(ended_at) AS is_ended, min((${block}, ${offset})) AS first
${fromProjects('live_log', asCalls(records))}
GROUP BY project_id, id, record_type, version, content_hash, is_deleted, is_ended`
}

/** What was stored of these calls before the log starts: rows in `call_ids` that are not in the log. */
export async function listStoredBefore(
  db: Database,
  records: readonly ProjectRecords[],
): Promise<Map<string, Map<string, StoredBefore>>> {
  if (records.length === 0) return new Map()
  const rows = await db.rows<{ project_id: string; id: string; was_ended: number }>(
    selectStoredBefore(records),
    { name: 'calls before the live log', kind: 'live' },
  )
  const stored = groupByProject(rows, ({ id, was_ended }) => [id, { was_ended: was_ended === 1 }] as const)
  return new Map([...stored].map(([project_id, calls]) => [project_id, new Map(calls)]))
}

/** Bits 56 to 111 of a version are the end time of the call (core/calls/call-facts.ts). */
export function selectStoredBefore(records: readonly ProjectRecords[]): Sql {
  const calls = asCalls(records)
  return sql`SELECT project_id, id, max(bitAnd(bitShiftRight(version, 56), 72057594037927935) > 0) AS was_ended
${fromProjects('call_ids', calls)} AND is_part = 0
  AND (project_id, id, version) NOT IN (SELECT project_id, id, version ${fromProjects('live_log', calls)})
GROUP BY project_id, id`
}

export interface LogEnd {
  /** ClickHouse's clock before the read. */
  readonly now: Micros
  /** The last row of the recent minutes; undefined if there is none. */
  readonly last: (LivePosition & { readonly at: Micros }) | undefined
}

/** The current end of each project's log. */
export async function readLogEnds(
  db: Database,
  project_ids: readonly string[],
  order: LiveOrder,
): Promise<(project_id: string) => LogEnd> {
  const row = await db.first<{
    now: string
    ends: readonly (readonly [string, readonly [string, string], string])[]
  }>(selectLogEnds(project_ids, order), { name: 'live log end', kind: 'live' })
  const now = parseTime(row?.now ?? '') ?? 0n
  const ends = new Map(
    row?.ends.map(([project_id, [block, offset], newest]) => [
      project_id,
      { block: Number(block), offset: Number(offset), at: parseTime(newest) ?? now },
    ]),
  )
  return (project_id) => ({ now, last: ends.get(project_id) })
}

export function selectLogEnds(project_ids: readonly string[], order: LiveOrder): Sql {
  const { block, offset } = positionColumns(order)
  const isRecent = sql`logged_at >= now64(6) - toIntervalMicrosecond(${Number(MAX_INSERT_MICROS)})`
  return sql`SELECT now64(6, 'UTC') AS now, groupArray((project_id, last, newest)) AS ends
FROM (SELECT project_id, max((${block}, ${offset})) AS last, max(logged_at) AS newest
  ${fromLiveLog(project_ids, isRecent)}
  GROUP BY project_id)`
}

function asCalls(records: readonly ProjectRecords[]): CallsOfProject[] {
  return records.map((each) => ({ ...each, spans: [] }))
}

function groupByProject<Item extends { readonly project_id: string }, Value>(
  items: readonly Item[],
  convert: (item: Item) => Value,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const item of items) {
    const group = groups.get(item.project_id)
    if (group === undefined) groups.set(item.project_id, [convert(item)])
    else group.push(convert(item))
  }
  return groups
}
