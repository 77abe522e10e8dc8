import { expect, test } from 'vitest'
import { countDataPoints } from './data-points.ts'

/** A field of protobuf with bytes or messages. */
function field(number: number, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat(content)
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes])
}

const POINT = field(1, Buffer.from('\x19time'))
const EXPORT = Buffer.concat([
  field(
    1,
    field(1, Buffer.from('resource')),
    field(2, field(2, field(1, Buffer.from('name')), field(7, POINT, POINT)), field(2, field(5, POINT))),
  ),
  field(1, field(2, field(2, field(9, POINT)), field(2, field(10, POINT)), field(2, field(11, POINT)))),
])

test('data points of all kinds are counted in protobuf', () => {
  expect(countDataPoints(EXPORT, 'protobuf')).toBe(6)
  expect(countDataPoints(Buffer.alloc(0), 'protobuf')).toBe(0)
})

test('data points of all kinds are counted in JSON', () => {
  const points = { dataPoints: [{}, {}] }
  const metrics = [
    { name: 'a', gauge: points },
    { name: 'b', sum: points },
    { histogram: points },
    { exponentialHistogram: points },
    { exponential_histogram: { data_points: [1] } },
    { summary: points },
    { name: 'no data' },
    null,
  ]
  const document = { resourceMetrics: [{ scopeMetrics: [{ metrics }] }, {}, null] }
  expect(countDataPoints(Buffer.from(JSON.stringify(document)), 'json')).toBe(11)
  expect(countDataPoints(Buffer.from('{}'), 'json')).toBe(0)
})

test('a body that is no message is rejected', () => {
  for (const body of [EXPORT.subarray(0, -1), Buffer.from('not a message'), Buffer.alloc(100_000, 0x0b)])
    expect(() => countDataPoints(body, 'protobuf')).toThrow('not a valid protobuf message')
  expect(() => countDataPoints(Buffer.from('[]'), 'json')).toThrow('must be a JSON object')
})
