import protobuf from 'protobufjs/light.js'
import { ApiError } from '../../contract/api-error.ts'
import type { OtlpEncoding } from './decode.ts'
import { parseBody } from './json.ts'
import { asList, asObject, type JsonObject, listOf, objectOf } from './json-values.ts'

/** Counts the data points of an export of metrics. Nothing of them is kept, so nothing else is decoded. */
export function countDataPoints(body: Buffer, encoding: OtlpEncoding): number {
  if (encoding === 'json') return countInJson(parseBody(body))
  const reader = protobuf.Reader.create(body)
  try {
    return countInMessage(reader, body.length, 0)
  } catch (error) {
    throw new ApiError('invalid_request', 'the body is not a valid protobuf message of OTLP', {
      cause: error,
    })
  }
}

/** Numbers of the fields from the request to a data point: `resource_metrics`, `scope_metrics`, `metrics`, its kind, `data_points`. */
const FIELDS: readonly (readonly number[])[] = [[1], [2], [2], [5, 7, 9, 10, 11], [1]]

const LENGTH_DELIMITED = 2

function countInMessage(reader: protobuf.Reader, end: number, level: number): number {
  let count = 0
  while (reader.pos < end) {
    const tag = reader.uint32()
    const wireType = tag & 7
    if (wireType !== LENGTH_DELIMITED || FIELDS[level]?.includes(tag >>> 3) !== true) {
      reader.skipType(wireType)
      continue
    }
    const length = reader.uint32()
    const next = reader.pos + length
    if (next > end) throw new RangeError('a message is longer than the one around it')
    if (level === FIELDS.length - 1) {
      count++
      reader.pos = next
    } else count += countInMessage(reader, next, level + 1)
  }
  if (reader.pos !== end) throw new RangeError('a field is longer than its message')
  return count
}

const KINDS = [
  ['gauge', 'gauge'],
  ['sum', 'sum'],
  ['histogram', 'histogram'],
  ['exponentialHistogram', 'exponential_histogram'],
  ['summary', 'summary'],
] as const

function countInJson(document: JsonObject): number {
  let count = 0
  for (const ofResource of listOf(document, 'resourceMetrics', 'resource_metrics').map(asObject))
    for (const ofScope of listOf(ofResource, 'scopeMetrics', 'scope_metrics').map(asObject))
      for (const metric of asList(ofScope['metrics']).map(asObject))
        for (const [name, snakeName] of KINDS) {
          const data = objectOf(metric, name, snakeName)
          if (data !== undefined) count += listOf(data, 'dataPoints', 'data_points').length
        }
  return count
}
