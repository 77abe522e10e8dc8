import type { StoredCallRow } from '../../core/calls/call-view.ts'
import { Grouped } from '../../core/concurrency/grouped.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { type Page, page } from '../query/page.ts'
import { from } from '../query/scope.ts'
import { and, bound, identifier, join, moment, type Sql, sql } from '../query/sql.ts'
import { matchingCalls, type RefHops } from './ref-joins.ts'
import type { QuickConditions } from './selection.ts'
import { SIZE } from './sizes.ts'

/** Reading calls. FINAL, inside `from`, shows each call once whatever was sent again. */

/** Columns that every answer has. */
const ALWAYS = ['id', 'project_id', 'trace_id', 'op_name', 'started_at'] as const

const OPTIONAL = [
  'display_name',
  'parent_id',
  'thread_id',
  'turn_id',
  'attributes',
  'inputs',
  'ended_at',
  'exception',
  'output',
  'summary',
  'wb_user_id',
  'wb_run_id',
  'wb_run_step',
  'wb_run_step_end',
  'otel_dump',
] as const

export type CallColumn = (typeof ALWAYS)[number] | (typeof OPTIONAL)[number]

/** A summary is worked out from these too; attributes show the span a call was made from. */
const NEEDS: ReadonlyMap<CallColumn, readonly CallColumn[]> = new Map<CallColumn, readonly CallColumn[]>([
  ['summary', ['ended_at', 'exception', 'display_name']],
  ['attributes', ['otel_dump']],
])

/** The columns to read for those a caller named by the first part of a path; all of them when none is named. */
export function callColumns(wanted: readonly string[] | null | undefined): CallColumn[] {
  if (wanted === null || wanted === undefined || wanted.length === 0) return [...ALWAYS, ...OPTIONAL]
  const names = new Set(wanted.map((path) => path.split('.')[0]))
  const chosen = OPTIONAL.filter((column) => names.has(column))
  const needed = chosen.flatMap((column) => NEEDS.get(column) ?? [])
  return [...new Set<CallColumn>([...ALWAYS, ...chosen, ...needed])]
}

export interface CallSelection {
  readonly project_id: string
  readonly conditions: readonly Sql[]
  /** Terms of ORDER BY; empty for no order. */
  readonly order: readonly Sql[]
  readonly columns: readonly CallColumn[]
  readonly page: Page
  /** What lies behind refs, if conditions or order look there. */
  readonly hops?: RefHops | undefined
  /** Adds `storage_size_bytes`. */
  readonly with_size?: boolean | undefined
  /** Adds `preview_inputs` and `preview_output`, cut by the engine: payloads can be large. */
  readonly preview_characters?: number | null | undefined
}

/** Pages up to this size are read in two steps; larger ones are streamed in one. */
const TWO_STEP_ROWS = 10_000

export function selectCalls(selection: CallSelection): Sql {
  const { project_id, conditions, hops } = selection
  const matching = matchingCalls(project_id, conditions, hops)
  const sorted = sortedBy(selection)
  if (!isShort(selection.page)) {
    return sql`SELECT ${namesOf(selection)}\n${matching}${sorted} ${page(selection.page)}`
  }
  // Which calls, by narrow columns; then only their rows with payloads. In one step every matching call's payload
  // would be read to find the page (1 M calls: 680 ms against 34 ms).
  return sql`SELECT ${namesOf(selection)}
${from(project_id, 'calls')} AND (started_at, id) IN (SELECT started_at, id ${matching}${sorted} ${page(selection.page)})${sorted}`
}

export function isShort({ limit }: Page): boolean {
  return limit !== undefined && limit <= TWO_STEP_ROWS
}

type Shown = Pick<CallSelection, 'columns' | 'with_size' | 'preview_characters'>

export function namesOf({ columns, with_size, preview_characters: characters }: Shown): Sql {
  const sized = with_size === true ? [sql`${SIZE} AS storage_size_bytes`] : []
  const previews =
    typeof characters === 'number'
      ? [
          sql`substringUTF8(inputs, 1, ${characters}) AS preview_inputs`,
          sql`substringUTF8(output, 1, ${characters}) AS preview_output`,
        ]
      : []
  return join([...columns.map(identifier), ...sized, ...previews], ', ')
}

function sortedBy({ order }: CallSelection): Sql {
  return order.length === 0 ? sql`` : sql`\nORDER BY ${join(order, ', ')}`
}

/** Calls that started within a stretch of time, open at either end. */
export function startedWithin({
  from: first,
  before,
}: {
  from?: Micros | undefined
  before?: Micros | undefined
}): Sql[] {
  return [
    ...(first === undefined ? [] : [sql`started_at >= ${moment(first)}`]),
    ...(before === undefined ? [] : [sql`started_at < ${moment(before)}`]),
  ]
}

export function streamCalls(
  db: Database,
  selection: CallSelection,
  signal?: AbortSignal,
  kind: 'list' | 'export' = 'list',
): Grouped<StoredCallRow> {
  const { hops } = selection
  if (hops !== undefined && !hops.isEmpty && isShort(selection.page))
    return new Grouped(readPage(db, selection))
  return db.stream<StoredCallRow>(selectCalls(selection), { name: 'calls', kind, signal })
}

