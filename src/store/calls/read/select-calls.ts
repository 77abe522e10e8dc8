import type { CallCopier } from '../../../core/calls/call-copy.ts'
import type { StoredCallRow } from '../../../core/calls/call-view.ts'
import { BatchedStream } from '../../../core/concurrency/batched-stream.ts'
import type { Micros } from '../../../core/time/time.ts'
import type { Database } from '../../database/database.ts'
import type { StatementOptions } from '../../database/queries.ts'
import { type Page, page } from '../../query/page.ts'
import { from, fromAllVersions } from '../../query/scope.ts'
import { and, bound, identifier, join, moment, type Sql, sql } from '../../query/sql.ts'
import { type CallRow, VALUE_COLUMNS } from '../columns/call-columns.ts'
import { previewColumns } from './preview.ts'
import { matchingCalls, type RefJoins } from './ref-joins.ts'
import type { ExtractedConditions } from './selection.ts'
import { SIZE } from './sizes.ts'

/** Reads calls. FINAL, inside `from`, returns each call once even if its records were sent several times. */

export type CallColumn = keyof CallRow

/** Columns of every response. */
const REQUIRED_COLUMNS: readonly CallColumn[] = ['id', 'project_id', 'trace_id', 'op_name', 'started_at']

const OPTIONAL_COLUMNS = VALUE_COLUMNS.filter((column) => !REQUIRED_COLUMNS.includes(column))

/** The summary is computed from these too. */
const SUMMARY_COLUMNS = ['ended_at', 'exception', 'display_name'] as const satisfies readonly CallColumn[]

/**
 * Attributes show the span that the call was created from. A request for another member of the attributes, such as
 * `attributes.kind`, does not read the span, which is larger than everything else of the call.
 */
function showsSpan(path: string): boolean {
  return path === 'attributes' || path === 'attributes.otel_span' || path.startsWith('attributes.otel_span.')
}

/** The columns to read for the requested paths, by their first part; all columns if none is requested. */
export function callColumns(wanted: readonly string[] | null | undefined): CallColumn[] {
  if (wanted === null || wanted === undefined || wanted.length === 0)
    return [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS]
  const names = new Set(wanted.map((path) => path.split('.')[0]))
  const chosen = OPTIONAL_COLUMNS.filter((column) => names.has(column))
  const columns = new Set<CallColumn>([...REQUIRED_COLUMNS, ...chosen])
  if (names.has('summary')) for (const column of SUMMARY_COLUMNS) columns.add(column)
  if (wanted.some(showsSpan)) columns.add('otel_dump')
  return [...columns]
}

export interface CallSelection {
  readonly project_id: string
  readonly conditions: readonly Sql[]
  /** ORDER BY terms; empty for no order. */
  readonly order: readonly Sql[]
  readonly columns: readonly CallColumn[]
  readonly page: Page
  /** Joins to referenced objects, if conditions or order use them. */
  readonly refJoins?: RefJoins | undefined
  /** Adds `storage_size_bytes`. */
  readonly with_size?: boolean | undefined
  /** Large rows become placeholders with the required columns (response-rows.ts). */
  readonly with_placeholders?: boolean | undefined
  /** Copies rows instead of parsing them, where calls are streamed in one step. */
  readonly copyRow?: CallCopier | undefined
  /** Adds `field_values`: a map of text by name (group-keys.ts). */
  readonly field_values?: Sql | undefined
  /** Adds `preview_inputs` and `preview_output`. */
  readonly preview_characters?: number | null | undefined
  readonly preview_messages?: boolean | null | undefined
}

/** Pages up to this size are read in two steps, larger ones are streamed in one step. */
const TWO_STEP_ROWS = 10_000

export function selectCalls(selection: CallSelection): Sql {
  const { project_id, conditions, refJoins } = selection
  const matching = matchingCalls(project_id, conditions, refJoins)
  const sorted = orderBy(selection)
  if (!isSmallPage(selection.page)) {
    return sql`SELECT ${selectList(selection)}\n${matching}${sorted} ${page(selection.page)}`
  }
  // First the keys of the page, by narrow columns, then the payloads of those calls only. In one step the payloads of all
  // matching calls would be read (1 M calls: 680 ms against 34 ms).
  return sql`SELECT ${selectList(selection)}
${from(project_id, 'calls')} AND (started_at, id) IN (SELECT started_at, id ${matching}${sorted} ${page(selection.page)})${sorted}`
}

