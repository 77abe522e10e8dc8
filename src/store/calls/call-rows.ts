import { type CallFacts, rowVersion, type StartFact, startOrigin } from '../../core/calls/call-facts.ts'
import type { RowWriter } from '../database/row-binary.ts'
import { encodeNoStart, NO_END, NO_NAME, writeExtracted, writeKey, writeVersions } from './call-columns.ts'
import { readCallPayloads } from './call-payloads.ts'
import { extractCallFields } from './extracted-fields.ts'
import { extractUsage } from './extracted-usage.ts'
import type { RowLocation } from './known-calls.ts'

/** Assembles rows of `calls` from facts. */

/** The visible row of a call that has started. */
export function writeCallRow(writer: RowWriter, facts: CallFacts, rank: bigint): void {
  const { start } = facts
  if (start === undefined) throw new Error('a call without a start has no row')
  writeKey(writer, facts)
  writer.raw(start.body).raw(facts.end?.body ?? NO_END)
  writeRowTail(writer, facts, start, rank)
}

/** The columns after those of start and end. */
export function writeRowTail(writer: RowWriter, facts: CallFacts, start: StartFact, rank: bigint): void {
  const { end, name } = facts
  writer.raw(name?.body ?? NO_NAME)
  writeVersions(writer, {
    start_version: start.version,
    end_version: end?.version ?? 0n,
    name_version: name?.version ?? 0n,
    version: rowVersion(facts, rank),
    is_deleted: 0,
    origin: startOrigin(start),
  })
  const payloads = readCallPayloads(start.body, end?.body)
  const usage = extractUsage(payloads)
  writeExtracted(writer, {
    json_fields: extractCallFields(payloads),
    usage: usage ?? [],
    usage_extracted: usage === undefined ? 0 : 1,
  })
}

/** A row that hides what is stored at this location: the call was deleted, or is visible at another location. */
export function writeTombstone(
  writer: RowWriter,
  facts: CallFacts,
  location: RowLocation,
  rank: bigint,
): void {
  writeKey(writer, facts)
  writer.raw(encodeNoStart(location.started_at)).raw(NO_END).raw(NO_NAME)
  writeVersions(writer, {
    start_version: 0n,
    end_version: 0n,
    name_version: 0n,
    version: rowVersion(facts, rank),
    is_deleted: 1,
    origin: location.origin,
  })
  writeExtracted(writer, { json_fields: [], usage: [], usage_extracted: 1 })
}
