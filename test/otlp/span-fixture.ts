import { deepStrictEqual } from 'node:assert/strict'
import type { RawJson } from '../../src/contract/raw-json.ts'
import type { MappedSpan } from '../../src/otlp/mapped.ts'
import type {
  Attributes,
  AttributeValue,
  LogRecord,
  Resource,
  Scope,
  Span,
  SpanEvent,
} from '../../src/otlp/model.ts'
import { decodeTraces } from '../../src/otlp/wire/decode.ts'
import { encodeTraces } from './encode.ts'
import { makeSpan } from './make-span.ts'

/** Builds spans for tests, as decoded from a request. Whole numbers are integers; write a double as `double(1)`. */

type Given = null | string | boolean | number | bigint | Uint8Array | Double | readonly Given[] | GivenObject

export interface GivenObject {
  readonly [key: string]: Given
}

class Double {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

export function double(value: number): Double {
  return new Double(value)
}

export function attributesOf(given: GivenObject): Attributes {
  return new Map(Object.entries(given).map(([key, value]) => [key, attributeValue(value)]))
}

function attributeValue(given: Given): AttributeValue {
  if (given instanceof Double) return given.value
  if (typeof given === 'number') return Number.isInteger(given) ? BigInt(given) : given
  if (Array.isArray(given)) return (given as readonly Given[]).map(attributeValue)
  if (typeof given !== 'object' || given === null || given instanceof Uint8Array) return given
  return attributesOf(given as GivenObject)
}

export const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
export const SPAN_ID = 'b7ad6b7169203331'
export const PARENT_ID = '00f067aa0ba902b7'
export const CALL_ID = '8448eb211c80319cb7ad6b7169203331'

const RESOURCE: Resource = {
  attributes: attributesOf({ 'service.name': 'chatbot', 'telemetry.sdk.language': 'python' }),
  schemaUrl: '',
}

interface SpanParts extends Partial<Omit<Span, 'attributes' | 'scope' | 'events' | 'resource'>> {
  readonly attributes?: GivenObject
  readonly scope?: string
  readonly events?: readonly {
    readonly name: string
    readonly attributes?: GivenObject
    readonly timeNanos?: bigint
  }[]
  readonly resource?: GivenObject
}

export function testSpan({
  attributes = {},
  scope = 'test',
  events = [],
  resource,
  ...rest
}: SpanParts = {}): Span {
  const span = makeSpan({
    resource: resource === undefined ? RESOURCE : { attributes: attributesOf(resource), schemaUrl: '' },
    scope: testScope(scope),
    traceId: TRACE_ID,
    spanId: SPAN_ID,
    flags: 1,
    name: 'span',
    startNanos: 1_763_164_800_000_000_123n,
    endNanos: 1_763_164_801_500_000_456n,
    attributes: attributesOf(attributes),
    events: events.map((event): SpanEvent => ({
      name: event.name,
      timeNanos: event.timeNanos ?? 1_763_164_800_500_000_000n,
      attributes: attributesOf(event.attributes ?? {}),
      droppedAttributes: 0,
    })),
    ...rest,
  })
  return transmitted(span)
}

/** The span as received, which is the same in protobuf and in JSON. */
function transmitted(span: Span): Span {
  const [received, inJson] = (['protobuf', 'json'] as const).map(
    (encoding) => decodeTraces(encodeTraces([span], encoding), encoding).spans[0],
  )
  if (received === undefined) throw new Error('the span was rejected')
  deepStrictEqual(inJson, received)
  return received
}

function testScope(name: string): Scope {
  return { name, version: '1.0.0', attributes: new Map(), schemaUrl: '' }
}

export function testLog(eventName: string, body: Given, attributes: GivenObject = {}): LogRecord {
  return {
    resource: RESOURCE,
    scope: testScope('test'),
    traceId: TRACE_ID,
    spanId: SPAN_ID,
    eventName,
    timeNanos: 1_763_164_800_500_000_000n,
    body: attributeValue(body),
    attributes: attributesOf(attributes),
  }
}

/** A mapped call with its documents parsed, for assertions. */
export function parsedCall({ call }: MappedSpan) {
  const { attributes, inputs, end, otel_dump: _, ...rest } = call
  const parse = (document: RawJson | undefined): unknown =>
    document === undefined ? undefined : JSON.parse(document.text)
  return {
    ...rest,
    attributes: parse(attributes),
    inputs: parse(inputs),
    output: parse(end?.output),
    summary: parse(end?.summary),
    exception: end?.exception,
  }
}
