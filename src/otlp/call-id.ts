/**
 * The id of the call of a span. A span id is unique within its trace only, so half of the trace id is part of it: the
 * right half, which is random in W3C ids, X-Ray ids and 64-bit ids alike.
 */
export function callId(traceId: string, spanId: string): string {
  return `${traceId.slice(-16)}${spanId}`
}

/** The call id of the parent; empty for a root, which exporters write in several ways. */
export function parentCallId(traceId: string, parentSpanId: string, spanId: string): string {
  const isRoot =
    parentSpanId === '' || parentSpanId === NO_SPAN || parentSpanId === spanId || parentSpanId === traceId
  return isRoot ? '' : callId(traceId, parentSpanId)
}

const NO_SPAN = '0000000000000000'