/** Where a call is in the order of time. */
export interface CallPlace {
  readonly id: string
  /** Microseconds, as text. */
  readonly started: string
}

/** Calls whose payloads are read at once. */
const PAGE_PIECE = 200

/**
 * A page of calls that are found or sorted by what lies behind refs, in two statements: the rows of the page are
 * sorted by nothing that they hold.
 */
async function* readPage(db: Database, selection: CallSelection): AsyncGenerator<StoredCallRow[]> {
  const keys = await db.rows<CallPlace>(selectPage(selection), { name: 'calls of a page', kind: 'list' })
  for (let i = 0; i < keys.length; i += PAGE_PIECE) {
    const piece = keys.slice(i, i + PAGE_PIECE)
    const rows = await db.rows<StoredCallRow>(selectByKeys(selection, piece), {
      name: 'calls by key',
      kind: 'list',
    })
    const byId = new Map(rows.map((row) => [row.id, row]))
    // One may be gone since.
    yield piece.map(({ id }) => byId.get(id)).filter((row) => row !== undefined)
  }
}

export function selectPage(selection: CallSelection): Sql {
  const matching = matchingCalls(selection.project_id, selection.conditions, selection.hops)
  return sql`SELECT id, toUnixTimestamp64Micro(started_at) AS started
${matching}${sortedBy(selection)} ${page(selection.page)}`
}

export function selectByKeys(
  selection: Pick<CallSelection, 'project_id'> & Shown,
  keys: readonly CallPlace[],
): Sql {
  return sql`SELECT ${namesOf(selection)}
${from(selection.project_id, 'calls')} AND ${isAmong(keys)}`
}

export function isAmong(keys: readonly CallPlace[]): Sql {
  const times = bound(
    'Array(Int64)',
    keys.map(({ started }) => BigInt(started)),
  )
  const ids = keys.map(({ id }) => id)
  // As rows, not as an array: the engine finds the members of a set by its index, and looks for those of an array everywhere.
  return sql`(started_at, id) IN (SELECT fromUnixTimestamp64Micro(place.1, 'UTC'), place.2 FROM (SELECT arrayJoin(arrayZip(${times}, ${ids})) AS place))`
}

/** By id, through call_ids: the key of calls begins with the time, which the caller does not know. */
export async function findCall(
  db: Database,
  project_id: string,
  id: string,
  with_size = false,
): Promise<StoredCallRow | undefined> {
  return db.first<StoredCallRow>(selectCall(project_id, id, with_size), { name: 'call by id', kind: 'point' })
}

export function selectCall(project_id: string, id: string, with_size = false): Sql {
  return sql`SELECT ${namesOf({ columns: callColumns(null), with_size })}
${from(project_id, 'calls')} AND (started_at, id) IN (SELECT started_at, id ${from(project_id, 'call_ids')} AND id = ${id} AND is_part = 0)`
}

/** `limit` stops counting there: enough to know that there are more. */
export function countStatement(
  project_id: string,
  conditions: readonly Sql[],
  limit: number | undefined,
  hops?: RefHops,
): Sql {
  const matching = matchingCalls(project_id, conditions, hops)
  if (limit === undefined) return sql`SELECT count() AS count ${matching}`
  return sql`SELECT count() AS count FROM (SELECT 1 ${matching} LIMIT ${limit})`
}

export function quickCountStatement(project_id: string, { simple, unsure, quick }: QuickConditions): Sql {
  return sql`SELECT countIf(${quick}) AS count, countIf(${unsure}) AS unsure
${from(project_id, 'calls')} AND ${and(simple)}`
}

/** Undefined if the documents of some calls must be asked. */
export async function countQuickly(
  db: Database,
  project_id: string,
  conditions: QuickConditions,
): Promise<number | undefined> {
  const row = await db.first<{ count: string; unsure: string }>(quickCountStatement(project_id, conditions), {
    name: 'calls counted by what is pulled out',
    kind: 'scan',
  })
  return row?.unsure === '0' ? Number(row.count) : undefined
}

export async function countCalls(
  db: Database,
  project_id: string,
  conditions: readonly Sql[],
  limit: number | undefined,
  hops?: RefHops,
): Promise<number> {
  const statement = countStatement(project_id, conditions, limit, hops)
  const row = await db.first<{ count: string }>(statement, { name: 'calls counted', kind: 'scan' })
  return Number(row?.count ?? 0)
}

export interface Kinship {
  readonly id: string
  readonly parent_id: string
}

/** Every call, by id and parent, of the traces that these calls belong to. */
export async function listKin(db: Database, project_id: string, ids: readonly string[]): Promise<Kinship[]> {
  return db.rows<Kinship>(selectKin(project_id, ids), { name: 'calls of the same traces', kind: 'scan' })
}

export function selectKin(project_id: string, ids: readonly string[]): Sql {
  return sql`SELECT id, parent_id ${from(project_id, 'calls')} AND trace_id IN (
  SELECT trace_id ${from(project_id, 'calls')} AND (started_at, id) IN (
    SELECT started_at, id ${from(project_id, 'call_ids')} AND id IN ${ids} AND is_part = 0))`
}
