import type { Rejection } from '../model.ts'
import type { OtlpEncoding } from './decode.ts'
import { LogsResponse, TraceResponse } from './messages.ts'

/** Encodes the responses of OTLP: empty if everything was stored, else `partial_success`. */

export type Signal = 'traces' | 'logs' | 'metrics'

const REJECTED = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
} as const

export function encodeResponse(
  signal: Signal,
  encoding: OtlpEncoding,
  rejected: readonly Rejection[],
): Buffer {
  if (rejected.length === 0) return Buffer.from(encoding === 'json' ? '{}' : '')
  const count = rejected.reduce((sum, rejection) => sum + rejection.count, 0)
  const errorMessage = rejected.map(describe).join('; ')
  if (encoding === 'json') {
    const name = REJECTED[signal]
    return Buffer.from(JSON.stringify({ partialSuccess: { [name]: String(count), errorMessage } }))
  }
  // The message for metrics has other names and the same bytes.
  return signal === 'traces'
    ? TraceResponse.encode({ partialSuccess: { rejectedSpans: count, errorMessage } })
    : LogsResponse.encode({ partialSuccess: { rejectedLogRecords: count, errorMessage } })
}

function describe({ count, reason }: Rejection): string {
  return count === 0 ? reason : `${count}: ${reason}`
}
