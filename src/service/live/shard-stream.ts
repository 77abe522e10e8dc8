import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '../../contract/api-error.ts'
import { readCursor } from '../../core/live/live-cursor.ts'
import type { EventBatch, EventBatches } from './live-subscriber.ts'
import type { LogFeed, LogRequest } from './log-feed.ts'

export type ShardRequest = Omit<LogRequest, 'cursor' | 'onEnd'>
export type ShardLog = Pick<LogFeed, 'follow'>

/** One shard's part of a client's live stream (merged-stream.ts). */
export class ShardStream {
  /** Up to where the client has events of this shard. Undefined: the stream starts at the present end of the log. */
  cursor: string | undefined
  /** Whether to wait for a shard that does not respond, and to continue at the cursor. */
  isPersistent = false
  readonly #log: ShardLog
  readonly #request: ShardRequest
  readonly #retryMs: number
  readonly #ending = new AbortController()
  #events: EventBatches | undefined

  constructor(log: ShardLog, request: ShardRequest, cursor: string | undefined, retryMs: number) {
    this.#log = log
    this.#request = request
    this.cursor = cursor
    this.#retryMs = retryMs
  }

  async next(): Promise<IteratorResult<EventBatch, undefined>> {
    for (;;) {
      const isFirst = this.#events === undefined
      const from = this.cursor
      try {
        this.#events ??= this.#follow(from)
        const next = await this.#events.next()
        // The client's stream began without this shard: where its log ends by now is too late.
        if (!isFirst || from === this.cursor) return next
        this.#close()
      } catch (error) {
        this.#events = undefined
        if (!this.isPersistent || !(error instanceof ApiError)) throw error
        await wait(this.#retryMs, undefined, { signal: this.#ending.signal })
      }
    }
  }

  end(): void {
    this.#ending.abort()
    this.#close()
  }

  #follow(cursor: string | undefined): EventBatches {
    return this.#log.follow({
      ...this.#request,
      cursor: cursor === undefined ? undefined : readCursor(cursor),
    })
  }

  /** Without waiting for a statement that may still run. */
  #close(): void {
    this.#events?.return?.().catch(() => {})
    this.#events = undefined
  }
}
