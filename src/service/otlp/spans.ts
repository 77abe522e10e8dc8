import { ApiError } from '../../contract/api-error.ts'
import { MAX_SHARED_BYTES } from '../../contract/limits.ts'
import { TimeSlice } from '../../core/concurrency/time-slice.ts'
import type { CallFacts } from '../../core/calls/call-facts.ts'
import { sharedBytes } from '../../otlp/dump.ts'
import { repeatsLogs } from '../../otlp/coding-agents/gemini-cli.ts'
import { mapSpan } from '../../otlp/map-span.ts'
import type { MappedCall, MappedSpan } from '../../otlp/mapped.ts'
import type { Span } from '../../otlp/model.ts'
import { decodeTraces } from '../../otlp/wire/decode.ts'
import { Rejections } from '../../otlp/wire/rejections.ts'
import type { RecordEncoder } from '../../store/calls/write/record-encoder.ts'
import { writeEncoded } from '../../store/calls/write/write-encoded.ts'
import { newEncoder } from '../calls/new-encoder.ts'
import { DocumentBytes } from './document-bytes.ts'
import { type ProjectFeedback, storeFeedback } from './feedback.ts'
import type { ExportOutcome, OtlpExport, OtlpOptions } from './otlp-export.ts'
import { assignProjects } from './projects.ts'

/** Stores the spans of an export as calls. Returns what was not stored. */
export async function storeSpans(
  { deps, access, quotas, createFeedback }: OtlpOptions,
  { body, encoding, project, caller }: OtlpExport,
): Promise<ExportOutcome> {
  const { spans, rejected } = decodeTraces(body, encoding)
  requireSharedBytes(spans.reduce((bytes, span) => bytes + sharedBytes(span), 0))
  const rejections = new Rejections(rejected)
  const kept = spans.filter((span) => !repeatsLogs(span))
  if (kept.length < spans.length) rejections.add(REPEATS_LOGS, spans.length - kept.length)
  const { assigned, guesses } = await assignProjects(access, caller, kept, { header: project, rejections })
  const project_ids = assigned.map(({ project_id }) => project_id)
  // The key has been charged for the bytes of the body.
  quotas.admit(caller, { project_ids, bytes: body.length, countedBytes: body.length })
  const encoder = newEncoder(deps, caller.user_id)
  const calls: CallFacts[] = []
  const feedback: ProjectFeedback[] = []
  const slice = new TimeSlice()
  for (const { item, project_id } of assigned) {
    if (slice.isOver) await slice.next()
    const mapped = tryMap(item, rejections)
    if (mapped === undefined) continue
    calls.push(encodeCall(encoder, project_id, mapped.call))
    for (const each of mapped.feedback) feedback.push({ project_id, feedback: each })
  }
  await writeEncoded(deps, encoder, calls)
  await storeFeedback(createFeedback, caller, feedback, rejections)
  return { rejected: rejections.list, guesses }
}

const REPEATS_LOGS =
  'spans of Gemini CLI without messages are not kept, because its log records say more; its setting telemetry.traces adds the messages'

/** The resource and the scope are sent once and stored with each call: ten spans of 50 bytes may repeat a megabyte. */
export function requireSharedBytes(bytes: number): void {
  if (bytes > MAX_SHARED_BYTES)
    throw new ApiError(
      'too_large',
      `resource and scope attributes are stored with each call, which are ${bytes} bytes for this export, more than ${MAX_SHARED_BYTES}; set a smaller batch size in your exporter, or fewer resource attributes`,
    )
}

/** Nothing in a span may make the mapping fail; if something does, the other spans are still stored. */
function tryMap(span: Span, rejections: Rejections): MappedSpan | undefined {
  try {
    return mapSpan(span)
  } catch (error) {
    rejections.add(`the span could not be mapped: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

/** Shared by all requests: a call is encoded synchronously. */
const documents = new DocumentBytes()

export function encodeCall(encoder: RecordEncoder, project_id: string, call: MappedCall): CallFacts {
  const { end } = call
  documents.clear()
  // Copying an object is fast if the copy begins with it.
  const start = {
    ...call,
    project_id,
    attributes: documents.encode(call.attributes),
    inputs: documents.encode(call.inputs),
    otel_dump: documents.encode(call.otel_dump),
  }
  // A span without an end announces the complete one, which may have arrived before it.
  if (end === undefined) return encoder.start(start, { isProvisional: true }).facts
  return encoder.complete({
    ...start,
    ended_at: end.ended_at,
    exception: end.exception,
    output: documents.encode(end.output),
    summary: documents.encode(end.summary),
  })
}
