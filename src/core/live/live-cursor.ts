import type { Micros } from '../time/time.ts'

/**
 * A place in the log of what was stored, and how far the events of the row there have been told. A cursor names the
 * next thing to tell, so that a client that is cut between two events of one row misses neither.
 */
export interface LivePosition {
  /** The number the engine gave to the insert's block; in the order in which they became visible. */
  readonly block: number
  /** Of the row within its block. */
  readonly offset: number
}

export interface LiveCursor extends LivePosition {
  /** Events of the row at this position that have been told already. */
  readonly step: number
  /** When that was, by the engine's clock: how far back a reader has to look. */
  readonly at: Micros
}

export function writeCursor({ at, block, offset, step }: LiveCursor): string {
  return [at, block, offset, step].join('.')
}

/** The contract has checked its form. */
export function readCursor(text: string): LiveCursor {
  const [at = '0', block = '0', offset = '0', step = '0'] = text.split('.')
  return { at: BigInt(at), block: Number(block), offset: Number(offset), step: Number(step) }
}

export function isBefore(a: LivePosition, b: LivePosition): boolean {
  return a.block < b.block || (a.block === b.block && a.offset < b.offset)
}
