import { type CallFacts, DELETED_RANK, isIncluded, originOf } from '../../core/calls/call-facts.ts'
import type { Database } from '../database/database.ts'
import { RowWriter } from '../database/row-binary.ts'
import { CALL_COLUMNS } from './columns.ts'
import { type CallKey, keyOf } from './call-keys.ts'
import { findKnown, type KnownCall, type Place } from './known-calls.ts'
import { writeCallRow, writeHidingRow } from './rows.ts'
import { PART_COLUMNS, readParts, readStoredCalls, type StoredCall, writePartRows } from './stored-facts.ts'

/**
 * The careful way, for calls whose records do not simply follow one another: an end before its start, a rename,
 * a deletion, two records that contradict. No lock is needed, with any number of nodes:
 *
 * 1. Keep my facts in call_parts. 2. Read the rows stored for the call and keep their facts too, so that nothing
 * is lost when a new row replaces them. 3. Read all facts kept for the call. 4. Write the row they make, ranked by
 * their number, and hide rows of the same id in other places.
 *
 * Facts are written before they are read, by everyone: of two nodes at work on one call the later one to write
 * sees the facts of both, and its row has the higher rank. The straight way (writer.ts) plays by the same rule: it
 * writes its row, then looks whether anything else is known of the id.
 */
export async function reconcile(db: Database, calls: readonly CallFacts[]): Promise<void> {
  if (calls.length === 0) return
  await keep(db, calls)
  // A deletion stands whatever else is known, so payloads need not be read for it.
  const living = calls.filter((call) => call.deletion === undefined)
  await keepStoredFacts(db, living)
  const [parts, known] = await Promise.all([readParts(db, calls), findKnown(db, calls, 1)])
  const knownByKey = new Map(known.map((call) => [keyOf(call), call]))
  const rows = new RowWriter()
  for (const call of calls) {
    const found = parts.get(keyOf(call))
    if (found === undefined) continue
    writeSettled(rows, found.facts, found.count, knownByKey.get(keyOf(call)))
  }
  await db.insertBinary('calls', CALL_COLUMNS, [rows.take()])
}

async function keepStoredFacts(db: Database, calls: readonly CallKey[]): Promise<void> {
  const stored = await readStoredCalls(db, calls)
  // Rows of a rank were made from parts; only those written straight hold facts that are nowhere else.
  const loose = [...stored.values()].flat().filter((row) => row.rank === 0n)
  await keep(
    db,
    loose.map((row) => row.facts),
  )
}

async function keep(db: Database, calls: readonly CallFacts[]): Promise<void> {
  const rows = new RowWriter()
  for (const facts of calls) writePartRows(rows, facts)
  await db.insertBinary('call_parts', PART_COLUMNS, [rows.take()])
}

function writeSettled(rows: RowWriter, facts: CallFacts, rank: bigint, known: KnownCall | undefined): void {
  const shown = facts.deletion === undefined ? facts.start : undefined
  const isShownAt = (place: Place): boolean =>
    shown !== undefined && place.started_at === shown.started_at && place.origin === originOf(shown)
  const hidden = (known?.places ?? []).filter((place) => !isShownAt(place))
  for (const place of hidden) writeHidingRow(rows, facts, place, rank)
  // An end, a name or a deletion without a start waits unseen in call_parts.
  if (shown !== undefined) writeCallRow(rows, facts, rank)
}

/**
 * Whether what is stored already says all that `mine` says, as it does after a resend. Nothing is to be done then:
 * whoever changes the call further starts from the row that says it.
 */
export function isStored(rows: readonly StoredCall[], mine: CallFacts): boolean {
  if (rows.some((row) => row.is_deleted && row.rank === DELETED_RANK)) return true
  const top = topRow(rows)
  return top !== undefined && isIncluded(mine, top.facts)
}

/** Whether one row stands for the call and includes every other, so that no row hides a fact from readers. */
export function isReconciled(rows: readonly StoredCall[], known: KnownCall): boolean {
  const top = topRow(rows)
  if (known.hasParts || known.places.length !== 1 || top === undefined) return false
  return rows.every((row) => isIncluded(row.facts, top.facts))
}

function topRow(rows: readonly StoredCall[]): StoredCall | undefined {
  const shown = rows.filter((row) => !row.is_deleted)
  return shown.reduce<StoredCall | undefined>(
    (top, row) => (top === undefined || row.version > top.version ? row : top),
    undefined,
  )
}
