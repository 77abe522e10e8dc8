import { expect, test } from 'vitest'
import type { AttributeValue } from '../model.ts'
import { decodeLogs, decodeTraces } from './decode.ts'
import { BAD_PARENT_ID, BAD_SPAN_ID, BAD_TRACE_ID } from './ids.ts'
import { ArrayValue, SpanItem, TraceRequest, TraceResponse } from './messages.ts'
import { encodeResponse } from './response.ts'
import { MAX_VALUE_DEPTH, TOO_DEEP } from './values.ts'

const IDS = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

function jsonBody(...spans: (object | string)[]): Buffer {
  const texts = spans.map((span) => (typeof span === 'string' ? span : JSON.stringify({ ...IDS, ...span })))
  return Buffer.from(`{"resourceSpans":[{"scopeSpans":[{"spans":[${texts.join(',')}]}]}]}`)
}

function protobufBody(...spans: object[]): Buffer {
  const ids = { traceId: Buffer.from(IDS.traceId, 'hex'), spanId: Buffer.from(IDS.spanId, 'hex') }
  const encoded = spans.map((span) => SpanItem.encode(Object.assign({}, ids, span) as never))
  return TraceRequest.encode({ resourceSpans: [{ scopeSpans: [{ spans: encoded }] }] } as never)
}

function attribute(body: Buffer, encoding: 'protobuf' | 'json' = 'json'): AttributeValue | undefined {
  return decodeTraces(body, encoding).spans[0]?.attributes.get('a')
}

test('an empty request has no spans', () => {
  expect(decodeTraces(Buffer.alloc(0), 'protobuf')).toEqual({ spans: [], rejected: [] })
  expect(decodeTraces(Buffer.from('{}'), 'json')).toEqual({ spans: [], rejected: [] })
})

test.each([
  [{ traceId: '0'.repeat(32) }, BAD_TRACE_ID],
  [{ traceId: 'abc' }, BAD_TRACE_ID],
  [{ traceId: 'x'.repeat(32) }, BAD_TRACE_ID],
  [{ traceId: 5 }, BAD_TRACE_ID],
  [{ spanId: '0'.repeat(16) }, BAD_SPAN_ID],
  [{ spanId: '' }, BAD_SPAN_ID],
  [{ parentSpanId: '1234' }, BAD_PARENT_ID],
])('a span with %j is rejected alone', (ids, reason) => {
  const { spans, rejected } = decodeTraces(jsonBody({ name: 'a' }, ids, { name: 'b' }), 'json')
  expect(spans.map((span) => span.name)).toEqual(['a', 'b'])
  expect(rejected).toEqual([{ count: 1, reason }])
})

test('protobuf ids of a wrong length reject their spans, and equal reasons are counted', () => {
  const body = protobufBody({ spanId: Buffer.alloc(8) }, {}, { spanId: Buffer.alloc(3, 1) })
  const { spans, rejected } = decodeTraces(body, 'protobuf')
  expect(spans).toHaveLength(1)
  expect(rejected).toEqual([{ count: 2, reason: BAD_SPAN_ID }])
})

test.each(['0'.repeat(16), '', IDS.traceId, IDS.spanId, null])(
  'the parent %j is that of a root',
  (parent) => {
    const [span] = decodeTraces(jsonBody({ parentSpanId: parent }), 'json').spans
    expect(span?.parentSpanId).toBe('')
  },
)

test('ids in capitals are the same ids', () => {
  const [span] = decodeTraces(jsonBody({ spanId: IDS.spanId.toUpperCase() }), 'json').spans
  expect(span?.spanId).toBe(IDS.spanId)
})

test.each([
  ['"9223372036854775807"', 9223372036854775807n],
  ['9223372036854775807', 9223372036854775807n],
  ['-9223372036854775808', -9223372036854775808n],
  ['9007199254740993', 9007199254740993n],
  ['42', 42n],
  ['{"low":-1,"high":-1,"unsigned":false}', -1n],
  ['1.5', 1.5],
  ['"x"', 'x'],
])('intValue %s', (text, expected) => {
  const strings = String.raw`{"key":"9007199254740993 \" -1234567890123456789","value":{"stringValue":"\\"}}`
  const span = `{"traceId":"${IDS.traceId}","spanId":"${IDS.spanId}","attributes":[${strings},{"key":"a","value":{"intValue":${text}}}]}`
  const [decoded] = decodeTraces(jsonBody(span), 'json').spans
  expect(decoded?.attributes.get('a')).toEqual(expected)
  expect(decoded?.attributes.get('9007199254740993 " -1234567890123456789')).toBe('\\')
})

test.each([
  ['"1544712660300000001"', 1544712660300000001n],
  ['1544712660300000001', 1544712660300000001n],
  ['{"low":1693900801,"high":359657127}', (359657127n << 32n) | 1693900801n],
  ['null', 0n],
])('a time may be %s', (text, expected) => {
  const span = `{"traceId":"${IDS.traceId}","spanId":"${IDS.spanId}","startTimeUnixNano":${text}}`
  expect(decodeTraces(jsonBody(span), 'json').spans[0]?.startNanos).toBe(expected)
})

