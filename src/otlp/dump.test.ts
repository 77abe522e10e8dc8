import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dumpSpan, readDump } from './dump.ts'
import type { Attributes, AttributeValue, Span } from './model.ts'
import { double, testSpan } from '../../test/otlp/span-fixture.ts'

const record = <Value>(model: { [Key in keyof Value]: fc.Arbitrary<Value[Key]> }): fc.Arbitrary<Value> =>
  fc.record<Value>(model, { noNullPrototype: true })

const text = fc.string({ unit: 'binary', maxLength: 12 }).map((each) => each.toWellFormed())

const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    text,
    fc.boolean(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double(),
    fc.uint8Array({ maxLength: 8 }).map((bytes) => new Uint8Array(bytes)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(
        fc.tuple(
          fc.oneof(text, fc.constantFrom('bytesValue', 'doubleValue', 'kvlistValue', '__proto__')),
          tie('value'),
        ),
        {
          maxLength: 3,
        },
      )
      .map((members) => new Map(members)),
  ),
}))

const attributes: fc.Arbitrary<Attributes> = fc
  .array(fc.tuple(text, value), { maxLength: 5 })
  .map((members) => new Map(members))

const id = (digits: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`), { size: 'max' })
const count = fc.integer({ min: 0, max: 1000 })
const nanos = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

const span: fc.Arbitrary<Span> = record({
  resource: record({ attributes, schemaUrl: text }),
  scope: record({ name: text, version: text, attributes, schemaUrl: text }),
  traceId: id(32),
  spanId: id(16),
  parentSpanId: fc.oneof(fc.constant(''), id(16)),
  traceState: text,
  flags: count,
  name: text,
  kind: fc.integer({ min: 0, max: 5 }),
  startNanos: nanos,
  endNanos: nanos,
  attributes,
  events: fc.array(record({ name: text, timeNanos: nanos, attributes, droppedAttributes: count }), {
    maxLength: 2,
  }),
  links: fc.array(record({ traceId: id(32), spanId: id(16), traceState: text, attributes }), {
    maxLength: 2,
  }),
  statusCode: fc.integer({ min: 0, max: 2 }),
  statusMessage: text,
  droppedAttributes: count,
  droppedEvents: count,
  droppedLinks: count,
})

describe('the dump of a span', () => {
  test('reads back as the same span', () => {
    fc.assert(
      fc.property(span, (sent) => {
        const { text: dump } = dumpSpan(sent)
        JSON.parse(dump)
        expect(readDump(dump)).toStrictEqual(sent)
      }),
      { numRuns: 300 },
    )
  })

  test('writes attributes as a flat object with exact numbers', () => {
    const dump = dumpSpan(testSpan({ attributes: { 'a.b': double(1), n: 9007199254740993n } }))
    expect(dump.text).toContain('"attributes":{"a.b":1.0,"n":9007199254740993}')
  })

  test('contains no credentials', () => {
    const dump = dumpSpan(
      testSpan({
        attributes: {
          'ai.request.headers.authorization': 'Bearer secret',
          'http.request.header.x-api-key': ['secret'],
          'llm.headers': '{"Authorization": "secret"}',
          'http.request.header.accept': 'text/html',
        },
      }),
    )
    expect(dump.text).not.toContain('secret')
    expect(dump.text).toContain('text/html')
  })

  test('of another server is not read', () => {
    expect(readDump('{"name": "chat", "context": {}}')).toBeUndefined()
    expect(readDump('no JSON')).toBeUndefined()
  })
})
