import { ApiError } from '../../contract/api-error.ts'
import type { LogRecord, Resource, Scope, Span, SpanEvent, SpanLink } from '../model.ts'
import { idProblem, logIdProblem, parentId, withoutZeros } from './ids.ts'
import {
  asList,
  asObject,
  enumNumber,
  hexText,
  type JsonObject,
  listOf,
  objectOf,
  readAttributes,
  readNanos,
  readValue,
  small,
  text,
} from './json-values.ts'
import { InexactNumber, quoteLongIntegers } from './long-integers.ts'
import type { Rejections } from './rejections.ts'
import { EVENT_NAME_ATTRIBUTE, NO_RESOURCE, NO_SCOPE, requireItems } from './values.ts'

/** Reads OTLP in JSON. Names may be in camelCase or snake_case; unknown ones are ignored. */

const BAD_SPAN = 'the span is not an object'
const BAD_RECORD = 'the log record is not an object'
const BAD_TIME = 'a time is not a whole number of nanoseconds'

export function readJsonSpans(body: Buffer, rejections: Rejections): Span[] {
  return readExact(
    body,
    (document, reject) => {
      const spans: Span[] = []
      for (const ofResource of listOf(document, 'resourceSpans', 'resource_spans').map(asObject)) {
        const resource = readResource(ofResource)
        for (const ofScope of listOf(ofResource, 'scopeSpans', 'scope_spans').map(asObject)) {
          const scope = readScope(ofScope)
          const items = asList(ofScope['spans'])
          requireItems(spans.length + items.length)
          for (const item of items) {
            const span = readSpan(item, resource, scope)
            if (typeof span === 'string') reject.push(span)
            else spans.push(span)
          }
        }
      }
      return spans
    },
    rejections,
  )
}

export function readJsonLogs(body: Buffer, rejections: Rejections): LogRecord[] {
  return readExact(
    body,
    (document, reject) => {
      const records: LogRecord[] = []
      for (const ofResource of listOf(document, 'resourceLogs', 'resource_logs').map(asObject)) {
        const resource = readResource(ofResource)
        for (const ofScope of listOf(ofResource, 'scopeLogs', 'scope_logs').map(asObject)) {
          const scope = readScope(ofScope)
          const items = listOf(ofScope, 'logRecords', 'log_records')
          requireItems(records.length + items.length)
          for (const item of items) {
            const record = readLogRecord(item, resource, scope)
            if (typeof record === 'string') reject.push(record)
            else records.push(record)
          }
        }
      }
      return records
    },
    rejections,
  )
}

/** Parses once; a second time, more slowly, if the document has an integer that a double cannot hold. */
function readExact<T>(
  body: Buffer,
  read: (document: JsonObject, reject: string[]) => T,
  rejections: Rejections,
): T {
  const json = textOf(body)
  const attempt = (source: string): T => {
    const reasons: string[] = []
    const result = read(parse(source), reasons)
    for (const reason of reasons) rejections.add(reason)
    return result
  }
  try {
    return attempt(json)
  } catch (error) {
    if (!(error instanceof InexactNumber)) throw error
    return attempt(quoteLongIntegers(json))
  }
}

/** For what needs no exact numbers. */
export function parseBody(body: Buffer): JsonObject {
  return parse(textOf(body))
}

function textOf(body: Buffer): string {
  return body.toString('utf8', hasByteOrderMark(body) ? 3 : 0)
}

function hasByteOrderMark(body: Buffer): boolean {
  return body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
}

