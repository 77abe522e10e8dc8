import { joinContents, sortedContents } from '../../../core/calls/call-contents.ts'
import type { CallFacts, EndFact, Fact, StartFact } from '../../../core/calls/call-facts.ts'
import {
  rankedVersion,
  startHash,
  unrankedVersion,
  versionContent,
} from '../../../core/calls/fact-versions.ts'
import type { RowWriter } from '../../database/row-binary.ts'
import {
  encodeNoStart,
  END_COLUMNS,
  NO_END,
  NO_NAME,
  START_COLUMNS,
  writeExtracted,
  writeKey,
  writeSender,
  writeVersions,
} from '../columns/call-columns.ts'
import { type CallPayloads, readCallPayloads } from '../columns/call-payloads.ts'
import { type ColumnExtractor, NOTHING_EXTRACTED } from '../columns/column-extractor.ts'
import type { CallKey } from './call-keys.ts'
import { withDocument } from '../columns/generated-codecs.ts'
import type { RowLocation } from './known-calls.ts'

/** Assembles rows of `calls` from facts. */

/** The visible row of a call that has started. `factCount` is 0 on the fast path. */
export function writeCallRow(
  writer: RowWriter,
  columns: ColumnExtractor,
  facts: CallFacts,
  factCount: bigint,
): void {
  const { start } = facts
  if (start === undefined) throw new Error('a call without a start has no row')
  const joined = { ...facts, ...joinedWithContents(start, facts.end, facts.contents ?? []) }
  writeKey(writer, facts)
  writer.raw(joined.start.body).raw(joined.end?.body ?? NO_END)
  writeRowTail(writer, columns, joined, joined.start, factCount)
}

/** Start and end with the contents of the call added to `inputs` and `output`. */
function joinedWithContents(
  start: StartFact,
  end: EndFact | undefined,
  facts: readonly Fact[],
): { readonly start: StartFact; readonly end: EndFact | undefined } {
  if (facts.length === 0) return { start, end }
  const contents = sortedContents(facts.map((fact) => fact.body))
  const payloads = readCallPayloads(start.body, end?.body)
  const inputs = joinContents(
    payloads.inputs.document,
    contents.map((content) => content.inputs),
  )
  const output =
    payloads.output &&
    joinContents(
      payloads.output.document,
      contents.map((content) => content.output),
    )
  return {
    start:
      inputs === undefined
        ? start
        : { ...start, body: withDocument(START_COLUMNS, start.body, 'inputs', inputs) },
    end:
      end && output !== undefined
        ? { ...end, body: withDocument(END_COLUMNS, end.body, 'output', output) }
        : end,
  }
}

/** The columns after those of start and end. Payloads that are not given are read from start and end. */
export function writeRowTail(
  writer: RowWriter,
  columns: ColumnExtractor,
  facts: CallFacts,
  start: StartFact,
  factCount: bigint,
  payloads?: CallPayloads,
): void {
  const { end, rename } = facts
  writer.raw(rename?.body ?? start.name ?? NO_NAME)
  writeVersions(writer, {
    start_version: start.version,
    end_version: end?.version ?? 0n,
    name_version: nameVersion(facts, start),
    version:
      factCount === 0n
        ? unrankedVersion(start.version, end?.version)
        : rankedVersion(factCount, end !== undefined),
    is_deleted: 0,
    start_hash: startHash(start),
  })
  writeExtracted(writer, columns.extract(payloads ?? readCallPayloads(start.body, end?.body)))
  writeSender(writer, start)
}

/** Contents change it too: together with the versions of start and end it identifies what readers see (live_log). */
function nameVersion({ rename, contents = [] }: CallFacts, start: StartFact): bigint {
  const version = rename?.version ?? (start.name === undefined ? 0n : start.version)
  return contents.reduce((mixed, content) => mixed ^ versionContent(content.version), version)
}

/** A row that hides what is stored at this location: the call was deleted, or is visible elsewhere. */
export function writeTombstone(
  writer: RowWriter,
  call: CallKey,
  { started_at, start_hash }: RowLocation,
  version: bigint,
): void {
  writeKey(writer, call)
  writer.raw(encodeNoStart(started_at)).raw(NO_END).raw(NO_NAME)
  writeVersions(writer, {
    start_version: 0n,
    end_version: 0n,
    name_version: 0n,
    version,
    is_deleted: 1,
    start_hash,
  })
  writeExtracted(writer, NOTHING_EXTRACTED)
  writeSender(writer, { sent_by: '' })
}
