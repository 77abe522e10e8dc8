/**
 * Decides when the next insert starts. Every insert costs ClickHouse a part, whatever its size, and a row of a large insert
 * costs half of a row of a small one, merges included. So pending records are batched; the delay is bounded by what
 * batching gains. There is one insert at a time. See docs/decisions/0010-ingest.md.
 */
export interface PendingInsert {
  readonly requests: number
  readonly rows: number
  readonly bytes: number
  /** Whether an insert is in progress. */
  readonly isInserting: boolean
  /** Time since the previous insert ended. */
  readonly sinceInsertMs: number
  /** Rows of the previous insert. */
  readonly previousRows: number
  /** Time since the last request arrived, or since the last was acknowledged. */
  readonly quietMs: number
}

/** Size of a full insert; larger ones were not faster. */
const FULL_ROWS = 9_000
const FULL_BYTES = 30 * 1024 * 1024

/** Few requests: a client that sends its next request after each response must not wait for others. */
const FEW_REQUESTS = 8

/** Client-side batches: at a quarter of the highest load their p99 stays well below 300 ms. */
const MANY_ROWS = 400
const MANY_ROWS_MS = 40

/** Many single records: a few parts per second instead of hundreds. */
const MANY_REQUESTS_MS = 180

/**
 * Full load: the clients that the previous insert acknowledged send again. The next insert waits for them, unless nothing
 * happens for a moment.
 */
const LOADED_ROWS = 800
const LOADED_MS = 1_000
const QUIET_MS = 40

/** Milliseconds until the next insert should start; 0 if it should start now, infinite if after the present one. */
export function insertDelayMs(pending: PendingInsert): number {
  if (pending.isInserting) return Number.POSITIVE_INFINITY
  if (pending.rows >= FULL_ROWS || pending.bytes >= FULL_BYTES) return 0
  return Math.max(0, waitMs(pending))
}

function waitMs(pending: PendingInsert): number {
  const { requests, rows, bytes, sinceInsertMs, previousRows, quietMs } = pending
  if (previousRows >= LOADED_ROWS) return Math.min(LOADED_MS - sinceInsertMs, QUIET_MS - quietMs)
  if (rows >= MANY_ROWS || bytes >= FULL_BYTES / 16) return MANY_ROWS_MS - sinceInsertMs
  return requests <= FEW_REQUESTS ? 0 : MANY_REQUESTS_MS - sinceInsertMs
}
