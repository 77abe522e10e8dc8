import { randomUUID } from 'node:crypto'

export function newRequestId(): string {
  return randomUUID()
}

/** Echoes a caller's id if it is harmless in a header and a log line. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : newRequestId()
}
