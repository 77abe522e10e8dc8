import { randomUUID } from 'node:crypto'

export function newRequestId(): string {
  return randomUUID()
}

/** Reuses the client's X-Request-Id if it is safe in a header and a log line. */
export function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : newRequestId()
}
