import { randomBytes } from 'node:crypto'
import type { Span } from '../../src/otlp/model.ts'

export function newSpanIds(): { traceId: string; spanId: string } {
  return { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') }
}

/** A finished root span with new ids. */
export function makeSpan(fields: Partial<Span> = {}): Span {
  const startNanos = BigInt(Date.now()) * 1_000_000n
  return {
    resource: { attributes: new Map(), schemaUrl: '' },
    scope: { name: 'test', version: '', attributes: new Map(), schemaUrl: '' },
    ...newSpanIds(),
    parentSpanId: '',
    traceState: '',
    flags: 0,
    name: 'step',
    kind: 1,
    startNanos,
    endNanos: startNanos + 1_000_000_001n,
    attributes: new Map(),
    events: [],
    links: [],
    statusCode: 0,
    statusMessage: '',
    droppedAttributes: 0,
    droppedEvents: 0,
    droppedLinks: 0,
    ...fields,
  }
}
