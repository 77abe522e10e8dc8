import fc from 'fast-check'
import type { AttributeValue, Attributes, LogRecord, Span } from '../../src/otlp/model.ts'

/** Random spans and log records. */

const text = fc.string({ unit: 'grapheme', maxLength: 8 })
const uint64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })
const count = fc.nat(0xffffffff)
const id = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .filter((value) => value.some((byte) => byte !== 0))
    .map((value) => Buffer.from(value).toString('hex'))

const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      text,
      fc.boolean(),
      fc.constant(null),
      fc.double(),
      fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
      fc.bigInt({ min: -3n, max: 300n }),
      fc.uint8Array({ maxLength: 5 }).map((bytes): AttributeValue => Buffer.from(bytes)),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(text, tie('value')), { maxLength: 3 })
      .map((entries): AttributeValue => firstWins(entries)),
  ),
}))

function firstWins(entries: readonly (readonly [string, AttributeValue])[]): Attributes {
  return new Map(entries.toReversed())
}

const attributes: fc.Arbitrary<Attributes> = fc.array(fc.tuple(text, value), { maxLength: 5 }).map(firstWins)

const resource = fc.record({ attributes, schemaUrl: text })
const scope = fc.record({ name: text, version: text, attributes, schemaUrl: text })

export const span: fc.Arbitrary<Span> = fc
  .record({
    resource,
    scope,
    traceId: id(16),
    spanId: id(8),
    parentSpanId: fc.oneof(fc.constant(''), id(8)),
    traceState: text,
    flags: count,
    name: text,
    kind: fc.nat(5),
    startNanos: uint64,
    endNanos: fc.oneof(uint64, fc.constant(0n)),
    attributes,
    events: fc.array(fc.record({ name: text, timeNanos: uint64, attributes, droppedAttributes: count }), {
      maxLength: 2,
    }),
    links: fc.array(fc.record({ traceId: id(16), spanId: id(8), traceState: text, attributes }), {
      maxLength: 2,
    }),
    statusCode: fc.nat(2),
    statusMessage: text,
    droppedAttributes: count,
    droppedEvents: count,
    droppedLinks: count,
  })
  .map((span) => ({ ...span, parentSpanId: span.parentSpanId === span.spanId ? '' : span.parentSpanId }))

export const logRecord: fc.Arbitrary<LogRecord> = fc.record({
  resource,
  scope,
  traceId: fc.oneof(fc.constant(''), id(16)),
  spanId: fc.oneof(fc.constant(''), id(8)),
  eventName: fc.string({ minLength: 1, maxLength: 5 }),
  timeNanos: uint64.filter((time) => time > 0n),
  body: value,
  attributes,
})
