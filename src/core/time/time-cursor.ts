import type { Micros } from './time.ts'

/**
 * Cursor of a list ordered by time and id: `1794715200000000.an-id`. Without an id it precedes every row of that
 * time.
 */
export interface TimeCursor {
  readonly at: Micros
  readonly id: string
}

export function writeTimeCursor({ at, id }: TimeCursor): string {
  return `${at}.${id}`
}

/** The contract has validated the format. */
export function readTimeCursor(text: string): TimeCursor {
  const dot = text.indexOf('.')
  return { at: BigInt(text.slice(0, dot)), id: text.slice(dot + 1) }
}
