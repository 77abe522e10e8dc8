import type Long from 'long'
import { ApiError } from '../../contract/api-error.ts'
import type {
  AttributeValue,
  Attributes,
  LogRecord,
  Resource,
  Scope,
  Span,
  SpanEvent,
  SpanLink,
} from '../model.ts'
import { idProblem, logIdProblem, parentId, withoutZeros } from './ids.ts'
import {
  type AnyValueMessage,
  ArrayValue,
  type EventMessage,
  KeyValueList,
  type KeyValueMessage,
  type LinkMessage,
  LogRecordItem,
  type LogRecordMessage,
  LogsRequest,
  type MessageType,
  type ResourceMessage,
  type ScopeMessage,
  SpanItem,
  type SpanMessage,
  TraceRequest,
} from './messages.ts'
import type { Rejections } from './rejections.ts'
import { EVENT_NAME_ATTRIBUTE, MAX_VALUE_DEPTH, NO_ATTRIBUTES, requireItems, TOO_DEEP } from './values.ts'

/** Reads OTLP in protobuf. */

export function readProtobufSpans(body: Buffer, rejections: Rejections): Span[] {
  const spans: Span[] = []
  const { resourceSpans } = decode(TraceRequest, body)
  for (const ofResource of resourceSpans) {
    const resource = readResource(ofResource.resource, ofResource.schemaUrl)
    for (const ofScope of ofResource.scopeSpans) {
      const scope = readScope(ofScope.scope, ofScope.schemaUrl)
      requireItems(spans.length + ofScope.spans.length)
      for (const message of ofScope.spans) {
        const span = readSpan(decode(SpanItem, message), resource, scope)
        if (typeof span === 'string') rejections.add(span)
        else spans.push(span)
      }
    }
  }
  return spans
}

export function readProtobufLogs(body: Buffer, rejections: Rejections): LogRecord[] {
  const records: LogRecord[] = []
  const { resourceLogs } = decode(LogsRequest, body)
  for (const ofResource of resourceLogs) {
    const resource = readResource(ofResource.resource, ofResource.schemaUrl)
    for (const ofScope of ofResource.scopeLogs) {
      const scope = readScope(ofScope.scope, ofScope.schemaUrl)
      requireItems(records.length + ofScope.logRecords.length)
      for (const message of ofScope.logRecords) {
        const record = readLogRecord(decode(LogRecordItem, message), resource, scope)
        if (typeof record === 'string') rejections.add(record)
        else records.push(record)
      }
    }
  }
  return records
}

function decode<T>(type: MessageType<T>, bytes: Buffer): T {
  try {
    return type.decode(bytes)
  } catch (error) {
    throw new ApiError('invalid_request', 'the body is not a valid protobuf message of OTLP', {
      cause: error,
    })
  }
}

function readResource(message: ResourceMessage | null, schemaUrl: string): Resource {
  return { attributes: readAttributes(message?.attributes ?? [], 0), schemaUrl }
}

function readScope(message: ScopeMessage | null, schemaUrl: string): Scope {
  return {
    name: message?.name ?? '',
    version: message?.version ?? '',
    attributes: readAttributes(message?.attributes ?? [], 0),
    schemaUrl,
  }
}

/** The span, or the reason to reject it. */
function readSpan(message: SpanMessage, resource: Resource, scope: Scope): Span | string {
  const ids = {
    traceId: hex(message.traceId),
    spanId: hex(message.spanId),
    parentSpanId: hex(message.parentSpanId),
  }
  const problem = idProblem(ids)
  if (problem !== undefined) return problem
  return {
    resource,
    scope,
    traceId: ids.traceId,
    spanId: ids.spanId,
    parentSpanId: parentId(ids),
    traceState: message.traceState,
    flags: message.flags,
    name: message.name,
    kind: message.kind,
    startNanos: unsigned(message.startTimeUnixNano),
    endNanos: unsigned(message.endTimeUnixNano),
    attributes: readAttributes(message.attributes, 0),
    events: message.events.map(readEvent),
    links: message.links.map(readLink),
    statusCode: message.status?.code ?? 0,
    statusMessage: message.status?.message ?? '',
    droppedAttributes: message.droppedAttributesCount,
    droppedEvents: message.droppedEventsCount,
    droppedLinks: message.droppedLinksCount,
  }
}

function readEvent(message: EventMessage): SpanEvent {
  return {
    name: message.name,
    timeNanos: unsigned(message.timeUnixNano),
    attributes: readAttributes(message.attributes, 0),
    droppedAttributes: message.droppedAttributesCount,
  }
}

function readLink(message: LinkMessage): SpanLink {
  return {
    traceId: hex(message.traceId),
    spanId: hex(message.spanId),
    traceState: message.traceState,
    attributes: readAttributes(message.attributes, 0),
  }
}

function readLogRecord(message: LogRecordMessage, resource: Resource, scope: Scope): LogRecord | string {
  const traceId = hex(message.traceId)
  const spanId = hex(message.spanId)
  const problem = logIdProblem(traceId, spanId)
  if (problem !== undefined) return problem
  const attributes = readAttributes(message.attributes, 0)
  const eventName = message.eventName === '' ? attributes.get(EVENT_NAME_ATTRIBUTE) : message.eventName
  return {
    resource,
    scope,
    traceId: withoutZeros(traceId),
    spanId: withoutZeros(spanId),
    eventName: typeof eventName === 'string' ? eventName : '',
    timeNanos: unsigned(message.timeUnixNano) || unsigned(message.observedTimeUnixNano),
    body: message.body === null ? null : readValue(message.body, 0),
    attributes,
  }
}

function readAttributes(messages: readonly KeyValueMessage[], depth: number): Attributes {
  if (messages.length === 0) return NO_ATTRIBUTES
  const attributes = new Map<string, AttributeValue>()
  for (const { key, value } of messages)
    if (!attributes.has(key)) attributes.set(key, value === null ? null : readValue(value, depth))
  return attributes
}

/** `depth` counts the lists and maps around the value. */
function readValue(message: AnyValueMessage, depth: number): AttributeValue {
  if (message.stringValue !== undefined) return message.stringValue
  if (message.intValue !== undefined) return signed(message.intValue)
  if (message.boolValue !== undefined) return message.boolValue
  if (message.doubleValue !== undefined) return message.doubleValue
  if (message.arrayValue !== undefined) {
    if (depth === MAX_VALUE_DEPTH) return TOO_DEEP
    return decode(ArrayValue, message.arrayValue).values.map((value) => readValue(value, depth + 1))
  }
  if (message.kvlistValue !== undefined) {
    if (depth === MAX_VALUE_DEPTH) return TOO_DEEP
    return readAttributes(decode(KeyValueList, message.kvlistValue).values, depth + 1)
  }
  return message.bytesValue ?? null
}

/** Bytes that were not sent are an empty array. */
function hex(bytes: Buffer | readonly number[]): string {
  return bytes.length === 0 ? '' : (bytes as Buffer).toString('hex')
}

function unsigned({ low, high }: Long): bigint {
  return high === 0 ? BigInt(low >>> 0) : (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
}

function signed({ low, high }: Long): bigint {
  // Fits 32 bits, as most numbers do.
  if (high === low >> 31) return BigInt(low)
  return (BigInt(high) << 32n) | BigInt(low >>> 0)
}
