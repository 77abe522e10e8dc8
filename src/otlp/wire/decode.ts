import type { LogRecord, Rejection, Span } from '../model.ts'
import { readJsonLogs, readJsonSpans } from './json.ts'
import { readProtobufLogs, readProtobufSpans } from './protobuf.ts'
import { Rejections } from './rejections.ts'

/** Decodes the bodies of OTLP requests. Only a body that is not OTLP at all is an error (`invalid_request`). */

export type OtlpEncoding = 'protobuf' | 'json'

export interface DecodedTraces {
  readonly spans: readonly Span[]
  readonly rejected: readonly Rejection[]
}

export interface DecodedLogs {
  readonly records: readonly LogRecord[]
  readonly rejected: readonly Rejection[]
}

export function decodeTraces(body: Buffer, encoding: OtlpEncoding): DecodedTraces {
  const rejections = new Rejections()
  const spans = (encoding === 'json' ? readJsonSpans : readProtobufSpans)(body, rejections)
  return { spans, rejected: rejections.list }
}

export function decodeLogs(body: Buffer, encoding: OtlpEncoding): DecodedLogs {
  const rejections = new Rejections()
  const records = (encoding === 'json' ? readJsonLogs : readProtobufLogs)(body, rejections)
  return { records, rejected: rejections.list }
}
