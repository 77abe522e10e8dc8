import { setTimeout as sleep } from 'node:timers/promises'
import { awayProblem, toApiError, isPassing } from './clickhouse-error.ts'

export interface RetryOptions {
  /** How long a statement is held before its caller hears 503. */
  readonly retryWindowMs: number
  /** Whether the engine answers at all, asked when a statement hears nothing for long. */
  readonly isAnswering: () => Promise<boolean>
}

/**
 * Statements that failed are tried again this many at a time. After an outage the thousands that waited would
 * otherwise reach the engine together, while it is loading its parts.
 */
const TRIED_AGAIN_AT_ONCE = 8

/** How often an engine that says nothing is asked whether it is there. */
const ASK_EVERY_MS = 2_000

/**
 * Tries again while the engine is away: SDKs drop an eager start or end after three quick failures, so a short
 * outage must not reach them. Away is one that refuses connections, breaks them, or neither answers a statement nor
 * a ping, as when its machine hangs. A slow statement on an engine that answers pings is left to its own limits.
 */
export class RetryPolicy {
  readonly #options: RetryOptions
  #trying = 0
  readonly #waiting: (() => void)[] = []

  constructor(options: RetryOptions) {
    this.#options = options
  }

  async run<T>(attempt: (signal: AbortSignal) => Promise<T>, leaving?: AbortSignal): Promise<T> {
    const deadline = performance.now() + this.#options.retryWindowMs
    const watched = (): Promise<T> => this.#watched(attempt, deadline, leaving)
    for (let wait = 50, isFirst = true; ; wait = Math.min(wait * 2, 2_000), isFirst = false) {
      try {
        return await (isFirst ? watched() : this.#inTurn(watched, deadline))
      } catch (error) {
        // Whoever left wants no other attempt.
        if (leaving?.aborted === true) throw error
        if (!isPassing(error) || performance.now() + wait > deadline) throw toApiError(error)
        // Jitter, so that many nodes do not come back in step.
        await sleep(wait * (0.5 + Math.random() / 2))
      }
    }
  }

  async #inTurn<T>(attempt: () => Promise<T>, deadline: number): Promise<T> {
    if (this.#trying >= TRIED_AGAIN_AT_ONCE) await this.#turn(deadline)
    else this.#trying++
    try {
      return await attempt()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#trying--
      else next()
    }
  }

  #turn(deadline: number): Promise<void> {
    return new Promise((go, giveUp) => {
      const turn = (): void => {
        clearTimeout(timer)
        go()
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1)
        giveUp(awayProblem(new Error('others were still being tried again')))
      }, deadline - performance.now())
      this.#waiting.push(turn)
    })
  }

  /** Gives an attempt up when its time is over and the engine does not even answer a ping. */
  async #watched<T>(
    attempt: (signal: AbortSignal) => Promise<T>,
    deadline: number,
    leaving: AbortSignal | undefined,
  ): Promise<T> {
    const givingUp = new AbortController()
    const signal = leaving === undefined ? givingUp.signal : AbortSignal.any([leaving, givingUp.signal])
    const watch = async (): Promise<void> => {
      for (let wait = Math.max(0, deadline - performance.now()); ; wait = ASK_EVERY_MS) {
        await sleep(wait, undefined, { signal: watching.signal, ref: false })
        if (!(await this.#options.isAnswering())) break
      }
      givingUp.abort()
    }
    // The client only hears of what happens from now on.
    leaving?.throwIfAborted()
    const watching = new AbortController()
    watch().catch(() => {})
    try {
      return await attempt(signal)
    } catch (error) {
      throw givingUp.signal.aborted ? awayProblem(error) : error
    } finally {
      watching.abort()
    }
  }
}
