import type { Span } from './model.ts'

/**
 * Logfire sends an extra span when a span starts. Its parent is the span that has started, and the parent of that one is
 * in an attribute. Returns the span that has started, without an end; undefined for all other spans.
 */
export function pendingSpan(span: Span): Span | undefined {
  if (span.attributes.get('logfire.span_type') !== 'pending_span' || span.parentSpanId === '')
    return undefined
  const parent = span.attributes.get('logfire.pending_parent_id')
  const attributes = new Map(span.attributes)
  for (const key of PENDING_KEYS) attributes.delete(key)
  return {
    ...span,
    spanId: span.parentSpanId,
    parentSpanId: typeof parent === 'string' && /^[\da-f]{16}$/.test(parent) ? parent : '',
    endNanos: 0n,
    attributes,
  }
}

const PENDING_KEYS = ['logfire.span_type', 'logfire.pending_parent_id']
