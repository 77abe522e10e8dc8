import type { Operation } from '../contract/operation.ts'
import { BodyPool } from './body-pool.ts'
import { MAX_CALLS_BODY_BYTES } from './large-requests.ts'

/** Call bodies are most request bytes, and their records are copied as they are encoded, so the memory can be reused. */
export const ingestBodies = new BodyPool(MAX_CALLS_BODY_BYTES, 64)

/** Whether the operation stores calls. */
export function isIngest({ calls }: Operation): boolean {
  return calls !== undefined
}

/** Spans keep parts of their body, so OTLP has no pool. */
export function bodyPoolOf(operation: Operation): BodyPool | undefined {
  return isIngest(operation) && operation.body === 'json' ? ingestBodies : undefined
}
