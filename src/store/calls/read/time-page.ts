import type { StoredCallRow } from '../../../core/calls/call-view.ts'
import { BatchedStream } from '../../../core/concurrency/batched-stream.ts'
import { BoundedMap } from '../../../core/concurrency/bounded-map.ts'
import { EARLIEST, LATEST, type Micros, parseTime } from '../../../core/time/time.ts'
import type { Database } from '../../database/database.ts'
import { from, fromAllVersions } from '../../query/scope.ts'
import { and, statementKey, moment, type Sql, sql } from '../../query/sql.ts'
import {
  type CallColumn,
  type CallPosition,
  isAtPosition,
  largeRows,
  selectList,
  type CallSelection,
  streamCalls,
} from './select-calls.ts'
import type { Prefilter } from './selection.ts'
import { isHeadOf, mayBeTraceHead } from './trace-heads.ts'
import {
  type AfterPosition,
  type Direction,
  isAfter,
  orderByTime,
  type PageBoundaries,
} from './page-boundary.ts'

/**
 * A page of calls in time order. FINAL would compare all rows of the project, so candidates are found without it, span by
 * span from the start of the page, each span longer than the one before. A page then costs what precedes its last call,
 * not what the project holds.
 *
 * Candidates may be outdated versions of calls, but all calls of the page are among them, since the current version of a
 * call is a row too. A second statement with FINAL selects the candidates that match. This repeats until the page is full.
 */
export interface TimePage {
  /** The page as a single statement selects it. */
  readonly selection: CallSelection
  readonly prefilter: Prefilter
  readonly direction: Direction
}

/** A recent call has two rows, start and end, until ClickHouse merges them. */
const ROWS_PER_CALL = 2
const MIN_ROWS = 64
const MAX_ROWS = 8_192
const ROWS_GROWTH = 4

/** Calls in the first span, if the list is filtered. After the last span, all remaining calls are read at once. */
const FIRST_SPAN = 16_384
const LAST_SPAN = 1_048_576
const SPAN_GROWTH = 8

/** After this many rejected candidates, one full query is cheaper. */
const MAX_REJECTED = 20_000

/** Calls per statement: with payloads, and without. */
const CALLS_PER_READ = 200
const KEYS_PER_READ = 2_000

const KEY_COLUMNS: readonly CallColumn[] = ['id', 'started_at']

const LIST = { kind: 'list' } as const

/** The number of remembered scan windows, the most recently used. */
const MAX_WINDOWS = 1_000

/** Spare candidates for those that are rejected, which are few among calls stored a while ago. */
const SPARE_RATIO = 1 / 8

/**
 * Reads pages of calls in time order. It remembers the scan window of each list: reading the same list again, or its next
 * page, first tries one statement limited to that window. If the window no longer contains the page, it reads by spans.
 */
export class TimePageReader {
  readonly #db: Database
  readonly #boundaries: PageBoundaries
  readonly #windows = new BoundedMap<string, ScanWindow>(MAX_WINDOWS)

  constructor(db: Database, boundaries: PageBoundaries) {
    this.#db = db
    this.#boundaries = boundaries
  }

