import { type CallFacts, DELETED_RANK, isIncluded, startOrigin } from '../../core/calls/call-facts.ts'
import type { Database } from '../database/database.ts'
import { RowWriter } from '../database/row-binary.ts'
import { CALL_COLUMNS } from './call-columns.ts'
import { type CallKey, callKey } from './call-keys.ts'
import { findKnown, type KnownCall, type RowLocation } from './known-calls.ts'
import { writeCallRow, writeTombstone } from './call-rows.ts'
import { PART_COLUMNS, readParts, readStoredCalls, type StoredCall, writePartRows } from './stored-facts.ts'

/**
 * The slow path of ingest, for calls whose records do not simply follow one another: an end before its start, a rename,
 * a deletion, two conflicting records. It needs no lock, with any number of nodes:
 *
 * 1. Store the new facts in call_parts.
 * 2. Read the stored rows of the call and store their facts too, so that nothing is lost when a new row replaces them.
 * 3. Read all stored facts of the call.
 * 4. Write the row that they make, ranked by their number, and tombstones for rows of the same id at other locations.
 *
 * Every node writes its facts before it reads. If two nodes work on one call, the one that writes later sees the facts of
 * both, and its row has the higher rank. The fast path (fast-path.ts) follows the same rule: it writes its row, then checks
 * whether anything else is stored for the id. See docs/decisions/0002.
 */
export async function reconcile(db: Database, calls: readonly CallFacts[]): Promise<void> {
  if (calls.length === 0) return
  await storeParts(db, calls)
  // A deletion wins over everything else, so its payloads need not be read.
  const notDeleted = calls.filter((call) => call.deletion === undefined)
  await storeFactsOfRows(db, notDeleted)
  const [parts, known] = await Promise.all([readParts(db, calls), findKnown(db, calls, 1)])
  const knownByKey = new Map(known.map((call) => [callKey(call), call]))
  const rows = new RowWriter()
  for (const call of calls) {
    const found = parts.get(callKey(call))
    if (found === undefined) continue
    writeReconciled(rows, found.facts, found.count, knownByKey.get(callKey(call)))
  }
  await db.insertBinary('calls', CALL_COLUMNS, [rows.take()])
}

async function storeFactsOfRows(db: Database, calls: readonly CallKey[]): Promise<void> {
  const stored = await readStoredCalls(db, calls)
  // Rows with a rank were made from call_parts; only rows of the fast path hold facts that are not there yet.
  const unranked = [...stored.values()].flat().filter((row) => row.rank === 0n)
  await storeParts(
    db,
    unranked.map((row) => row.facts),
  )
}

async function storeParts(db: Database, calls: readonly CallFacts[]): Promise<void> {
  const rows = new RowWriter()
  for (const facts of calls) writePartRows(rows, facts)
  await db.insertBinary('call_parts', PART_COLUMNS, [rows.take()])
}

function writeReconciled(
  rows: RowWriter,
  facts: CallFacts,
  rank: bigint,
  known: KnownCall | undefined,
): void {
  const visible = facts.deletion === undefined ? facts.start : undefined
  const isVisibleAt = ({ started_at, origin }: RowLocation): boolean =>
    visible !== undefined && started_at === visible.started_at && origin === startOrigin(visible)
  const hidden = (known?.locations ?? []).filter((location) => !isVisibleAt(location))
  for (const location of hidden) writeTombstone(rows, facts, location, rank)
  // An end, a name or a deletion without a start stays in call_parts, invisible to readers.
  if (visible !== undefined) writeCallRow(rows, facts, rank)
}

/**
 * Whether the stored rows already include all facts of `mine`, as they do after a resend. Nothing needs to be written
 * then: later changes of the call start from the stored row.
 */
export function isStored(rows: readonly StoredCall[], mine: CallFacts): boolean {
  if (rows.some((row) => row.is_deleted && row.rank === DELETED_RANK)) return true
  const top = newestRow(rows)
  return top !== undefined && isIncluded(mine, top.facts)
}

/** Whether the newest row includes the facts of all other rows, so that no fact is hidden from readers. */
export function isReconciled(rows: readonly StoredCall[], known: KnownCall): boolean {
  const top = newestRow(rows)
  if (known.hasParts || known.locations.length !== 1 || top === undefined) return false
  return rows.every((row) => isIncluded(row.facts, top.facts))
}

function newestRow(rows: readonly StoredCall[]): StoredCall | undefined {
  const shown = rows.filter((row) => !row.is_deleted)
  return shown.reduce<StoredCall | undefined>(
    (top, row) => (top === undefined || row.version > top.version ? row : top),
    undefined,
  )
}