export function isSmallPage({ limit }: Page): boolean {
  return limit !== undefined && limit <= TWO_STEP_ROWS
}

type SelectedColumns = Pick<
  CallSelection,
  'columns' | 'with_size' | 'field_values' | 'preview_characters' | 'preview_messages'
>

export function selectList(selected: SelectedColumns): Sql {
  const { columns, with_size, field_values, preview_characters: characters, preview_messages } = selected
  const sized = with_size === true ? [sql`${SIZE} AS storage_size_bytes`] : []
  const fields = field_values === undefined ? [] : [sql`${field_values} AS field_values`]
  const previews = typeof characters === 'number' ? previewColumns(characters, preview_messages === true) : []
  return join([...columns.map(identifier), ...sized, ...fields, ...previews], ', ')
}

function orderBy({ order }: CallSelection): Sql {
  return order.length === 0 ? sql`` : sql`\nORDER BY ${join(order, ', ')}`
}

/** Calls that started within a time range, which may be open at either end. */
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
  kind: 'list' | 'export' = 'list',
): BatchedStream<StoredCallRow> {
  const { refJoins } = selection
  if (refJoins !== undefined && !refJoins.isEmpty && isSmallPage(selection.page))
    return new BatchedStream(readPage(db, selection))
  const { copyRow } = selection
  const options = { name: 'calls', kind, copyRow, ...largeRows(selection) }
  return db.stream<StoredCallRow>(selectCalls(selection), options)
}

/** Statement options for rows with payloads. */
export function largeRows({
  with_placeholders,
}: CallSelection): Pick<StatementOptions, 'placeholderColumns'> {
  return with_placeholders === true ? { placeholderColumns: REQUIRED_COLUMNS } : {}
}

/** The position of a call in time order. */
export interface CallPosition {
  readonly id: string
  /** Microseconds, as text. */
  readonly started: string
}

/** Calls whose payloads are read by one statement. */
const PAGE_CHUNK = 200

/**
 * A page of calls that are filtered or sorted by fields of referenced objects. It takes two statements, because the rows
 * do not contain their sort keys.
 */
async function* readPage(db: Database, selection: CallSelection): AsyncGenerator<StoredCallRow[]> {
  const keys = await db.rows<CallPosition>(selectPage(selection), { name: 'calls of a page', kind: 'list' })
  for (let i = 0; i < keys.length; i += PAGE_CHUNK) {
    const chunk = keys.slice(i, i + PAGE_CHUNK)
    const rows = await db.rows<StoredCallRow>(selectByKeys(selection, chunk), {
      name: 'calls by key',
      kind: 'list',
      ...largeRows(selection),
    })
    const byId = new Map(rows.map((row) => [row.id, row]))
    // A call may have been deleted since.
    yield chunk.map(({ id }) => byId.get(id)).filter((row) => row !== undefined)
  }
}

export function selectPage(selection: CallSelection): Sql {
  const matching = matchingCalls(selection.project_id, selection.conditions, selection.refJoins)
  return sql`SELECT id, toUnixTimestamp64Micro(started_at) AS started
${matching}${orderBy(selection)} ${page(selection.page)}`
}

export function selectByKeys(
  selection: Pick<CallSelection, 'project_id'> & SelectedColumns,
  keys: readonly CallPosition[],
): Sql {
  return sql`SELECT ${selectList(selection)}
${from(selection.project_id, 'calls')} AND ${isAtPosition(keys)}`
}

export function isAtPosition(keys: readonly CallPosition[]): Sql {
  const times = bound(
    'Array(Int64)',
    keys.map(({ started }) => BigInt(started)),
  )
  const ids = keys.map(({ id }) => id)
  // As rows, not as an array: ClickHouse uses the primary index for members of a set, but scans for those of an array.
  return sql`(started_at, id) IN (SELECT fromUnixTimestamp64Micro(entry.1, 'UTC'), entry.2 FROM (SELECT arrayJoin(arrayZip(${times}, ${ids})) AS entry))`
}

