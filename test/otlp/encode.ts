import {
  ArrayValue,
  KeyValueList,
  LogRecordItem,
  LogsRequest,
  SpanItem,
  TraceRequest,
} from '../../src/otlp/wire/messages.ts'
import type { OtlpEncoding } from '../../src/otlp/wire/decode.ts'
import type { AttributeValue, Attributes, LogRecord, Resource, Scope, Span } from '../../src/otlp/model.ts'

/** Encodes spans and log records as an exporter does. Neighbours with the same resource and scope share them. */
export function encodeTraces(spans: readonly Span[], encoding: OtlpEncoding, isSnakeCase = false): Buffer {
  const form = FORMS[encoding]
  const resourceSpans = grouped(spans).map(({ resource, scopes }) => ({
    resource: { attributes: form.attributes(resource.attributes) },
    schemaUrl: resource.schemaUrl,
    scopeSpans: scopes.map(({ scope, items }) => ({
      ...encodeScope(scope, form),
      spans: items.map((span) => form.span(encodeSpan(span, form))),
    })),
  }))
  if (encoding === 'protobuf') return TraceRequest.encode({ resourceSpans } as never)
  return json({ resourceSpans }, isSnakeCase)
}

export function encodeLogs(
  records: readonly LogRecord[],
  encoding: OtlpEncoding,
  isSnakeCase = false,
): Buffer {
  const form = FORMS[encoding]
  const resourceLogs = grouped(records).map(({ resource, scopes }) => ({
    resource: { attributes: form.attributes(resource.attributes) },
    schemaUrl: resource.schemaUrl,
    scopeLogs: scopes.map(({ scope, items }) => ({
      ...encodeScope(scope, form),
      logRecords: items.map((record) =>
        form.logRecord({
          timeUnixNano: form.uint64(record.timeNanos),
          traceId: form.id(record.traceId),
          spanId: form.id(record.spanId),
          eventName: record.eventName,
          body: form.value(record.body),
          attributes: form.attributes(record.attributes),
        }),
      ),
    })),
  }))
  if (encoding === 'protobuf') return LogsRequest.encode({ resourceLogs } as never)
  return json({ resourceLogs }, isSnakeCase)
}

/** How leaves are written. */
interface Form {
  readonly id: (hex: string) => unknown
  readonly uint64: (value: bigint) => unknown
  readonly value: (value: AttributeValue) => unknown
  readonly attributes: (attributes: Attributes) => unknown[]
  readonly span: (message: object) => unknown
  readonly logRecord: (message: object) => unknown
}

const PROTOBUF: Form = {
  span: (message) => SpanItem.encode(message as never),
  logRecord: (message) => LogRecordItem.encode(message as never),
  id: (hex) => Buffer.from(hex, 'hex'),
  uint64: (value) => ({
    low: Number(value & 0xffffffffn) | 0,
    high: Number(value >> 32n) | 0,
    unsigned: true,
  }),
  value: (value) => {
    if (value === null) return {}
    if (typeof value === 'string') return { stringValue: value }
    if (typeof value === 'boolean') return { boolValue: value }
    if (typeof value === 'number') return { doubleValue: value }
    if (typeof value === 'bigint') {
      const bits = BigInt.asUintN(64, value)
      return {
        intValue: { low: Number(bits & 0xffffffffn) | 0, high: Number(bits >> 32n) | 0, unsigned: false },
      }
    }
    if (value instanceof Uint8Array) return { bytesValue: value }
    if (isList(value))
      return { arrayValue: ArrayValue.encode({ values: value.map(PROTOBUF.value) as never }) }
    return { kvlistValue: KeyValueList.encode({ values: PROTOBUF.attributes(value) as never }) }
  },
  attributes: (attributes) => [...attributes].map(([key, value]) => ({ key, value: PROTOBUF.value(value) })),
}

const JSON_FORM: Form = {
  span: (message) => message,
  logRecord: (message) => message,
  id: (hex) => hex,
  uint64: (value) => String(value),
  value: (value) => {
    if (value === null) return {}
    if (typeof value === 'string') return { stringValue: value }
    if (typeof value === 'boolean') return { boolValue: value }
    if (typeof value === 'number')
      return { doubleValue: Number.isFinite(value) && !Object.is(value, -0) ? value : doubleText(value) }
    if (typeof value === 'bigint') return { intValue: String(value) }
    if (value instanceof Uint8Array) return { bytesValue: Buffer.from(value).toString('base64') }
    if (isList(value)) return { arrayValue: { values: value.map(JSON_FORM.value) } }
    return { kvlistValue: { values: JSON_FORM.attributes(value) } }
  },
  attributes: (attributes) => [...attributes].map(([key, value]) => ({ key, value: JSON_FORM.value(value) })),
}

const FORMS = { protobuf: PROTOBUF, json: JSON_FORM } as const

function isList(value: AttributeValue): value is readonly AttributeValue[] {
  return Array.isArray(value)
}

function doubleText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

function encodeScope({ name, version, attributes, schemaUrl }: Scope, form: Form): object {
  return { scope: { name, version, attributes: form.attributes(attributes) }, schemaUrl }
}

function encodeSpan(span: Span, form: Form): object {
  return {
    traceId: form.id(span.traceId),
    spanId: form.id(span.spanId),
    parentSpanId: form.id(span.parentSpanId),
    traceState: span.traceState,
    flags: span.flags,
    name: span.name,
    kind: span.kind,
    startTimeUnixNano: form.uint64(span.startNanos),
    endTimeUnixNano: form.uint64(span.endNanos),
    attributes: form.attributes(span.attributes),
    droppedAttributesCount: span.droppedAttributes,
    events: span.events.map((event) => ({
      name: event.name,
      timeUnixNano: form.uint64(event.timeNanos),
      attributes: form.attributes(event.attributes),
      droppedAttributesCount: event.droppedAttributes,
    })),
    droppedEventsCount: span.droppedEvents,
    links: span.links.map((link) => ({
      traceId: form.id(link.traceId),
      spanId: form.id(link.spanId),
      traceState: link.traceState,
      attributes: form.attributes(link.attributes),
    })),
    droppedLinksCount: span.droppedLinks,
    status: { code: span.statusCode, message: span.statusMessage },
  }
}

interface Grouped<T> {
  readonly resource: Resource
  readonly scopes: { readonly scope: Scope; readonly items: T[] }[]
}

function grouped<T extends { readonly resource: Resource; readonly scope: Scope }>(
  items: readonly T[],
): Grouped<T>[] {
  const groups: Grouped<T>[] = []
  for (const item of items) {
    let group = groups.at(-1)
    if (group?.resource !== item.resource) groups.push((group = { resource: item.resource, scopes: [] }))
    const last = group.scopes.at(-1)
    if (last?.scope === item.scope) last.items.push(item)
    else group.scopes.push({ scope: item.scope, items: [item] })
  }
  return groups
}

function json(document: object, isSnakeCase: boolean): Buffer {
  return Buffer.from(JSON.stringify(isSnakeCase ? snakeCase(document) : document))
}

function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCase(member),
    ]),
  )
}
