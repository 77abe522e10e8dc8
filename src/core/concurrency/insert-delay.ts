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
  /** Requests and rows of the previous insert. */
  readonly previousRequests: number
  readonly previousRows: number
  /** How long it took. */
  readonly previousMs: number
  /** Time since the last request arrived, or since the last was acknowledged. */
  readonly quietMs: number
}

/** Size of a full insert; larger ones were not faster. */
const FULL_ROWS = 9_000
const FULL_BYTES = 30 * 1024 * 1024

/** Few requests: a client that sends its next request after each response must not wait for others. */
const FEW_REQUESTS = 8

/** Many small requests: a few parts per second instead of hundreds. Enough rows for an insert wait only a little. */
const SMALL_REQUEST_ROWS = 10
const MANY_REQUESTS_MS = 180
const ENOUGH_ROWS = 400
const ENOUGH_ROWS_MS = 40

/**
 * Batches of several clients: the next insert waits as long as the previous one took, so half of the time is left to
 * merges. Inserts grow with the load and become small again when it falls. Below full load they wait less, so that
 * requests take a fraction of a second.
 */
const BATCHES_ROWS = 150
const BATCHES_MS = 60

/** Full load: the clients that the previous insert acknowledged send again; if nothing happens for a moment, all have. */
const LOADED_ROWS = 3_000
const LOADED_MS = 1_000
const QUIET_MS = 40

/** Milliseconds until the next insert should start; 0 if it should start now, infinite if after the present one. */
export function insertDelayMs(pending: PendingInsert): number {
  if (pending.isInserting) return Number.POSITIVE_INFINITY
  if (pending.rows >= FULL_ROWS || pending.bytes >= FULL_BYTES) return 0
  return Math.max(0, waitMs(pending))
}

function waitMs(pending: PendingInsert): number {
  const { requests, rows, sinceInsertMs, previousRequests, previousRows, previousMs, quietMs } = pending
  const pauseMs = (maxMs: number): number => Math.min(maxMs, previousMs) - sinceInsertMs
  if (previousRows >= LOADED_ROWS) return Math.min(pauseMs(LOADED_MS), QUIET_MS - quietMs)
  if (requests > FEW_REQUESTS && rows < requests * SMALL_REQUEST_ROWS)
    return (rows < ENOUGH_ROWS ? MANY_REQUESTS_MS : ENOUGH_ROWS_MS) - sinceInsertMs
  const areShared = requests > 1 || previousRequests > 1
  const areBatches = areShared && Math.max(rows, previousRows) >= BATCHES_ROWS
  return areBatches ? pauseMs(BATCHES_MS) : 0
}