/** Finds a call by id through call_ids, because the sort key of calls starts with the time. */
export async function findCall(
  db: Database,
  project_id: string,
  id: string,
  with_size = false,
): Promise<StoredCallRow | undefined> {
  const statement = selectCall(project_id, id, with_size)
  const read = async (shard: number): Promise<StoredCallRow | undefined> =>
    db.shards[shard]?.first<StoredCallRow>(statement, { name: 'call by id', kind: 'point' })
  const [first = 0, ...others] = db.candidates(project_id, id)
  if (others.length === 0) return read(first)
  const results = await Promise.allSettled([first, ...others].map(read))
  const found = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined))
  const failed = results.find((result) => result.status === 'rejected')
  const row = found.find((each) => each !== undefined)
  if (row === undefined && failed !== undefined) throw failed.reason
  // Calls only ever move to the first candidate (store/cluster/move-calls.ts), perhaps since it was read.
  return row ?? read(first)
}

export function selectCall(project_id: string, id: string, with_size = false): Sql {
  return sql`SELECT ${selectList({ columns: callColumns(null), with_size })}
${from(project_id, 'calls')} AND (started_at, id) IN (SELECT started_at, id ${from(project_id, 'call_ids')} AND id = ${id} AND is_part = 0)`
}

/** Counting stops at `limit`. */
export function countStatement(
  project_id: string,
  conditions: readonly Sql[],
  limit: number | undefined,
  refJoins?: RefJoins,
): Sql {
  const matching = matchingCalls(project_id, conditions, refJoins)
  if (limit === undefined) return sql`SELECT count() AS count ${matching}`
  return sql`SELECT count() AS count FROM (SELECT 1 ${matching} LIMIT ${limit})`
}

export function extractedCountStatement(
  project_id: string,
  { simple, steps, condition }: ExtractedConditions,
): Sql {
  return sql`SELECT countIf(${condition}) AS count, countIf(${steps.byValues}) AS needs_documents,
  countIf(${steps.isUndecided}) AS undecided
${from(project_id, 'calls')} AND ${and(simple)}`
}

/** A row if some version of a call was not extracted. */
export function selectNotExtracted(project_id: string, { simple, steps }: ExtractedConditions): Sql {
  return sql`SELECT 1 AS found ${fromAllVersions(project_id, 'calls')} AND ${and([...simple, steps.bySubtrees])} LIMIT 1`
}

/** Undefined if the documents of some calls must be read. */
export async function countByExtractedFields(
  db: Database,
  project_id: string,
  conditions: ExtractedConditions,
): Promise<number | undefined> {
  const statement = extractedCountStatement(project_id, conditions)
  const row = await db.first<ExtractedCount>(statement, {
    name: 'calls counted by extracted fields',
    kind: 'scan',
  })
  if (row?.needs_documents !== '0') return undefined
  if (row.undecided === '0') return Number(row.count)
  const notExtracted = await db.first(selectNotExtracted(project_id, conditions), {
    name: 'calls not extracted',
    kind: 'scan',
  })
  return notExtracted === undefined ? Number(row.count) : undefined
}

interface ExtractedCount {
  readonly count: string
  readonly needs_documents: string
  readonly undecided: string
}

export async function countCalls(
  db: Database,
  project_id: string,
  conditions: readonly Sql[],
  limit: number | undefined,
  refJoins?: RefJoins,
): Promise<number> {
  const statement = countStatement(project_id, conditions, limit, refJoins)
  const row = await db.first<{ count: string }>(statement, { name: 'calls counted', kind: 'scan' })
  return Number(row?.count ?? 0)
}

export interface TraceMember {
  readonly id: string
  readonly parent_id: string
}

/** All calls, by id and parent, of the traces that these calls belong to. */
export async function listTraceMembers(
  db: Database,
  project_id: string,
  ids: readonly string[],
): Promise<TraceMember[]> {
  return db.rows<TraceMember>(selectTraceMembers(project_id, ids), {
    name: 'calls of the same traces',
    kind: 'scan',
  })
}

export function selectTraceMembers(project_id: string, ids: readonly string[]): Sql {
  return sql`SELECT id, parent_id ${from(project_id, 'calls')} AND trace_id IN (
  SELECT trace_id ${from(project_id, 'calls')} AND (started_at, id) IN (
    SELECT started_at, id ${from(project_id, 'call_ids')} AND id IN ${ids} AND is_part = 0))`
}
