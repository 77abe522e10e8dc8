import type { CallFacts, StartFact } from '../../core/calls/call-facts.ts'
import { DELETED_VERSION, rankedVersion, startHash, unrankedVersion } from '../../core/calls/fact-versions.ts'
import type { RowWriter } from '../database/row-binary.ts'
import { encodeNoStart, NO_END, NO_NAME, writeExtracted, writeKey, writeVersions } from './call-columns.ts'
import { readCallPayloads } from './call-payloads.ts'
import { extractCallFields } from './extracted-fields.ts'
import { extractUsage } from './extracted-usage.ts'
import type { CallKey } from './call-keys.ts'
import type { RowLocation } from './known-calls.ts'

/** Assembles rows of `calls` from facts. */

/** The visible row of a call that has started. `factCount` is 0 on the fast path. */
export function writeCallRow(writer: RowWriter, facts: CallFacts, factCount: bigint): void {
  const { start } = facts
  if (start === undefined) throw new Error('a call without a start has no row')
  writeKey(writer, facts)
  writer.raw(start.body).raw(facts.end?.body ?? NO_END)
  writeRowTail(writer, facts, start, factCount)
}

/** The columns after those of start and end. */
export function writeRowTail(writer: RowWriter, facts: CallFacts, start: StartFact, factCount: bigint): void {
  const { end, rename } = facts
  writer.raw(rename?.body ?? start.name ?? NO_NAME)
  writeVersions(writer, {
    start_version: start.version,
    end_version: end?.version ?? 0n,
    name_version: rename?.version ?? (start.name === undefined ? 0n : start.version),
    version:
      factCount === 0n
        ? unrankedVersion(start.version, end?.version)
        : rankedVersion(factCount, end !== undefined),
    is_deleted: 0,
    origin: 0,
    start_hash: startHash(start.version),
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
  call: CallKey & { readonly isDeleted: boolean; readonly factCount: bigint },
  location: RowLocation,
): void {
  const { started_at, origin, start_hash } = location
  writeKey(writer, call)
  writer.raw(encodeNoStart(started_at)).raw(NO_END).raw(NO_NAME)
  writeVersions(writer, {
    start_version: 0n,
    end_version: 0n,
    name_version: 0n,
    version: call.isDeleted ? DELETED_VERSION : rankedVersion(call.factCount, false),
    is_deleted: 1,
    origin,
    start_hash,
  })
  writeExtracted(writer, { json_fields: [], usage: [], usage_extracted: 1 })
}
