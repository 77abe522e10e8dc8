import { ApiError } from '../contract/api-error.ts'
import { Backoff } from '../core/concurrency/backoff.ts'
import type { Client } from './client.ts'

/** Retries requests of the API client. */

/** Error codes for which a retry may succeed. All others are final. */
const RETRYABLE_CODES: ReadonlySet<string> = new Set([
  'rate_limited',
  'internal',
  'unavailable',
  'storage_full',
  'timeout',
])
const BACKOFF = { firstMs: 500, maxMs: 30_000 }

/** Whether the request may succeed when it is sent again. */
export function isRetryable(error: unknown): error is ApiError {
  return error instanceof ApiError && RETRYABLE_CODES.has(error.code)
}

/** How `withRetries` waits and when it gives up. */
export interface RetryOptions {
  /** Total time in which one request is retried. */
  readonly windowMs: number
  readonly wait: (ms: number) => Promise<void>
  /** Called after each failed attempt that will be retried. */
  readonly onRetry?: (error: ApiError) => void
}

/** Runs `work` until it succeeds or the retry window ends. Only for idempotent work. */
export async function withRetries<T>(options: RetryOptions, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const backoff = new Backoff(BACKOFF)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error)) throw error
      const delayMs = Math.max(backoff.nextMs(), (error.retryAfterSeconds ?? 0) * 1000)
      if (performance.now() - start + delayMs > options.windowMs) throw error
      options.onRetry?.(error)
      await options.wait(delayMs)
    }
  }
}

/** A client that retries its requests. A stream that breaks off later is not retried; the reader must start again. */
export function retryingClient(client: Client, options: RetryOptions): Client {
  return {
    call: (name, request, signal) => withRetries(options, () => client.call(name, request, signal)),
    document: (name, request) => withRetries(options, () => client.document(name, request)),
  }
}
