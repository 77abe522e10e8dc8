import type { FactVersions } from '../../core/calls/call-facts.ts'
import { MOVED_VERSION } from '../../core/calls/fact-versions.ts'
import { CALL_COLUMNS } from '../calls/columns/call-columns.ts'
import { type CallKey, callKey } from '../calls/write/call-keys.ts'
import {
  copyPartRows,
  PART_COLUMNS,
  readPartRows,
  readPartVersions,
  writePartRows,
} from '../calls/write/call-parts.ts'
import { writeTombstone } from '../calls/write/call-rows.ts'
import { findKnown } from '../calls/write/known-calls.ts'
import type { LargeCalls } from '../calls/write/large-calls.ts'
import { RowsByMonth } from '../calls/write/months.ts'
import { readFactsOfRows, reconcile } from '../calls/write/reconcile.ts'
import type { Database } from '../database/database.ts'
import { RowWriter } from '../database/row-binary.ts'
import { MOVED_MARK, type PlacedCall } from './call-presence.ts'
import type { WriteContext } from '../calls/write/write-context.ts'

/** Moves everything stored of these calls to their first candidates. It can be repeated, also by several nodes at once. */
export async function moveToFirstCandidate(
  db: Database,
  context: WriteContext,
  calls: readonly PlacedCall[],
  large?: LargeCalls,
): Promise<void> {
  const moves = new Map<string, { from: number; to: number; keys: CallKey[] }>()
  for (const { project_id, id, candidates } of calls) {
    const [to, ...others] = candidates
    for (const from of to === undefined ? [] : others) {
      const move = moves.get(`${from} ${to}`) ?? { from, to: to!, keys: [] }
      moves.set(`${from} ${to}`, { ...move, keys: [...move.keys, { project_id, id }] })
    }
  }
  for (const { from, to, keys } of moves.values()) {
    const [source, target] = [db.shards[from], db.shards[to]]
    if (source !== undefined && target !== undefined) await moveCalls(source, target, context, keys, large)
  }
}

/**
 * 1. Copy all facts with their versions, so that the same ones win, and store the row of the winning ones.
 * 2. Hide the rows on the source.
 * 3. Mark the calls as moved.
 *
 * Interrupted, it leaves calls that two shards have, and is repeated. A writer that stores a record on the source during a move
 * finds the call on the target in its check, and stores the record there too.
 */
async function moveCalls(
  source: Database,
  target: Database,
  context: WriteContext,
  keys: readonly CallKey[],
  large: LargeCalls | undefined,
): Promise<void> {
  const wanted = new Set(keys.map(callKey))
  const known = (await findKnown(source, keys, 1)).filter((call) => wanted.has(callKey(call)))
  if (known.length === 0) return
  await copyCalls(source, target, context, known, large)
  const tombstones = new RowsByMonth()
  for (const call of known)
    for (const location of call.locations)
      writeTombstone(tombstones.at(location.started_at), call, location, MOVED_VERSION)
  for (const rows of tombstones.take()) await source.insertBinary('calls', CALL_COLUMNS, [rows])
  await markMoved(source, known)
}

/** Stores all facts of calls in another database too, with their versions, so that the same ones win, and the rows of the winning ones. */
export async function copyCalls(
  source: Database,
  target: Database,
  context: WriteContext,
  keys: readonly CallKey[],
  large?: LargeCalls,
): Promise<void> {
  const facts = new RowWriter()
  copyPartRows(facts, await readPartRows(source, keys, large))
  await copyFactsOfRows(facts, source, keys, large)
  // Before the others, because `reconcile` takes a fact of a row whose content is in call_parts for the same record.
  await copyFactsOfRows(facts, target, keys, large)
  failIfLarge(keys, large)
  await target.insertBinary('call_parts', PART_COLUMNS, [facts.take()])
  await reconcile(
    target,
    context,
    keys.map(({ project_id, id }) => ({ project_id, id })),
    large,
  )
  failIfLarge(keys, large)
}

async function copyFactsOfRows(
  writer: RowWriter,
  db: Database,
  keys: readonly CallKey[],
  large: LargeCalls | undefined,
): Promise<void> {
  const parts: ReadonlyMap<string, FactVersions> = await readPartVersions(db, keys)
  for (const facts of await readFactsOfRows(db, keys, parts, large)) writePartRows(writer, facts)
}

function failIfLarge(keys: readonly CallKey[], large: LargeCalls | undefined): void {
  if (large !== undefined && keys.some((key) => large.has(key))) throw large.error()
}

const MARK_COLUMNS = ['project_id', 'id', 'is_part', 'version']

async function markMoved(db: Database, keys: readonly CallKey[]): Promise<void> {
  const rows = new RowWriter()
  for (const { project_id, id } of keys) rows.string(project_id).string(id).u8(1).u128(MOVED_MARK)
  await db.insertBinary('call_ids', MARK_COLUMNS, [rows.take()])
}
