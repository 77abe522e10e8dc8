import { ApiError } from '../contract/api-error.ts'
import type { Client } from './client.ts'

/** What may succeed when it is sent again; everything else is the caller's to hear. */
const PASSING: ReadonlySet<string> = new Set([
  'rate_limited',
  'internal',
  'unavailable',
  'storage_full',
  'timeout',
])
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

export function isPassing(error: unknown): error is ApiError {
  return error instanceof ApiError && PASSING.has(error.code)
}

export interface Patience {
  /** How long one request may be tried in all. */
  readonly limitMs: number
  readonly wait: (ms: number) => Promise<void>
  /** Told of each try that failed. */
  readonly onTrouble?: (problem: ApiError) => void
}

/** Tries until it succeeds or the patience ends. Only for work that may be done twice. */
export async function patiently<T>(patience: Patience, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error)) throw error
      const pause = Math.max(wait, (error.retryAfterSeconds ?? 0) * 1000)
      if (performance.now() - began + pause > patience.limitMs) throw error
      patience.onTrouble?.(error)
      await patience.wait(pause)
    }
  }
}

/** A client each of whose requests is tried again; a stream that breaks off is the reader's to begin anew. */
export function patientClient(client: Client, patience: Patience): Client {
  return {
    call: (name, request, signal) => patiently(patience, () => client.call(name, request, signal)),
    document: (name, request) => patiently(patience, () => client.document(name, request)),
  }
}
