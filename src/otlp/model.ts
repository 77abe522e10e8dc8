/** Spans and log records of OpenTelemetry after decoding, whatever the encoding they were sent in. */

/** An attribute value. Integers are `bigint`, so that they stay exact; a `number` is a double. */
export type AttributeValue =
  | null
  | string
  | boolean
  | bigint
  | number
  | Uint8Array
  | readonly AttributeValue[]
  | Attributes

/** The first of a repeated key wins. */
export type Attributes = ReadonlyMap<string, AttributeValue>

export interface Resource {
  readonly attributes: Attributes
  readonly schemaUrl: string
}

export interface Scope {
  readonly name: string
  readonly version: string
  readonly attributes: Attributes
  readonly schemaUrl: string
}

export interface SpanEvent {
  readonly name: string
  readonly timeNanos: bigint
  readonly attributes: Attributes
  readonly droppedAttributes: number
}

export interface SpanLink {
  readonly traceId: string
  readonly spanId: string
  readonly traceState: string
  readonly attributes: Attributes
}

export interface Span {
  readonly resource: Resource
  readonly scope: Scope
  /** Lowercase hexadecimal: 32 and 16 digits. The parent is empty for a root. */
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly traceState: string
  readonly flags: number
  readonly name: string
  /** `SPAN_KIND_*` of OTLP. */
  readonly kind: number
  readonly startNanos: bigint
  /** 0 if the span has not ended. */
  readonly endNanos: bigint
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
  readonly links: readonly SpanLink[]
  /** 0 unset, 1 ok, 2 error. */
  readonly statusCode: number
  readonly statusMessage: string
  readonly droppedAttributes: number
  readonly droppedEvents: number
  readonly droppedLinks: number
}

export interface LogRecord {
  readonly resource: Resource
  readonly scope: Scope
  /** Empty if the record belongs to no span. */
  readonly traceId: string
  readonly spanId: string
  /** `event_name`, or the attribute `event.name` of older exporters. */
  readonly eventName: string
  readonly timeNanos: bigint
  readonly body: AttributeValue
  readonly attributes: Attributes
}

/** Why a part of a request was not stored, for `partial_success`. */
export interface Rejection {
  readonly count: number
  readonly reason: string
}