test('a span with an unreadable time is rejected alone', () => {
  const { spans, rejected } = decodeTraces(jsonBody({ startTimeUnixNano: 'now' }, {}), 'json')
  expect(spans).toHaveLength(1)
  expect(rejected[0]?.reason).toMatch(/time/)
})

test('enums may be names', () => {
  const [span] = decodeTraces(
    jsonBody({ kind: 'SPAN_KIND_CLIENT', status: { code: 'STATUS_CODE_ERROR' } }),
    'json',
  ).spans
  expect(span).toMatchObject({ kind: 3, statusCode: 2 })
})

test('the first of a repeated key wins', () => {
  const attributes = ['x', 'y'].map((stringValue) => ({ key: 'a', value: { stringValue } }))
  expect(attribute(jsonBody({ attributes }))).toBe('x')
  expect(attribute(protobufBody({ attributes }), 'protobuf')).toBe('x')
})

test('values that are nested too deeply are cut, at the same level in both encodings', () => {
  const levels = 10_000
  let encoded: Buffer = ArrayValue.encode({ values: [] })
  for (let i = 1; i < levels; i++) encoded = ArrayValue.encode({ values: [{ arrayValue: encoded } as never] })
  const open = '{"arrayValue":{"values":['
  const text = open.repeat(levels) + ']}}'.repeat(levels)
  const span = `{"traceId":"${IDS.traceId}","spanId":"${IDS.spanId}","attributes":[{"key":"a","value":${text}}]}`
  const values = [
    attribute(protobufBody({ attributes: [{ key: 'a', value: { arrayValue: encoded } }] }), 'protobuf'),
    attribute(jsonBody(span)),
  ]
  for (const value of values) {
    let depth = 0
    let inner = value
    while (Array.isArray(inner)) {
      inner = inner[0] as AttributeValue
      depth++
    }
    expect([depth, inner]).toEqual([MAX_VALUE_DEPTH, TOO_DEEP])
  }
})

test('an attribute may have 5 MB', () => {
  const stringValue = 'é'.repeat(2_500_000)
  expect(attribute(jsonBody({ attributes: [{ key: 'a', value: { stringValue } }] }))).toBe(stringValue)
  expect(attribute(protobufBody({ attributes: [{ key: 'a', value: { stringValue } }] }), 'protobuf')).toBe(
    stringValue,
  )
})

test('odd values count as absent', () => {
  const body = jsonBody({
    attributes: [null, 5, { key: 5 }, { key: 'a', value: 'text' }, { key: '__proto__', value: {} }],
    events: [null],
    links: 'none',
    name: 7,
    flags: -1,
  })
  const [span] = decodeTraces(body, 'json').spans
  expect(span).toMatchObject({ name: '', flags: 0, links: [], events: [{ name: '' }] })
  expect(span?.attributes.get('a')).toBe(null)
})

test.each(['', '[]', '5', '{', '{"resourceSpans":[}', 'null'])('the body %j is not OTLP in JSON', (body) => {
  expect(() => decodeTraces(Buffer.from(body), 'json')).toThrow(/the body/)
})

test('a body with a byte order mark is read', () => {
  expect(decodeTraces(Buffer.from('\ufeff{}'), 'json').spans).toEqual([])
})

test('a truncated protobuf body is an error', () => {
  const body = protobufBody({ name: 'a' })
  expect(() => decodeTraces(body.subarray(0, -1), 'protobuf')).toThrow(/not a valid protobuf/)
  expect(() => decodeTraces(Buffer.from('{"resourceSpans":[]}'), 'protobuf')).toThrow(/not a valid protobuf/)
})

test('an old log record is named by its attribute', () => {
  const record = {
    spanId: '0'.repeat(16),
    observedTimeUnixNano: '7',
    attributes: [{ key: 'event.name', value: { stringValue: 'gen_ai.choice' } }],
  }
  const body = JSON.stringify({ resource_logs: [{ scope_logs: [{ log_records: [record] }] }] })
  expect(decodeLogs(Buffer.from(body), 'json').records[0]).toMatchObject({
    eventName: 'gen_ai.choice',
    timeNanos: 7n,
    spanId: '',
    body: null,
  })
})

test('the response is empty if everything was stored, and else says what was not', () => {
  expect(encodeResponse('traces', 'protobuf', [])).toHaveLength(0)
  expect(encodeResponse('logs', 'json', []).toString()).toBe('{}')
  const rejected = [
    { count: 2, reason: 'r' },
    { count: 1, reason: 's' },
  ]
  expect(JSON.parse(encodeResponse('logs', 'json', rejected).toString())).toEqual({
    partialSuccess: { rejectedLogRecords: '3', errorMessage: '2: r; 1: s' },
  })
  expect(TraceResponse.decode(encodeResponse('traces', 'protobuf', rejected)).partialSuccess).toMatchObject({
    rejectedSpans: { low: 3 },
    errorMessage: '2: r; 1: s',
  })
})
