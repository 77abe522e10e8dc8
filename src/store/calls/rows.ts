import { type CallFacts, originOf, rowVersion, type StartFact } from '../../core/calls/call-facts.ts'
import type { RowWriter } from '../database/row-binary.ts'
import { encodeNoStart, NO_END, NO_NAME } from './columns.ts'
import type { Place } from './known-calls.ts'
import { writeNoUsage, writeUsage } from './extracted-usage.ts'
import { leavesOf } from './extracted-fields.ts'

/** Facts into rows of `calls`. */

/** The row that shows a call; it must have started. */
export function writeCallRow(writer: RowWriter, facts: CallFacts, rank: bigint): void {
  const { start } = facts
  if (start === undefined) throw new Error('a call without a start has no row')
  writer
    .string(facts.project_id)
    .string(facts.id)
    .raw(start.body)
    .raw(facts.end?.body ?? NO_END)
  writeRestOfRow(writer, facts, start, rank)
}

/** What follows the columns of start and end. */
export function writeRestOfRow(writer: RowWriter, facts: CallFacts, start: StartFact, rank: bigint): void {
  writer
    .raw(facts.name?.body ?? NO_NAME)
    .u128(start.version)
    .u128(facts.end?.version ?? 0n)
    .u128(facts.name?.version ?? 0n)
    .u128(rowVersion(facts, rank))
    .u8(0)
    .u8(originOf(start))
    .map(leavesOf(start.body, facts.end?.body))
  writeUsage(writer, start.body, facts.end?.body)
}

/** A row that hides whatever is stored in this place: the call was deleted, or is shown in another. */
export function writeHidingRow(writer: RowWriter, facts: CallFacts, place: Place, rank: bigint): void {
  writer
    .string(facts.project_id)
    .string(facts.id)
    .raw(encodeNoStart(place.started_at))
    .raw(NO_END)
    .raw(NO_NAME)
    .u128(0n)
    .u128(0n)
    .u128(0n)
    .u128(rowVersion(facts, rank))
    .u8(1)
    .u8(place.origin)
    .map([])
  writeNoUsage(writer)
}
