/**
 * When the next insert begins. An insert costs the engine a part whatever its size, so what arrives together should go
 * together; but nobody waits longer than it is worth.
 */
export interface Waiting {
  readonly requests: number
  readonly rows: number
  readonly bytes: number
  /** Since the insert before began. */
  readonly sinceLastMs: number
  /** Inserts that the engine is at work on. */
  readonly running: number
}

/** Enough for the engine to be at its best: larger ones were no faster. */
const FULL_ROWS = 3_000
const FULL_BYTES = 16 * 1024 * 1024

/** A client that waits for each answer before it sends again is not made to wait for others. */
const FEW_REQUESTS = 8
const FEW_MS = 5

/** Batches: at a quarter of what the engine can take their p99 stays well under 200 ms. */
const MANY_ROWS = 400
const MANY_ROWS_MS = 40

/** A crowd of single records: five parts a second instead of hundreds. */
const CROWD_MS = 220

/**
 * How long the next insert should still wait for company; 0 if it should begin. While one is under way, only a full one
 * begins beside it: what is acknowledged together is answered and sent again together, and small ones slipping in between
 * would keep the rest waiting.
 */
export function waitMs(waiting: Waiting): number {
  if (waiting.rows >= FULL_ROWS || waiting.bytes >= FULL_BYTES) return 0
  if (waiting.running > 0) return Number.POSITIVE_INFINITY
  return Math.max(0, intervalMs(waiting) - waiting.sinceLastMs)
}

function intervalMs({ requests, rows, bytes }: Waiting): number {
  if (rows >= MANY_ROWS || bytes >= FULL_BYTES / 8) return MANY_ROWS_MS
  return requests <= FEW_REQUESTS ? FEW_MS : CROWD_MS
}
