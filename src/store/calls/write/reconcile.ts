import {
  type CallFacts,
  type Fact,
  type FactVersions,
  latestStamp,
  latestVersion,
  winningVersion,
} from '../../../core/calls/call-facts.ts'
import {
  DELETED_VERSION,
  hasSameContent,
  rankedVersion,
  restamped,
  startHash,
  versionContent,
  versionStamp,
} from '../../../core/calls/fact-versions.ts'
import type { RecordClock } from '../../../core/calls/record-clock.ts'
import type { Database } from '../../database/database.ts'
import { RowWriter } from '../../database/row-binary.ts'
import { CALL_COLUMNS } from '../columns/call-columns.ts'
import type { ColumnExtractor } from '../columns/column-extractor.ts'
import { type CallKey, callKey } from './call-keys.ts'
import {
  NO_VERSIONS,
  PART_COLUMNS,
  readPartBodies,
  readPartVersions,
  type WantedFacts,
  writePartRows,
} from './call-parts.ts'
import { writeCallRow, writeTombstone } from './call-rows.ts'
import { findKnown, type RowLocation } from './known-calls.ts'
import type { LargeCalls } from './large-calls.ts'
import { RowsByMonth } from './months.ts'
import { readStoredCalls, readUnrankedVersions } from './stored-facts.ts'
import type { WriteContext } from './write-context.ts'

/**
 * The slow path of ingest, for calls whose records do not simply follow one another: an end before its start, a rename,
 * a deletion, two different records of one kind. It needs no lock, with any number of nodes:
 *
 * 1. Read the versions of all stored facts of the call, in call_parts and in rows of the fast path.
 * 2. Store the new facts in call_parts, stamped above those that were received before them.
 * 3. Read the rows of the fast path, and store their facts too, so that nothing is lost when a new row replaces them.
 * 4. Read the versions of all facts in call_parts.
 * 5. Write the row of the winning facts, ranked by the number of all, and tombstones for rows at other locations.
 *
 * Every node writes its facts before it reads what decides the row. If two nodes work on one call, the one that writes later
 * sees the facts of both, and its row has the higher rank. The fast path (fast-path.ts) follows the same rule: it writes its
 * row, then checks whether anything else is stored for the id. See docs/decisions/0002.
 *
 * Calls that are collected in `large` get no row. Rows of more months than one insert may have are inserted one after the
 * other, each by `insertApart`.
 */
export async function reconcile(
  db: Database,
  { clock, columns }: WriteContext,
  received: readonly CallFacts[],
  large?: LargeCalls,
  insertApart: (insert: () => Promise<void>) => Promise<void> = (insert) => insert(),
): Promise<void> {
  if (received.length === 0) return
  // A deletion wins over everything else, so the payloads of its call need not be read.
  const kept = received.filter((call) => call.deletion === undefined)
  const [parts, unranked] = await Promise.all([readPartVersions(db, kept), readUnrankedVersions(db, kept)])
  await storeParts(
    db,
    received.map((call) => {
      const key = callKey(call)
      return call.deletion === undefined ? newFacts(call, clock, parts.get(key), unranked.get(key)) : call
    }),
  )
  await storeFactsOfRows(db, kept, parts, large)
  const [versions, known] = await Promise.all([readPartVersions(db, received), findKnown(db, received, 1)])
  const locations = new Map(known.map((call) => [callKey(call), call.locations]))
  const winners = received.flatMap((call) => {
    const found = large?.has(call) === true ? undefined : versions.get(callKey(call))
    return found === undefined ? [] : [winningFacts(call, found)]
  })
  const bodies = await readPartBodies(
    db,
    winners.filter((call) => call.start !== undefined),
    large,
  )
  const rows = new RowsByMonth()
  for (const call of winners) {
    if (large?.has(call) === true) continue
    const facts = bodies.get(callKey(call))
    writeReconciled(rows, columns, call, facts, locations.get(callKey(call)) ?? [])
  }
  const groups = rows.take()
  for (const group of groups) {
    const insert = (): Promise<void> => db.insertBinary('calls', CALL_COLUMNS, [group])
    await (groups.length === 1 ? insert() : insertApart(insert))
  }
}

/** The stored versions, without those of the received facts, which this request has stored on the fast path. */
function otherVersions(received: CallFacts, ...stored: readonly (FactVersions | undefined)[]): FactVersions {
  const others = (kind: 'start' | 'end' | 'rename'): bigint[] =>
    stored
      .flatMap((versions) => versions?.[kind] ?? [])
      .filter((version) => version !== received[kind]?.version)
  return { ...NO_VERSIONS, start: others('start'), end: others('end'), rename: others('rename') }
}

async function storeFactsOfRows(
  db: Database,
  received: readonly CallFacts[],
  parts: ReadonlyMap<string, FactVersions>,
  large: LargeCalls | undefined,
): Promise<void> {
  await storeParts(db, await readFactsOfRows(db, received, parts, large))
}

/**
 * Facts that are in rows, but neither received nor in call_parts. Rows with a rank were made from call_parts; only rows of
 * the fast path have facts that are not there. A fact whose content was there already has its stamp there too, possibly
 * another than in the row.
 */