  read(page: TimePage, after?: CallPosition): BatchedStream<StoredCallRow> {
    return new BatchedStream(this.#batches(page, after))
  }

  async *#batches(page: TimePage, after: CallPosition | undefined): AsyncGenerator<readonly StoredCallRow[]> {
    const { limit = 0, offset = 0 } = page.selection.page
    if (!isFiltered(page.prefilter) || offset > 0 || limit === 0 || limit > CALLS_PER_READ) {
      yield* readSpans(this.#db, this.#boundaries, page, after)
      return
    }
    const isFirst = after === undefined
    const key = statementKey(
      sql`${page.selection.project_id} ${page.direction} ${limit} ${isFirst} ${page.prefilter.isTracesOnly} ${and(page.prefilter.coarse)}`,
    )
    const until = windowEnd(this.#windows.get(key), after)
    const inWindow = until === undefined ? [] : await readWindow(this.#db, page, { after, until })
    const rows: StoredCallRow[] = []
    const batches =
      inWindow.length === limit ? [inWindow] : readSpans(this.#db, this.#boundaries, page, after)
    for await (const batch of batches) {
      rows.push(...batch)
      yield batch
    }
    if (rows.length < limit) this.#windows.delete(key)
    else this.#windows.set(key, { first: startTime(rows[0]), last: startTime(rows.at(-1)) })
  }
}

/** The start times of the first and the last call of the page that was read last. */
interface ScanWindow {
  readonly first: Micros
  readonly last: Micros
}

/** The first page only moves forward; a following page covers about as much time as the one before, so twice that. */
function windowEnd(window: ScanWindow | undefined, after: CallPosition | undefined): Micros | undefined {
  if (window === undefined) return undefined
  if (after === undefined) return window.last
  const end = BigInt(after.started) + 2n * (window.last - window.first)
  return end < EARLIEST ? EARLIEST : end > LATEST ? LATEST : end
}

function startTime(row: StoredCallRow | undefined): Micros {
  return parseTime(row?.started_at ?? '') ?? 0n
}

/** A complete page, or less if it is not inside the range. */
async function readWindow(db: Database, page: TimePage, range: ScanRange): Promise<StoredCallRow[]> {
  const { limit = 0 } = page.selection.page
  if (page.prefilter.isTracesOnly) {
    const candidates = await listCandidates(db, page, range, limit + Math.ceil(limit * SPARE_RATIO))
    if (candidates.length < limit) return []
    const statement = selectMatching(page, page.selection.columns, candidates)
    const options = { ...LIST, name: 'matching candidates', ...largeRows(page.selection) }
    return (await db.rows<StoredCallRow>(statement, options)).slice(0, limit)
  }
  const statement = selectWindow(page, range, limit)
  const options = { ...LIST, name: 'calls in scan window', ...largeRows(page.selection) }
  return (await db.rows<StoredCallRow>(statement, options)).slice(0, limit)
}

export function selectWindow(page: TimePage, range: ScanRange, limit: number): Sql {
  const { selection, prefilter, direction } = page
  const candidates = sql`SELECT DISTINCT started_at, id ${inRange(page, range)}
${orderByTime(direction)} LIMIT ${limit + Math.ceil(limit * SPARE_RATIO)}`
  return sql`SELECT ${selectList(selection)}
${from(selection.project_id, 'calls')} AND (started_at, id) IN (${candidates}) AND ${and(prefilter.exact)}
${orderByTime(direction)} LIMIT ${limit} SETTINGS optimize_read_in_order = 0`
}

async function* readSpans(
  db: Database,
  boundaries: PageBoundaries,
  page: TimePage,
  after?: CallPosition,
): AsyncGenerator<readonly StoredCallRow[]> {
  const { selection, direction } = page
  let limit = selection.page.limit ?? 0
  let offset = selection.page.offset ?? 0
  let rejected = 0
  if (limit === 0) return
  for await (const candidates of joinShortBatch(
    findCandidates(db, boundaries, page, after),
    limit + offset,
  )) {
    for (let i = 0; i < candidates.length && limit > 0;) {
      const isSkipping = offset > 0
      const wanted = isSkipping ? offset : Math.min(CALLS_PER_READ, limit)
      const chunk = candidates.slice(i, i + Math.min(KEYS_PER_READ, Math.max(wanted, rejected)))
      const statement = selectMatching(page, isSkipping ? KEY_COLUMNS : selection.columns, chunk)
      const options = { ...LIST, name: 'matching candidates', ...(isSkipping ? {} : largeRows(selection)) }
      const calls = await db.rows<StoredCallRow>(statement, options)
      rejected += chunk.length - calls.length
      const last = isSkipping ? calls[offset - 1] : undefined
      i += last === undefined ? chunk.length : 1 + chunk.findIndex((position) => isPositionOf(position, last))
      if (isSkipping) {
        offset -= Math.min(offset, calls.length)
        continue
      }
      const shown = calls.slice(0, limit)
      yield shown
      limit -= shown.length
    }
    if (limit === 0) return
    const last = candidates.at(-1)
    if (rejected <= MAX_REJECTED || last === undefined) continue
    const conditions = [...selection.conditions, isAfter(last, direction)]
    yield* streamCalls(db, { ...selection, conditions, page: { limit, offset } }).batches
    return
  }
}

/** Joins the first batch with the second if it cannot fill the page, which saves a statement. */
async function* joinShortBatch(
  batches: AsyncIterable<Candidate[]>,
  wanted: number,
): AsyncGenerator<Candidate[]> {
  let short: Candidate[] | undefined
  let isFirst = true
  for await (const batch of batches) {
    if (isFirst && batch.length < wanted) short = batch
    else {
      yield short === undefined ? batch : [...short, ...batch]
      short = undefined
    }
    isFirst = false
  }
  if (short !== undefined) yield short
}

/** The positions of rows that pass the prefilter, in order and without duplicates, in batches until there are no more. */
async function* findCandidates(
  db: Database,
  boundaries: PageBoundaries,
  page: TimePage,
  start: CallPosition | undefined,
): AsyncGenerator<Candidate[]> {
  const { selection, prefilter, direction } = page
  const { limit = 0, offset = 0 } = selection.page
  let rows = Math.max(MIN_ROWS, ROWS_PER_CALL * (limit + offset))
  let after: AfterPosition | undefined = start
  for (let span = isFiltered(prefilter) ? FIRST_SPAN : undefined; ;) {
    const passed = after === undefined ? [] : [isAfter(after, direction)]
    const boundary =
      span === undefined
        ? undefined
        : await boundaries.find(selection.project_id, [...prefilter.time, ...passed], direction, span)
    for (let isMore = true; isMore;) {
      rows = Math.min(rows, MAX_ROWS)
      const found = await listCandidates(db, page, { after, until: boundary }, rows)
      yield found.filter(({ id, started }, i) => id !== found[i - 1]?.id || started !== found[i - 1]?.started)
      isMore = found.length === rows
      if (isMore) after = found.at(-1)
      rows *= ROWS_GROWTH
    }
    if (boundary === undefined || span === undefined) return
    after = { started: boundary }
    span = span < LAST_SPAN ? span * SPAN_GROWTH : undefined
  }
}

interface Candidate extends CallPosition {
  /** Of a call with a parent, in a list of traces only. */
  readonly orphan_trace_id?: string | null
}

async function listCandidates(
  db: Database,
  page: TimePage,
  range: ScanRange,
  rows: number,
): Promise<Candidate[]> {
  const statement = selectCandidates(page, range, rows)
  return db.rows<Candidate>(statement, { ...LIST, name: 'candidates in time order' })
}

/** Without a filter, the first rows are the page. */
function isFiltered({ coarse, time, isTracesOnly }: Prefilter): boolean {
  return isTracesOnly || coarse.length > time.length
}

interface ScanRange {
  readonly after?: AfterPosition | undefined
  /** Inclusive. */
  readonly until?: Micros | undefined
}

export function selectCandidates(page: TimePage, range: ScanRange, rows: number): Sql {
  // Reading in key order goes one granule at a time: 100 ms for 100,000 rows, against 25 ms for reading all at once.
  const settings = isFiltered(page.prefilter) ? sql` SETTINGS optimize_read_in_order = 0` : sql``
  const traceId = page.prefilter.isTracesOnly
    ? sql`, if(parent_id = '', NULL, trace_id) AS orphan_trace_id`
    : sql``
  return sql`SELECT id, toUnixTimestamp64Micro(started_at) AS started${traceId}
${inRange(page, range)}
${orderByTime(page.direction)} LIMIT ${rows}${settings}`
}

/** Rows of a range that pass the prefilter. */
function inRange({ selection, prefilter, direction }: TimePage, { after, until }: ScanRange): Sql {
  const range: Sql[] = []
  if (after !== undefined) range.push(isAfter(after, direction))
  if (until !== undefined) {
    range.push(
      direction === 'asc' ? sql`started_at <= ${moment(until)}` : sql`started_at >= ${moment(until)}`,
    )
  }
  const { project_id } = selection
  const heads = prefilter.isTracesOnly ? [mayBeTraceHead(project_id, [...prefilter.time, ...range])] : []
  return sql`${fromAllVersions(project_id, 'calls')} AND is_deleted = 0 AND ${and([...prefilter.coarse, ...range, ...heads])}`
}

export function selectMatching(
  { selection, prefilter, direction }: TimePage,
  columns: readonly CallColumn[],
  candidates: readonly Candidate[],
): Sql {
  const { project_id } = selection
  const traceIds = [...new Set(candidates.flatMap((candidate) => candidate.orphan_trace_id ?? []))]
  const heads = prefilter.isTracesOnly ? [isHeadOf(project_id, traceIds)] : []
  return sql`SELECT ${selectList({ ...selection, columns })}
${from(project_id, 'calls')} AND ${isAtPosition(candidates)} AND ${and([...prefilter.exact, ...heads])}
${orderByTime(direction)}`
}

function isPositionOf({ id, started }: CallPosition, call: StoredCallRow): boolean {
  return id === call.id && BigInt(started) === parseTime(call.started_at)
}
