import { type CallFacts, isNameOfStart, joinFacts, rowVersion } from '../../core/calls/call-facts.ts'
import type { Database } from '../database/database.ts'
import { CALL_COLUMNS } from './call-columns.ts'
import { callKey } from './call-keys.ts'
import { findKnown } from './known-calls.ts'
import { RecentStarts } from './recent-starts.ts'
import { isReconciled, isStored } from './reconcile.ts'
import { encodeRows } from './row-chunks.ts'
import { readStoredCalls, type StoredCall } from './stored-facts.ts'

/** A call of the batch, with the versions of starts that were joined to complete it. */
interface PendingCall {
  facts: CallFacts
  joinedVersions: readonly bigint[]
}

const NO_VERSIONS: readonly bigint[] = []

/**
 * The fast path of ingest: joins the facts of each call of a batch, inserts the rows, then checks whether anything else is
 * stored for their ids. There are usually no conflicts. docs/decisions/0002 describes why this order needs no lock.
 */
export class FastPath {
  readonly #db: Database
  readonly #recentStarts: RecentStarts

  constructor(db: Database, recentStartsBytes: number) {
    this.#db = db
    this.#recentStarts = new RecentStarts(recentStartsBytes)
  }

  /**
   * Returns the calls that need the slow path (reconcile.ts). `inserted` is called when ClickHouse has completed the
   * insert, if there is one: the next insert need not wait for the conflict check.
   */
  async store(calls: readonly CallFacts[], inserted: () => void): Promise<CallFacts[]> {
    const pending = gatherByCall(calls)
    await this.#findStarts(pending)
    const fastPath: PendingCall[] = []
    const slowPath: CallFacts[] = []
    for (const call of pending.values()) {
      if (isFastPath(call.facts)) fastPath.push(call)
      else slowPath.push(call.facts)
    }
    return [...slowPath, ...(await this.#insert(fastPath, inserted))]
  }

  /** Finds the starts of ends that arrived without them: in memory, otherwise in ClickHouse. */
  async #findStarts(pending: Map<string, PendingCall>): Promise<void> {
    const unknown: PendingCall[] = []
    for (const call of pending.values()) {
      const { facts } = call
      if (facts.isComplete === true) continue
      if (facts.start !== undefined) {
        if (facts.end === undefined) this.#recentStarts.remember(facts)
      } else if (facts.end !== undefined && facts.deletion === undefined) {
        const recent = this.#recentStarts.find(facts)
        if (recent === undefined) unknown.push(call)
        else joinStart(call, recent)
      }
    }
    const stored = await readStoredCalls(
      this.#db,
      unknown.map((call) => call.facts),
    )
    for (const call of unknown) {
      const rows = stored.get(callKey(call.facts)) ?? []
      const [only] = rows
      // A resend adds nothing. Anything but a single start that still runs takes the slow path.
      if (isStored(rows, call.facts)) pending.delete(callKey(call.facts))
      else if (rows.length === 1 && only !== undefined && isRunning(only)) joinStart(call, only.facts)
    }
  }

  /** Inserts the rows, then returns the calls whose stored rows conflict. */
  async #insert(calls: readonly PendingCall[], inserted: () => void): Promise<CallFacts[]> {
    if (calls.length === 0) return []
    const facts = calls.map((call) => call.facts)
    await this.#db.insertBinary('calls', CALL_COLUMNS, await encodeRows(facts))
    inserted()
    return this.#findConflicts(calls)
  }

  async #findConflicts(calls: readonly PendingCall[]): Promise<CallFacts[]> {
    const byKey = new Map(calls.map((call) => [callKey(call.facts), call]))
    const known = await findKnown(
      this.#db,
      calls.map((call) => call.facts),
      2,
    )
    const conflicting = known.filter((found) => {
      const call = byKey.get(callKey(found))
      if (call === undefined) return false
      const expected = new Set([rowVersion(call.facts, 0n), ...call.joinedVersions])
      return (
        found.hasParts ||
        found.versions.some((version) => !expected.has(version)) ||
        found.locations.length > 1
      )
    })
    if (conflicting.length === 0) return []
    const stored = await readStoredCalls(this.#db, conflicting)
    return conflicting.flatMap((found) => {
      const call = byKey.get(callKey(found))
      if (call === undefined || isReconciled(stored.get(callKey(found)) ?? [], found)) return []
      return [call.facts]
    })
  }
}

/** Joins the records of one call that arrived together. */
function gatherByCall(calls: readonly CallFacts[]): Map<string, PendingCall> {
  const pending = new Map<string, PendingCall>()
  for (const facts of calls) {
    const key = callKey(facts)
    const known = pending.get(key)
    if (known === undefined) {
      pending.set(key, { facts, joinedVersions: NO_VERSIONS })
      continue
    }
    // A start that was stored before does not conflict with the row that completes it.
    const starts = [known.facts, facts].filter((part) => part.start !== undefined && part.end === undefined)
    known.joinedVersions = [...known.joinedVersions, ...starts.map((part) => rowVersion(part, 0n))]
    known.facts = joinFacts(known.facts, facts)
  }
  return pending
}

/** Whether the call has a start, possibly an end, and no rename or deletion: its row can be inserted directly. */
function isFastPath(facts: CallFacts): boolean {
  if (facts.isComplete === true) return true
  return (
    facts.start !== undefined &&
    facts.deletion === undefined &&
    (facts.name === undefined || isNameOfStart(facts.name))
  )
}

function isRunning(row: StoredCall): boolean {
  return row.rank === 0n && row.facts.end === undefined && !row.is_deleted
}

function joinStart(call: PendingCall, start: CallFacts): void {
  call.joinedVersions = [...call.joinedVersions, rowVersion(start, 0n)]
  call.facts = joinFacts(start, call.facts)
}