function parse(json: string): JsonObject {
  let document: unknown
  try {
    document = JSON.parse(json)
  } catch (error) {
    throw new ApiError('invalid_request', `the body is not valid JSON: ${(error as Error).message}`)
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new ApiError('invalid_request', 'the body must be a JSON object')
  return document as JsonObject
}

function readResource(ofResource: JsonObject): Resource {
  const resource = objectOf(ofResource, 'resource', 'resource')
  const schemaUrl = text(ofResource['schemaUrl'] ?? ofResource['schema_url'])
  if (resource === undefined && schemaUrl === '') return NO_RESOURCE
  return { attributes: readAttributes(resource?.['attributes'], 0), schemaUrl }
}

function readScope(ofScope: JsonObject): Scope {
  const scope = objectOf(ofScope, 'scope', 'scope')
  const schemaUrl = text(ofScope['schemaUrl'] ?? ofScope['schema_url'])
  if (scope === undefined && schemaUrl === '') return NO_SCOPE
  return {
    name: text(scope?.['name']),
    version: text(scope?.['version']),
    attributes: readAttributes(scope?.['attributes'], 0),
    schemaUrl,
  }
}

/** The span, or the reason to reject it. */
function readSpan(item: unknown, resource: Resource, scope: Scope): Span | string {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return BAD_SPAN
  const span = item as JsonObject
  const ids = {
    traceId: hexText(span['traceId'] ?? span['trace_id']),
    spanId: hexText(span['spanId'] ?? span['span_id']),
    parentSpanId: hexText(span['parentSpanId'] ?? span['parent_span_id']),
  }
  const problem = idProblem(ids)
  if (problem !== undefined) return problem
  const startNanos = readNanos(span['startTimeUnixNano'] ?? span['start_time_unix_nano'])
  const endNanos = readNanos(span['endTimeUnixNano'] ?? span['end_time_unix_nano'])
  const events = listOf(span, 'events', 'events').map(readEvent)
  if (startNanos === undefined || endNanos === undefined) return BAD_TIME
  const status = objectOf(span, 'status', 'status')
  return {
    resource,
    scope,
    traceId: ids.traceId,
    spanId: ids.spanId,
    parentSpanId: parentId(ids),
    traceState: text(span['traceState'] ?? span['trace_state']),
    flags: small(span['flags']),
    name: text(span['name']),
    kind: enumNumber(span['kind'], SPAN_KINDS),
    startNanos,
    endNanos,
    attributes: readAttributes(span['attributes'], 0),
    events,
    links: listOf(span, 'links', 'links').map(readLink),
    statusCode: enumNumber(status?.['code'], STATUS_CODES),
    statusMessage: text(status?.['message']),
    droppedAttributes: small(span['droppedAttributesCount'] ?? span['dropped_attributes_count']),
    droppedEvents: small(span['droppedEventsCount'] ?? span['dropped_events_count']),
    droppedLinks: small(span['droppedLinksCount'] ?? span['dropped_links_count']),
  }
}

const SPAN_KINDS = [
  'SPAN_KIND_UNSPECIFIED',
  'SPAN_KIND_INTERNAL',
  'SPAN_KIND_SERVER',
  'SPAN_KIND_CLIENT',
  'SPAN_KIND_PRODUCER',
  'SPAN_KIND_CONSUMER',
] as const

const STATUS_CODES = ['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR'] as const

function readEvent(item: unknown): SpanEvent {
  const event = asObject(item)
  return {
    name: text(event['name']),
    timeNanos: readNanos(event['timeUnixNano'] ?? event['time_unix_nano']) ?? 0n,
    attributes: readAttributes(event['attributes'], 0),
    droppedAttributes: small(event['droppedAttributesCount'] ?? event['dropped_attributes_count']),
  }
}

function readLink(item: unknown): SpanLink {
  const link = asObject(item)
  return {
    traceId: hexText(link['traceId'] ?? link['trace_id']),
    spanId: hexText(link['spanId'] ?? link['span_id']),
    traceState: text(link['traceState'] ?? link['trace_state']),
    attributes: readAttributes(link['attributes'], 0),
  }
}

function readLogRecord(item: unknown, resource: Resource, scope: Scope): LogRecord | string {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return BAD_RECORD
  const record = item as JsonObject
  const traceId = hexText(record['traceId'] ?? record['trace_id'])
  const spanId = hexText(record['spanId'] ?? record['span_id'])
  const problem = logIdProblem(traceId, spanId)
  if (problem !== undefined) return problem
  const time = readNanos(record['timeUnixNano'] ?? record['time_unix_nano'])
  const observed = readNanos(record['observedTimeUnixNano'] ?? record['observed_time_unix_nano'])
  if (time === undefined || observed === undefined) return BAD_TIME
  const attributes = readAttributes(record['attributes'], 0)
  const eventName = text(record['eventName'] ?? record['event_name']) || attributes.get(EVENT_NAME_ATTRIBUTE)
  return {
    resource,
    scope,
    traceId: withoutZeros(traceId),
    spanId: withoutZeros(spanId),
    eventName: text(eventName),
    timeNanos: time || observed,
    body: readValue(record['body'], 0),
    attributes,
  }
}
