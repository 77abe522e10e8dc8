import { setTimeout as sleep } from 'node:timers/promises'
import { Backoff } from '../../core/concurrency/backoff.ts'
import { Semaphore } from '../../core/concurrency/semaphore.ts'
import { isTransient, SilentServerError, toApiError, unavailableError } from './clickhouse-error.ts'

export interface RetryOptions {
  /** How long a statement is retried before the caller gets 503. */
  readonly retryWindowMs: number
  /** Whether ClickHouse responds at all; called when a statement gets no response for long. */
  readonly isResponding: () => Promise<boolean>
  /** Other servers with the same data; undefined if there is only one. */
  readonly alternatives?: Alternatives | undefined
}

interface Alternatives {
  /** Awaited before the first attempt of each statement. */
  readonly chooseFirst: () => Promise<void>
  /** Chooses the server of the next attempt. */
  readonly choose: () => Promise<unknown>
  /** How long an attempt may stay without a response before the server is pinged. */
  readonly silenceMs: number
}

/**
 * Maximum concurrent retries. After an outage, thousands of waiting statements would otherwise reach ClickHouse at
 * once, while it is still loading its parts.
 */
const MAX_CONCURRENT_RETRIES = 8

/** Jitter, so that many nodes do not retry in step. */
const BACKOFF = { firstMs: 50, maxMs: 2_000, jitter: 0.5 }

/** How often a silent ClickHouse is pinged. */
const PING_INTERVAL_MS = 2_000

/**
 * Retries statements while ClickHouse is unavailable. SDKs drop an eager start or end after three quick failures, so a
 * short outage must not reach them. Unavailable means that it refuses or breaks connections, or responds neither to the
 * statement nor to a ping, as when its machine hangs. A slow statement is left to its own limits while pings succeed.
 */
export class RetryPolicy {
  /** Attempts after the first one of a statement. */
  retryCount = 0
  readonly #options: RetryOptions
  readonly #retries = new Semaphore({
    permits: MAX_CONCURRENT_RETRIES,
    rejection: () => unavailableError(new Error('no retry slot became free within the retry window')),
  })

  constructor(options: RetryOptions) {
    this.#options = options
  }

  /** `beforeRetry` may throw, which ends the attempts. */
  async run<T>(
    attempt: (signal: AbortSignal) => Promise<T>,
    caller?: AbortSignal,
    beforeRetry?: () => Promise<void>,
  ): Promise<T> {
    const deadline = performance.now() + this.#options.retryWindowMs
    const bounded = (): Promise<T> => this.#attempt(attempt, deadline, caller)
    const backoff = new Backoff(BACKOFF)
    await this.#options.alternatives?.chooseFirst()
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await (isFirst ? bounded() : this.#retries.run(bounded, deadline))
      } catch (error) {
        // The caller is gone and needs no other attempt.
        if (caller?.aborted === true) throw error
        const delayMs = backoff.nextMs()
        if (!isTransient(error) || performance.now() + delayMs > deadline) throw toApiError(error)
        await sleep(delayMs)
        await beforeRetry?.()
        await this.#options.alternatives?.choose()
        this.retryCount++
      }
    }
  }

  /**
   * Aborts an attempt once the retry window is over, or earlier if there are other servers, and ClickHouse does not respond
   * to a ping either.
   */
  async #attempt<T>(
    attempt: (signal: AbortSignal) => Promise<T>,
    deadline: number,
    caller: AbortSignal | undefined,
  ): Promise<T> {
    const givingUp = new AbortController()
    const signal = caller === undefined ? givingUp.signal : AbortSignal.any([caller, givingUp.signal])
    const silenceMs = this.#options.alternatives?.silenceMs ?? Number.POSITIVE_INFINITY
    const watch = async (): Promise<void> => {
      const firstMs = Math.min(silenceMs, Math.max(0, deadline - performance.now()))
      for (let wait = firstMs; ; wait = PING_INTERVAL_MS) {
        await sleep(wait, undefined, { signal: watching.signal, ref: false })
        if (!(await this.#options.isResponding())) break
      }
      givingUp.abort()
    }
    // The client ignores signals that are already aborted.
    caller?.throwIfAborted()
    const watching = new AbortController()
    watch().catch(() => {})
    try {
      return await attempt(signal)
    } catch (error) {
      if (!givingUp.signal.aborted) throw error
      throw this.#options.alternatives === undefined ? unavailableError(error) : new SilentServerError(error)
    } finally {
      watching.abort()
    }
  }
}
