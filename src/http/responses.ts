import type { FastifyReply } from 'fastify'
import type { ExportResponse, ResponseFormat, StreamedBytes } from '../contract/operation.ts'
import { BatchedStream, encodeChunks } from '../core/concurrency/batched-stream.ts'
import { JsonLine } from '../core/json/json-line.ts'
import { toSingleLine, UNICODE_LINE_ENDS } from '../core/json/single-line.ts'
import { writeJson } from '../core/json/write.ts'
import { LargeDocuments } from '../service/large-documents.ts'
import { sendStream } from './byte-stream.ts'
import { outcomeHeaders, recordOutcome } from './export-outcome.ts'
import type { LargeRequests } from './large-requests.ts'
import { withPartialField } from './partial-response.ts'

type Sender = (
  result: unknown,
  reply: FastifyReply,
  largeRequests: LargeRequests | undefined,
) => FastifyReply | Promise<FastifyReply>

/** Serializes the result of a handler, by response format. Event streams are sent by event-stream.ts. */
export const SENDERS: Readonly<Record<Exclude<ResponseFormat, 'events'>, Sender>> = {
  json: (result, reply) =>
    reply.type('application/json').send(writeJson(withPartialField(result, reply.request.requestContext))),
  bytes: (result, reply) => reply.type('application/octet-stream').send(result),
  otlp: (result, reply) => {
    const { content_type, body, ...outcome } = result as ExportResponse
    recordOutcome(reply.request.requestContext, outcome)
    return reply.headers(outcomeHeaders(outcome)).type(content_type).send(body)
  },
  stream: (result, reply) => sendStream(result as StreamedBytes, reply),
  jsonl: (result, reply, largeRequests) => {
    const lines = (document: unknown): string | AsyncIterable<Buffer> =>
      document instanceof LargeDocuments && largeRequests !== undefined
        ? largeRequests.callLines(reply, writeJson(document.query))
        : jsonLine(document)
    const bytes = encodeChunks(BatchedStream.from(result as AsyncIterable<unknown>), lines)
    return sendStream({ headers: { 'content-type': 'application/jsonl' }, bytes }, reply)
  },
}

const ANY_LINE_END = new RegExp(`[${UNICODE_LINE_ENDS.join('')}]`, 'g')

/** One document as one line. */
function jsonLine(document: unknown): string {
  if (document instanceof JsonLine) return `${document.text}\n`
  const json = toSingleLine(writeJson(document)).replace(
    ANY_LINE_END,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${json}\n`
}
