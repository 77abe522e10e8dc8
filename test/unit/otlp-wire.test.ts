import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeLogs, decodeTraces } from '../../src/otlp/wire/decode.ts'
import { encodeLogs, encodeTraces } from '../otlp/encode.ts'
import { logRecord, span } from '../otlp/spans.ts'

test('spans are decoded as they were encoded, in every encoding', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 4 }), (spans) => {
      const expected = { spans, rejected: [] }
      expect(decodeTraces(encodeTraces(spans, 'protobuf'), 'protobuf')).toEqual(expected)
      expect(decodeTraces(encodeTraces(spans, 'json'), 'json')).toEqual(expected)
      expect(decodeTraces(encodeTraces(spans, 'json', true), 'json')).toEqual(expected)
    }),
    { numRuns: 80 },
  )
})

test('log records are decoded as they were encoded, in every encoding', () => {
  fc.assert(
    fc.property(fc.array(logRecord, { maxLength: 4 }), (records) => {
      const expected = { records, rejected: [] }
      expect(decodeLogs(encodeLogs(records, 'protobuf'), 'protobuf')).toEqual(expected)
      expect(decodeLogs(encodeLogs(records, 'json'), 'json')).toEqual(expected)
      expect(decodeLogs(encodeLogs(records, 'json', true), 'json')).toEqual(expected)
    }),
    { numRuns: 40 },
  )
})

test('any bytes are decoded or rejected as a whole', () => {
  const attempt = (body: Buffer, encoding: 'protobuf' | 'json'): void => {
    try {
      decodeTraces(body, encoding)
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_request' })
    }
  }
  fc.assert(
    fc.property(fc.array(span, { maxLength: 2 }), fc.nat(), fc.nat(255), (spans, at, byte) => {
      for (const encoding of ['protobuf', 'json'] as const) {
        const body = encodeTraces(spans, encoding)
        if (body.length > 0) body[at % body.length] = byte
        attempt(body, encoding)
        attempt(body.subarray(0, at % (body.length + 1)), encoding)
      }
    }),
    { numRuns: 80 },
  )
})
