import type { StoredCallRow } from '../../core/calls/call-view.ts'
import { Grouped } from '../../core/concurrency/grouped.ts'
import { EARLIEST, LATEST, type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { from, fromEveryVersion } from '../query/scope.ts'
import { and, keyOf, moment, type Sql, sql } from '../query/sql.ts'
import { type CallColumn, type CallPlace, isAmong, namesOf, type CallSelection, streamCalls } from './read.ts'
import type { Sieve } from './selection.ts'
import { type Behind, type Direction, findEdge, inOrder, isBehind } from './page-boundary.ts'

/**
 * A page of calls in the order of time, found without FINAL, which compares every row of the project first: from the
 * end of the key on, span by span, each longer than the one before. So a page costs what lies before its last call, and
 * not what the project holds.
 *
 * What it finds may be old versions of calls; but whatever belongs to the page is among it, since the current version
 * of a call is a row like any other. So it finds some, asks with FINAL which of them hold, and goes on behind them until
 * the page is full.
 */
export interface TimePage {
  /** The page as one statement finds it. */
  readonly whole: CallSelection
  readonly sieve: Sieve
  readonly direction: Direction
}

/** Only just begun calls have two rows, start and end, until the engine merges them. */
const ROWS_A_CALL = 2
const FEWEST_ROWS = 64
const MOST_ROWS = 8_192
const GROWTH = 4

/** Calls that are looked at first, when only some are wanted; behind the last span comes all that is left. */
const FIRST_SPAN = 16_384
const LAST_SPAN = 1_048_576
const SPAN_GROWTH = 8

/** So many that do not hold, and the engine does better in one go. */
const MOST_IN_VAIN = 20_000

/** Calls whose rows are read at once: with payloads, and without. */
const CALLS_AT_ONCE = 200
const KEYS_AT_ONCE = 2_000

const KEY_COLUMNS: readonly CallColumn[] = ['id', 'started_at']

const LIST = { kind: 'list' } as const

/** So many lists are remembered, those asked for last. */
const MOST_LISTS = 1_000

/** For those that do not hold: few, in what has been stored for a while. */
const SPARE = 1 / 8

/**
 * How far the pages of a list reach: whoever asks for it again, or for its next page, is answered by one statement that
 * looks no further. Whatever has happened since, it finds the page or it does not, and then the spans do.
 */
export class TimePages {
  readonly #db: Database
  readonly #reaches = new Map<string, Reach>()

  constructor(db: Database) {
    this.#db = db
  }

  read(page: TimePage, behind?: CallPlace): Grouped<StoredCallRow> {
    return new Grouped(this.#groups(page, behind))
  }

  async *#groups(page: TimePage, behind: CallPlace | undefined): AsyncGenerator<readonly StoredCallRow[]> {
    const { limit = 0, offset = 0 } = page.whole.page
    if (!isSome(page.sieve) || offset > 0 || limit === 0 || limit > CALLS_AT_ONCE) {
      yield* readSpans(this.#db, page, behind)
      return
    }
    const isFirst = behind === undefined
    const key = keyOf(
      sql`${page.whole.project_id} ${page.direction} ${limit} ${isFirst} ${and(page.sieve.coarse)}`,
    )
    const until = edgeOf(this.#reaches.get(key), behind)
    const quick = until === undefined ? [] : await readReach(this.#db, page, { after: behind, until })
    const rows: StoredCallRow[] = []
    for await (const group of quick.length === limit ? [quick] : readSpans(this.#db, page, behind)) {
      rows.push(...group)
      yield group
    }
    this.#reaches.delete(key)
    if (rows.length < limit) return
    this.#reaches.set(key, { first: timeOf(rows[0]), last: timeOf(rows.at(-1)) })
    for (const [oldest] of this.#reaches) {
      if (this.#reaches.size <= MOST_LISTS) break
      this.#reaches.delete(oldest)
    }
  }
}

/** From where to where the last page went that was read of a list. */
interface Reach {
  readonly first: Micros
  readonly last: Micros
}

/** The newest page is newer each time; a page behind another is about as long. */
function edgeOf(reach: Reach | undefined, behind: CallPlace | undefined): Micros | undefined {
  if (reach === undefined) return undefined
  if (behind === undefined) return reach.last
  const edge = BigInt(behind.started) + 2n * (reach.last - reach.first)
  return edge < EARLIEST ? EARLIEST : edge > LATEST ? LATEST : edge
}

function timeOf(row: StoredCallRow | undefined): Micros {
  return parseTime(row?.started_at ?? '') ?? 0n
}

/** A whole page, or less if it does not lie within the span. */
async function readReach(db: Database, page: TimePage, span: Span): Promise<StoredCallRow[]> {
  const { limit = 0 } = page.whole.page
  const statement = selectReach(page, span, limit)
  return (await db.rows<StoredCallRow>(statement, { ...LIST, name: 'calls of a span' })).slice(0, limit)
}

export function selectReach(page: TimePage, span: Span, limit: number): Sql {
  const { whole, sieve, direction } = page
  const places = sql`SELECT DISTINCT started_at, id ${inSpan(page, span)}
${inOrder(direction)} LIMIT ${limit + Math.ceil(limit * SPARE)}`
  return sql`SELECT ${namesOf(whole)}
${from(whole.project_id, 'calls')} AND (started_at, id) IN (${places}) AND ${and(sieve.exact)}
${inOrder(direction)} LIMIT ${limit} SETTINGS optimize_read_in_order = 0`
}

async function* readSpans(
  db: Database,
  page: TimePage,
  behind?: CallPlace,
): AsyncGenerator<readonly StoredCallRow[]> {
  const { whole, direction } = page
  let limit = whole.page.limit ?? 0
  let offset = whole.page.offset ?? 0
  let inVain = 0
  if (limit === 0) return
  for await (const places of findPlaces(db, page, behind)) {
    for (let i = 0; i < places.length && limit > 0;) {
      const isSkipping = offset > 0
      const wanted = isSkipping ? offset : Math.min(CALLS_AT_ONCE, limit)
      const piece = places.slice(i, i + Math.min(KEYS_AT_ONCE, Math.max(wanted, inVain)))
      const statement = selectHolding(page, isSkipping ? KEY_COLUMNS : whole.columns, piece)
      const calls = await db.rows<StoredCallRow>(statement, { ...LIST, name: 'calls that hold' })
      inVain += piece.length - calls.length
      const last = isSkipping ? calls[offset - 1] : undefined
      i += last === undefined ? piece.length : 1 + piece.findIndex((place) => isPlaceOf(place, last))
      if (isSkipping) {
        offset -= Math.min(offset, calls.length)
        continue
      }
      const kept = calls.slice(0, limit)
      yield kept
      limit -= kept.length
    }
    if (limit === 0) return
    const last = places.at(-1)
    if (inVain <= MOST_IN_VAIN || last === undefined) continue
    const conditions = [...whole.conditions, isBehind(last, direction)]
    yield* streamCalls(db, { ...whole, conditions, page: { limit, offset } }).groups
    return
  }
}

/** Where rows are that may hold, in order, each place once; some at a time, until there are no more. */
async function* findPlaces(
  db: Database,
  page: TimePage,
  behind: CallPlace | undefined,
): AsyncGenerator<CallPlace[]> {
  const { whole, sieve, direction } = page
  const { limit = 0, offset = 0 } = whole.page
  let rows = Math.max(FEWEST_ROWS, ROWS_A_CALL * (limit + offset))
  let after: Behind | undefined = behind
  for (let span = isSome(sieve) ? FIRST_SPAN : undefined; ;) {
    const passed = after === undefined ? [] : [isBehind(after, direction)]
    const edge =
      span === undefined
        ? undefined
        : await findEdge(db, whole.project_id, [...sieve.within, ...passed], direction, span)
    for (let isMore = true; isMore;) {
      rows = Math.min(rows, MOST_ROWS)
      const statement = selectFound(page, { after, until: edge }, rows)
      const found = await db.rows<CallPlace>(statement, { ...LIST, name: 'calls in order' })
      yield found.filter(({ id, started }, i) => id !== found[i - 1]?.id || started !== found[i - 1]?.started)
      isMore = found.length === rows
      if (isMore) after = found.at(-1)
      rows *= GROWTH
    }
    if (edge === undefined || span === undefined) return
    after = { started: edge }
    span = span < LAST_SPAN ? span * SPAN_GROWTH : undefined
  }
}

/** Or whether all are wanted, whose first ones are those of the page. */
function isSome({ coarse, within }: Sieve): boolean {
  return coarse.length > within.length
}

interface Span {
  readonly after?: Behind | undefined
  /** This time still belongs to it. */
  readonly until?: Micros | undefined
}

export function selectFound(page: TimePage, span: Span, rows: number): Sql {
  // Rows in the order of the key come one granule at a time: 100 ms for 100,000 of them, against 25 all at once.
  const settings = isSome(page.sieve) ? sql` SETTINGS optimize_read_in_order = 0` : sql``
  return sql`SELECT id, toUnixTimestamp64Micro(started_at) AS started
${inSpan(page, span)}
${inOrder(page.direction)} LIMIT ${rows}${settings}`
}

/** Rows of a span that may hold. */
function inSpan({ whole, sieve, direction }: TimePage, { after, until }: Span): Sql {
  const conditions = [...sieve.coarse]
  if (after !== undefined) conditions.push(isBehind(after, direction))
  if (until !== undefined) {
    conditions.push(
      direction === 'asc' ? sql`started_at <= ${moment(until)}` : sql`started_at >= ${moment(until)}`,
    )
  }
  return sql`${fromEveryVersion(whole.project_id, 'calls')} AND is_deleted = 0 AND ${and(conditions)}`
}

export function selectHolding(
  { whole, sieve, direction }: TimePage,
  columns: readonly CallColumn[],
  places: readonly CallPlace[],
): Sql {
  return sql`SELECT ${namesOf({ ...whole, columns })}
${from(whole.project_id, 'calls')} AND ${isAmong(places)} AND ${and(sieve.exact)}
${inOrder(direction)}`
}

function isPlaceOf({ id, started }: CallPlace, call: StoredCallRow): boolean {
  return id === call.id && BigInt(started) === parseTime(call.started_at)
}
