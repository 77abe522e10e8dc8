/** Ids as lowercase hexadecimal, and why one cannot be used. */

const TRACE_ID_DIGITS = 32
const SPAN_ID_DIGITS = 16

const ZERO_TRACE = '0'.repeat(TRACE_ID_DIGITS)
const ZERO_SPAN = '0'.repeat(SPAN_ID_DIGITS)

export const BAD_TRACE_ID = 'trace_id must be 16 bytes, not all zero'
export const BAD_SPAN_ID = 'span_id must be 8 bytes, not all zero'
export const BAD_PARENT_ID = 'parent_span_id must be 8 bytes, or empty'

export interface RawIds {
  /** Lowercase hexadecimal of any length. */
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
}

/** The reason to reject a span with these ids. */
export function idProblem({ traceId, spanId, parentSpanId }: RawIds): string | undefined {
  if (traceId.length !== TRACE_ID_DIGITS || traceId === ZERO_TRACE) return BAD_TRACE_ID
  if (spanId.length !== SPAN_ID_DIGITS || spanId === ZERO_SPAN) return BAD_SPAN_ID
  if (parentSpanId.length !== 0 && parentSpanId.length !== SPAN_ID_DIGITS && parentSpanId !== traceId)
    return BAD_PARENT_ID
  return undefined
}

/** Empty for a root. Some exporters write zeros, the trace id, or the span itself as the parent of a root. */
export function parentId({ traceId, spanId, parentSpanId }: RawIds): string {
  return parentSpanId === ZERO_SPAN || parentSpanId === traceId || parentSpanId === spanId ? '' : parentSpanId
}

/** The reason to reject a log record with these ids; both may be empty. */
export function logIdProblem(traceId: string, spanId: string): string | undefined {
  if (traceId.length !== 0 && traceId.length !== TRACE_ID_DIGITS) return BAD_TRACE_ID
  if (spanId.length !== 0 && spanId.length !== SPAN_ID_DIGITS) return BAD_SPAN_ID
  return undefined
}

/** Zeros mean that there is none. */
export function withoutZeros(id: string): string {
  return id === ZERO_TRACE || id === ZERO_SPAN ? '' : id
}
