import type { CallFacts } from '../../core/calls/call-facts.ts'
import { TimeSlice } from '../../core/concurrency/time-slice.ts'
import { sharedBytes } from '../../otlp/dump.ts'
import { mapLog } from '../../otlp/map-log.ts'
import type { MappedContent, MappedLog } from '../../otlp/mapped.ts'
import type { LogRecord } from '../../otlp/model.ts'
import { decodeLogs } from '../../otlp/wire/decode.ts'
import { Rejections } from '../../otlp/wire/rejections.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { contentFacts } from '../../store/calls/write/record-encoder.ts'
import { writeEncoded } from '../../store/calls/write/write-encoded.ts'
import { newEncoder } from '../calls/new-encoder.ts'
import { type ProjectFeedback, storeFeedback } from './feedback.ts'
import type { ExportOutcome, OtlpExport, OtlpOptions } from './otlp-export.ts'
import { assignProjects } from './projects.ts'
import { encodeCall, requireSharedBytes } from './spans.ts'

interface ProjectContent {
  readonly project_id: string
  readonly content: MappedContent
}

/** Stores the calls of coding agents, and what log records say about other calls. Other records are not stored, and returned. */
export async function storeLogs(
  options: OtlpOptions,
  { body, encoding, project, caller }: OtlpExport,
): Promise<ExportOutcome> {
  const { deps, access, quotas, createFeedback } = options
  const { records, rejected } = decodeLogs(body, encoding)
  const rejections = new Rejections(rejected)
  const mapped = await mapRecords(records, rejections)
  for (const { log } of mapped) if (log.ignored !== undefined) rejections.add(log.ignored)
  const relevant = mapped.filter(({ log }) => log.ignored === undefined)
  const { assigned, guesses } = await assignProjects(access, caller, relevant, {
    header: project,
    rejections,
  })
  const project_ids = assigned.map(({ project_id }) => project_id)
  quotas.admit(caller, { project_ids, bytes: body.length, countedBytes: body.length })
  const encoder = newEncoder(deps, caller.user_id)
  const calls: CallFacts[] = []
  const contents: ProjectContent[] = []
  const feedback: ProjectFeedback[] = []
  const slice = new TimeSlice()
  for (const { project_id, item } of assigned) {
    if (slice.isOver) await slice.next()
    const { log } = item
    if (log.call !== undefined) calls.push(encodeCall(encoder, project_id, log.call))
    for (const content of log.contents) contents.push({ project_id, content })
    for (const each of log.feedback) feedback.push({ project_id, feedback: each })
  }
  await writeEncoded(deps, encoder, calls)
  await storeContents(options, contents)
  await storeFeedback(createFeedback, caller, feedback, rejections)
  return { rejected: rejections.list, guesses }
}

interface MappedRecord {
  readonly resource: LogRecord['resource']
  readonly log: MappedLog
}

async function mapRecords(records: readonly LogRecord[], rejections: Rejections): Promise<MappedRecord[]> {
  const mapped: MappedRecord[] = []
  const slice = new TimeSlice()
  let bytes = 0
  for (const record of records) {
    if (slice.isOver) await slice.next()
    const log = tryMap(record, rejections)
    if (log === undefined) continue
    if (log.call !== undefined) requireSharedBytes((bytes += sharedBytes(record)))
    mapped.push({ resource: record.resource, log })
  }
  return mapped
}

/** Nothing in a record may make the mapping fail; if something does, the others are still stored. */
function tryMap(record: LogRecord, rejections: Rejections): MappedLog | undefined {
  try {
    return mapLog(record)
  } catch (error) {
    rejections.add(`the log record could not be mapped: ${String(error)}`)
    return undefined
  }
}

/** Joins contents to their calls, whichever arrives first. */
async function storeContents(
  { deps: { callWriter, redactor } }: OtlpOptions,
  contents: readonly ProjectContent[],
): Promise<void> {
  await callWriter.write(
    contents.map(({ project_id, content: { call_id, timeNanos, inputs, output } }) => {
      const stored = (document: RawJson | undefined): string | undefined =>
        document && (redactor?.redact(document) ?? document).text
      const texts = { timeNanos, inputs: stored(inputs), output: stored(output) }
      return contentFacts(project_id, call_id, texts, callWriter.clock)
    }),
  )
}
