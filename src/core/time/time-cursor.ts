import type { Micros } from './time.ts'

/** Where a page in the order of time ended: `1794715200000000.an-id`, or without an id before everything of that time. */
export interface TimeCursor {
  readonly at: Micros
  readonly id: string
}

export function writeTimeCursor({ at, id }: TimeCursor): string {
  return `${at}.${id}`
}

/** The contract has checked its shape. */
export function readTimeCursor(text: string): TimeCursor {
  const dot = text.indexOf('.')
  return { at: BigInt(text.slice(0, dot)), id: text.slice(dot + 1) }
}