export async function readFactsOfRows(
  db: Database,
  received: readonly CallFacts[],
  parts: ReadonlyMap<string, FactVersions>,
  large: LargeCalls | undefined,
): Promise<CallFacts[]> {
  const stored = await readStoredCalls(db, received, large)
  return received.flatMap((call) => {
    const known = parts.get(callKey(call))
    const unranked = (stored.get(callKey(call)) ?? []).filter((row) => row.rank === 0n)
    return unranked.map(({ facts: { start, end, ...facts } }) => ({
      ...facts,
      start: start?.version === call.start?.version || isKnown(start, known?.start) ? undefined : start,
      end: end?.version === call.end?.version || isKnown(end, known?.end) ? undefined : end,
    }))
  })
}

function isKnown(fact: Fact | undefined, stored: readonly bigint[] = []): boolean {
  return fact !== undefined && stored.some((version) => hasSameContent(version, fact.version))
}

const NO_BODY = Buffer.alloc(0)

/**
 * The received facts as they are stored. What is stored may have been acknowledged before they were sent, even if its stamp is
 * higher, because the clocks of nodes differ: within that difference they get a stamp above it. A higher stamp beyond it
 * was received later: this request was delayed, and its client may have sent another one in the meantime.
 */
function newFacts(
  received: CallFacts,
  clock: RecordClock,
  parts: FactVersions | undefined,
  rows: FactVersions | undefined,
): CallFacts {
  const { project_id, id, start, end, rename } = received
  const stored = otherVersions(received, parts, rows)
  const latest = latestStamp(stored)
  const stamps = [start, end, rename].flatMap((fact) =>
    fact === undefined ? [] : [versionStamp(fact.version)],
  )
  const isAfter = stamps.every((each) => each > latest)
  const mayBeAfter = stamps.some((each) => clock.mayBeBefore(latest, each))
  // One stamp for all facts, so that start and end of a complete record win together.
  const stamp = !isAfter && mayBeAfter ? clock.after(latest) : undefined
  const withStamp = <F extends Fact>(fact: F | undefined): F | undefined =>
    fact === undefined || stamp === undefined ? fact : { ...fact, version: restamped(fact.version, stamp) }
  const contents = received.contents?.filter((fact) => !isKnown(fact, parts?.content))
  const facts = {
    project_id,
    id,
    start: withStamp(start),
    end: withStamp(end),
    rename: withStamp(rename),
    contents,
  }
  return withoutRepeatedBodies(facts, stored, otherVersions(received, parts))
}

/** A fact that repeats the winning one, whose body is in call_parts, is stored without its body. */
function withoutRepeatedBodies(
  { start, end, ...facts }: CallFacts,
  stored: FactVersions,
  parts: FactVersions,
): CallFacts {
  const isRepeated = (fact: Fact, kind: 'start' | 'end'): boolean => {
    const current = winningVersion(stored[kind])
    return current !== undefined && hasSameContent(current, fact.version) && isKnown(fact, parts[kind])
  }
  return {
    ...facts,
    start: start && isRepeated(start, 'start') ? { ...start, body: NO_BODY, name: undefined } : start,
    end: end && isRepeated(end, 'end') ? { ...end, body: NO_BODY } : end,
  }
}

async function storeParts(db: Database, calls: readonly CallFacts[]): Promise<void> {
  const rows = new RowWriter()
  for (const facts of calls) writePartRows(rows, facts)
  await db.insertBinary('call_parts', PART_COLUMNS, [rows.take()])
}

interface WinningFacts extends WantedFacts {
  readonly isDeleted: boolean
  readonly factCount: bigint
}

function winningFacts({ project_id, id }: CallKey, versions: FactVersions): WinningFacts {
  const isDeleted = versions.deletion.length > 0
  const start = isDeleted ? undefined : winningVersion(versions.start)
  const counts = Object.values(versions).map(({ length }) => length)
  return {
    project_id,
    id,
    start,
    end: winningVersion(versions.end),
    rename: latestVersion(versions.rename),
    contents: distinctContents(versions.content),
    isDeleted,
    factCount: BigInt(counts.reduce((sum, count) => sum + count, 0)),
  }
}

/** Work per call is bounded: the first ones stay. */
const MAX_CONTENTS = 1_000

/** One of each content, the first received. */
function distinctContents(versions: readonly bigint[]): bigint[] {
  const first = new Map<bigint, bigint>()
  for (const version of versions) {
    const known = first.get(versionContent(version))
    if (known === undefined || version < known) first.set(versionContent(version), version)
  }
  return [...first.values()].sort((a, b) => (a < b ? -1 : 1)).slice(0, MAX_CONTENTS)
}

function writeReconciled(
  rows: RowsByMonth,
  columns: ColumnExtractor,
  call: WinningFacts,
  facts: CallFacts | undefined,
  locations: readonly RowLocation[],
): void {
  const start = facts?.start
  const hidden = call.isDeleted ? DELETED_VERSION : rankedVersion(call.factCount, false)
  for (const location of locations) {
    const isVisible =
      start !== undefined &&
      location.started_at === start.started_at &&
      location.start_hash === startHash(start)
    if (!isVisible) writeTombstone(rows.at(location.started_at), call, location, hidden)
  }
  // An end, a name or a deletion without a start stays in call_parts, invisible to readers.
  if (facts !== undefined && start !== undefined)
    writeCallRow(rows.at(start.started_at), columns, { ...facts, start }, call.factCount)
}
