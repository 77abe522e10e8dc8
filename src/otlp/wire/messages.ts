import Long from 'long'
import protobuf from 'protobufjs/light.js'
import { descriptor } from './descriptor.generated.ts'

/** The protobuf messages of OTLP, as protobufjs decodes them. Fields that were not sent have the defaults of proto3. */

protobuf.util.Long = Long
protobuf.configure()

export interface AnyValueMessage {
  readonly stringValue: string | undefined
  readonly boolValue: boolean | undefined
  readonly intValue: Long | undefined
  readonly doubleValue: number | undefined
  /** Encoded `ArrayValue` and `KeyValueList`. */
  readonly arrayValue: Buffer | undefined
  readonly kvlistValue: Buffer | undefined
  readonly bytesValue: Buffer | undefined
}

export interface KeyValueMessage {
  readonly key: string
  readonly value: AnyValueMessage | null
}

export interface ResourceMessage {
  readonly attributes: readonly KeyValueMessage[]
}

export interface ScopeMessage {
  readonly name: string
  readonly version: string
  readonly attributes: readonly KeyValueMessage[]
}

export interface EventMessage {
  readonly timeUnixNano: Long
  readonly name: string
  readonly attributes: readonly KeyValueMessage[]
  readonly droppedAttributesCount: number
}

export interface LinkMessage {
  readonly traceId: Buffer
  readonly spanId: Buffer
  readonly traceState: string
  readonly attributes: readonly KeyValueMessage[]
}

export interface SpanMessage {
  readonly traceId: Buffer
  readonly spanId: Buffer
  readonly traceState: string
  readonly parentSpanId: Buffer
  readonly flags: number
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: Long
  readonly endTimeUnixNano: Long
  readonly attributes: readonly KeyValueMessage[]
  readonly droppedAttributesCount: number
  readonly events: readonly EventMessage[]
  readonly droppedEventsCount: number
  readonly links: readonly LinkMessage[]
  readonly droppedLinksCount: number
  readonly status: { readonly message: string; readonly code: number } | null
}

export interface LogRecordMessage {
  readonly timeUnixNano: Long
  readonly observedTimeUnixNano: Long
  readonly body: AnyValueMessage | null
  readonly attributes: readonly KeyValueMessage[]
  readonly traceId: Buffer
  readonly spanId: Buffer
  readonly eventName: string
}

interface Scoped {
  readonly scope: ScopeMessage | null
  readonly schemaUrl: string
}

interface OfResource {
  readonly resource: ResourceMessage | null
  readonly schemaUrl: string
}

interface TraceExport {
  readonly resourceSpans: readonly (OfResource & {
    /** Encoded `Span`s. */
    readonly scopeSpans: readonly (Scoped & { readonly spans: readonly Buffer[] })[]
  })[]
}

interface LogExport {
  readonly resourceLogs: readonly (OfResource & {
    /** Encoded `LogRecord`s. */
    readonly scopeLogs: readonly (Scoped & { readonly logRecords: readonly Buffer[] })[]
  })[]
}

interface PartialSuccess {
  readonly rejectedSpans?: number
  readonly rejectedLogRecords?: number
  readonly errorMessage: string
}

interface ExportResponse {
  readonly partialSuccess?: PartialSuccess
}

export interface MessageType<T> {
  decode(bytes: Buffer): T
  encode(message: T): Buffer
}

const root = protobuf.Root.fromJSON(descriptor)
const anyValue = root.lookupType('opentelemetry.proto.common.v1.AnyValue')
// Lists and maps are decoded one level at a time: the generated decoder would recurse as deep as the sender likes.
for (const name of ['arrayValue', 'kvlistValue']) anyValue.fields[name]!.type = 'bytes'
// Spans and log records are decoded one by one too, so that a body with too many of them is rejected before that.
root.lookupType('opentelemetry.proto.trace.v1.ScopeSpans').fields['spans']!.type = 'bytes'
root.lookupType('opentelemetry.proto.logs.v1.ScopeLogs').fields['logRecords']!.type = 'bytes'
root.resolveAll()
// A member of a `oneof` that was not sent is undefined instead of empty.
for (const field of anyValue.fieldsArray)
  (anyValue.ctor.prototype as Record<string, unknown>)[field.resolve().name] = undefined

function messageType<T>(name: string): MessageType<T> {
  const type = root.lookupType(`opentelemetry.proto.${name}`)
  return {
    decode: (bytes) => type.decode(bytes) as unknown as T,
    encode: (message) => Buffer.from(type.encode(message as object).finish()),
  }
}

export const TraceRequest = messageType<TraceExport>('collector.trace.v1.ExportTraceServiceRequest')
export const TraceResponse = messageType<ExportResponse>('collector.trace.v1.ExportTraceServiceResponse')
export const LogsRequest = messageType<LogExport>('collector.logs.v1.ExportLogsServiceRequest')
export const LogsResponse = messageType<ExportResponse>('collector.logs.v1.ExportLogsServiceResponse')
export const SpanItem = messageType<SpanMessage>('trace.v1.Span')
export const LogRecordItem = messageType<LogRecordMessage>('logs.v1.LogRecord')
export const ArrayValue = messageType<{ readonly values: readonly AnyValueMessage[] }>('common.v1.ArrayValue')
export const KeyValueList = messageType<{ readonly values: readonly KeyValueMessage[] }>(
  'common.v1.KeyValueList',
)
