import { TimeSlice } from '../../core/concurrency/time-slice.ts'
import type { CallFacts } from '../../core/calls/call-facts.ts'
import { mapSpan } from '../../otlp/map-span.ts'
import type { MappedCall, MappedSpan } from '../../otlp/mapped.ts'
import type { Rejection, Span } from '../../otlp/model.ts'
import { decodeTraces } from '../../otlp/wire/decode.ts'
import { Rejections } from '../../otlp/wire/rejections.ts'
import { RecordEncoder } from '../../store/calls/record-encoder.ts'
import { writeEncoded } from '../../store/calls/write-encoded.ts'
import { DocumentBytes } from './document-bytes.ts'
import { type ProjectFeedback, storeFeedback } from './feedback.ts'
import type { OtlpExport, OtlpOptions } from './otlp-export.ts'
import { assignProjects } from './projects.ts'

/** Stores the spans of an export as calls. Returns what was not stored. */
export async function storeSpans(
  { deps, access, quotas, createFeedback }: OtlpOptions,
  { body, encoding, project, caller }: OtlpExport,
): Promise<readonly Rejection[]> {
  const { spans, rejected } = decodeTraces(body, encoding)
  const rejections = new Rejections(rejected)
  const assigned = await assignProjects(access, caller, spans, { header: project, rejections })
  const project_ids = assigned.map(({ project_id }) => project_id)
  // The key has been charged for the bytes of the body.
  quotas.admit(caller, { project_ids, bytes: body.length, countedBytes: body.length })
  const { clock } = deps.callWriter
  const encoder = new RecordEncoder({
    wb_user_id: caller.user_id,
    now: deps.now(),
    newId: deps.newId,
    clock,
  })
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
  return rejections.list
}

/** Nothing in a span may make the mapping fail; if something does, the other spans are stored nevertheless. */
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
