import type { Micros } from '../time/time.ts'

/**
 * Positions and cursors of the live log. A cursor identifies the next event to send, so that a client that is
 * disconnected between two events of one row misses neither.
 */
export interface LivePosition {
  /** ClickHouse's block number of the insert. Blocks become visible in this order. */
  readonly block: number
  /** Offset of the row within its block. */
  readonly offset: number
}

export interface LiveCursor extends LivePosition {
  /** Number of events of this row that were already sent. */
  readonly step: number
  /** Insert time by ClickHouse's clock; bounds the scan of a reader. */
  readonly at: Micros
}

export function writeCursor({ at, block, offset, step }: LiveCursor): string {
  return [at, block, offset, step].join('.')
}

/** Between the cursors of shards in the cursor of a stream. */
export const SHARD_SEPARATOR = '_'

/** The cursor of a stream has that of each shard's log, in their order. On a single server there is one. */
export function readStreamCursor(text: string): LiveCursor[] {
  return text.split(SHARD_SEPARATOR).map(readCursor)
}

/** The contract has validated the format. */
export function readCursor(text: string): LiveCursor {
  const [at = '0', block = '0', offset = '0', step = '0'] = text.split('.')
  return { at: BigInt(at), block: Number(block), offset: Number(offset), step: Number(step) }
}

export function isBefore(a: LivePosition, b: LivePosition): boolean {
  return a.block < b.block || (a.block === b.block && a.offset < b.offset)
}
