import { type CallFacts, joinFacts, type StartFact } from '../../../core/calls/call-facts.ts'
import {
  contentOfRow,
  hasGeneratedTime,
  hasSameContent,
  rowContent,
  versionRank,
} from '../../../core/calls/fact-versions.ts'
import type { Database } from '../../database/database.ts'
import { CALL_COLUMNS } from '../columns/call-columns.ts'
import type { ColumnExtractor } from '../columns/column-extractor.ts'
import { callKey } from './call-keys.ts'
import { findKnown, type KnownCall } from './known-calls.ts'
import type { LargeCalls } from './large-calls.ts'
import type { ApartCalls, MonthTurns } from './month-turns.ts'
import { RecentStarts } from './recent-starts.ts'
import { encodeRows } from './row-chunks.ts'
import { readStoredCalls, type StoredCall } from './stored-facts.ts'

export interface StoredBatch {
  /** Calls that need the slow path (reconcile.ts). */
  readonly slowPath: readonly CallFacts[]
  /** Calls that are not stored yet, because they need inserts of their own. */
  readonly apart: readonly ApartCalls<PendingCall>[]
}

/** A call of the batch. */
interface PendingCall {
  /** What the records of the batch state. */
  received: CallFacts
  /** The same, with the stored start of an end that arrived without it. */
  facts: CallFacts
}

/**
 * The fast path of ingest: joins the facts of each call of a batch, inserts the rows, then checks whether anything else is
 * stored for their ids. There are usually no conflicts. docs/decisions/0002 describes why this order needs no lock.
 */
export class FastPath {
  readonly #db: Database
  readonly #columns: ColumnExtractor
  readonly #recentStarts: RecentStarts
  readonly #turns: MonthTurns

  constructor(db: Database, columns: ColumnExtractor, recentStartsBytes: number, turns: MonthTurns) {
    this.#db = db
    this.#columns = columns
    this.#turns = turns
    this.#recentStarts = new RecentStarts(recentStartsBytes)
  }

  forgetStarts(): void {
    this.#recentStarts.clear()
  }

  /**
   * Calls that are collected in `large` are not stored. `inserted` is called when ClickHouse has completed the
   * insert, if there is one: the next insert need not wait for the conflict check.
   */
  async store(calls: readonly CallFacts[], inserted: () => void, large?: LargeCalls): Promise<StoredBatch> {
    const pending = gatherByCall(calls)
    await this.#findStarts(pending, large)
    const fastPath: PendingCall[] = []
    const slowPath: CallFacts[] = []
    for (const call of pending.values()) {
      if (isFastPath(call.facts)) fastPath.push(call)
      else slowPath.push(call.received)
    }
    const { shared, apart } = this.#turns.split(fastPath, ({ facts }) => facts)
    return { slowPath: [...slowPath, ...(await this.#insert(shared, inserted))], apart }
  }

  /** Returns the calls that need the slow path. */
  async storeApart({ project_id, months, calls }: ApartCalls<PendingCall>): Promise<CallFacts[]> {
    return this.#turns.run(project_id, months, () => this.#insert(calls, () => {}))
  }

  /** Finds the starts of ends that arrived without them: in memory, otherwise in ClickHouse. */
  async #findStarts(pending: Map<string, PendingCall>, large: LargeCalls | undefined): Promise<void> {
    const unknown: PendingCall[] = []
    for (const call of pending.values()) {
      const { facts } = call
      if (facts.isComplete === true) continue
      if (facts.start !== undefined) {
        if (facts.end === undefined) this.#recentStarts.remember(facts, facts.start)
      } else if (facts.end !== undefined && facts.deletion === undefined) {
        const start = this.#recentStarts.find(facts)
        if (start === undefined) unknown.push(call)
        else addStart(call, start)
      }
    }
    const stored = await readStoredCalls(
      this.#db,
      unknown.map((call) => call.facts),
      large,
    )
    for (const call of unknown) {
      if (large?.has(call.facts) === true) pending.delete(callKey(call.facts))
      const start = onlyStart(stored.get(callKey(call.facts)) ?? [])
      if (start !== undefined) addStart(call, start)
    }
  }

  /** Inserts the rows, then returns the calls that conflict with what is stored. */
  async #insert(calls: readonly PendingCall[], inserted: () => void): Promise<CallFacts[]> {
    if (calls.length === 0) return []
    const facts = calls.map((call) => call.facts)
    await this.#db.insertBinary('calls', CALL_COLUMNS, await encodeRows(this.#columns, facts))
    inserted()
    const byKey = new Map(calls.map((call) => [callKey(call.facts), call]))
    const known = await findKnown(this.#db, facts, 2)
    return known.flatMap((found) => {
      const call = byKey.get(callKey(found))
      return call === undefined || isIncluded(found, call.facts) ? [] : [call.received]
    })
  }
}

/** Joins the records of one call that arrived together. */
function gatherByCall(calls: readonly CallFacts[]): Map<string, PendingCall> {
  const pending = new Map<string, PendingCall>()
  for (const facts of calls) {
    const key = callKey(facts)
    const known = pending.get(key)
    const received = known === undefined ? facts : joinFacts(known.received, facts)
    pending.set(key, { received, facts: received })
  }
  return pending
}

/**
 * Whether the row of the call can be inserted directly: it has a start, possibly an end, and nothing else. An
 * end whose time the server generated would replace an equal one with another time, so it is compared first.
 */
function isFastPath({ isComplete, start, end, rename, deletion, contents }: CallFacts): boolean {
  if (isComplete === true) return true
  if (start === undefined || rename !== undefined || deletion !== undefined || contents !== undefined)
    return false
  return end === undefined || !hasGeneratedTime(end.version)
}

/** Whether all that is stored of a call is its row on the fast path, with these facts or with the start alone. */
function isIncluded(known: KnownCall, { start, end }: CallFacts): boolean {
  if (start === undefined || known.hasParts || known.locations.length > 1) return false
  const running = rowContent(start.version, undefined)
  const ended = rowContent(start.version, end?.version)
  return known.versions.every((version) => {
    const content = contentOfRow(version)
    return versionRank(version) === 0n && (content === running || content === ended)
  })
}

/** The start of a call that has rows of this start only, all from the fast path; otherwise undefined. */
function onlyStart(rows: readonly StoredCall[]): StartFact | undefined {
  const start = rows[0]?.facts.start
  const isOnly = rows.every(
    ({ rank, is_deleted, facts }) =>
      rank === 0n &&
      !is_deleted &&
      facts.start !== undefined &&
      start !== undefined &&
      facts.start.started_at === start.started_at &&
      hasSameContent(facts.start.version, start.version),
  )
  return isOnly ? start : undefined
}

function addStart(call: PendingCall, start: StartFact): void {
  call.facts = { ...call.facts, start }
}
