/**
 * Decides when the next insert starts. Every insert creates a part in ClickHouse, whatever its size, so pending
 * records are batched; the delay is bounded by what batching gains. See docs/decisions/0010-ingest.md.
 */
export interface PendingInsert {
  readonly requests: number
  readonly rows: number
  readonly bytes: number
  /** Time since the previous insert started. */
  readonly sinceLastMs: number
  /** Inserts in progress. */
  readonly running: number
}

/** Size of a full insert; larger ones were not faster. */
const FULL_ROWS = 3_000
const FULL_BYTES = 16 * 1024 * 1024

/** Few requests: a client that sends its next request after each response must not wait for others. */
const FEW_REQUESTS = 8
const FEW_REQUESTS_MS = 5

/** Client-side batches: at a quarter of ClickHouse's capacity their p99 stays well below 200 ms. */
const MANY_ROWS = 400
const MANY_ROWS_MS = 40

/** Many single records: five parts per second instead of hundreds. */
const MANY_REQUESTS_MS = 220

/**
 * Milliseconds until the next insert should start; 0 if it should start now. While an insert is in progress, only a
 * full one starts next to it: clients acknowledged together send again together, and small inserts in between would
 * delay the large ones.
 */
export function insertDelayMs(pending: PendingInsert): number {
  if (pending.rows >= FULL_ROWS || pending.bytes >= FULL_BYTES) return 0
  if (pending.running > 0) return Number.POSITIVE_INFINITY
  return Math.max(0, intervalMs(pending) - pending.sinceLastMs)
}

function intervalMs({ requests, rows, bytes }: PendingInsert): number {
  if (rows >= MANY_ROWS || bytes >= FULL_BYTES / 8) return MANY_ROWS_MS
  return requests <= FEW_REQUESTS ? FEW_REQUESTS_MS : MANY_REQUESTS_MS
}
