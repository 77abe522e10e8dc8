import { ApiError } from '../../contract/api-error.ts'
import type { LiveEvent, LiveRequest } from '../../contract/live/live.ts'
import { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import { ConcurrencyLimiter, type ConcurrencyLimits } from '../../core/concurrency/concurrency-limiter.ts'
import { readStreamCursor } from '../../core/live/live-cursor.ts'
import type { Database } from '../../store/database/database.ts'
import { eventFilter } from './event-filter.ts'
import type { LiveOptions } from './live-page.ts'
import { LogFeed, RETRY_AFTER_SECONDS } from './log-feed.ts'
import { MergedStream } from './merged-stream.ts'

const LIVE_DEFAULTS: LiveOptions = {
  pollMs: 250,
  heartbeatMs: 10_000,
  pageRows: 1_000,
  pollRows: 4_000,
  maxQueuedEvents: 10_000,
  maxStreamsPerUser: 100,
  order: { delayMs: 0 },
}

/** The live feeds of all projects that are followed in this process. Each shard has a log of its own. */
export class LiveFeed {
  readonly #options: LiveOptions
  readonly #logs: readonly LogFeed[]
  readonly #merged = new Set<MergedStream>()
  readonly #streams: ConcurrencyLimiter
  #isClosed = false

  constructor(db: Database, options: Partial<LiveOptions> = {}) {
    this.#options = { ...LIVE_DEFAULTS, ...options }
    this.#logs = db.shards.map((shard) => new LogFeed(shard, this.#options))
    this.#streams = new ConcurrencyLimiter(streamLimits(this.#options), () => tooManyStreams(this.#options))
  }

  /** Open streams. */
  get streams(): number {
    return this.#streams.held
  }

  /**
   * Streams events until `return` is called, also while waiting. With `follow: false` it ends at the current end of
   * the log.
   */
  follow(request: LiveRequest, user_id: string): BatchedStream<LiveEvent> {
    if (this.#isClosed)
      throw new ApiError('unavailable', 'the server is shutting down; reconnect with your cursor')
    const { project_id, cursor } = request
    const cursors = typeof cursor === 'string' ? readStreamCursor(cursor) : []
    const release = this.#streams.acquireNow({ user_id })
    const stream = { project_id, user_id, follow: request.follow !== false, filter: eventFilter(request) }
    const [log, ...others] = this.#logs
    if (log !== undefined && others.length === 0)
      return new BatchedStream(log.follow({ ...stream, cursor: cursors[0], onEnd: release }))
    const merged = new MergedStream(this.#logs, stream, cursors, this.#options, () => {
      this.#merged.delete(merged)
      release()
    })
    this.#merged.add(merged)
    return new BatchedStream(merged)
  }

  /** Ends every stream. Clients reconnect elsewhere with their cursors. */
  close(): void {
    this.#isClosed = true
    for (const log of this.#logs) log.close()
    for (const merged of this.#merged) merged.end()
  }
}

function streamLimits({ maxStreamsPerUser }: LiveOptions): ConcurrencyLimits {
  const unlimited = Number.POSITIVE_INFINITY
  return {
    maxConcurrent: unlimited,
    maxPerUser: maxStreamsPerUser,
    maxPerProject: unlimited,
    maxWaitingPerUser: 0,
    waitMs: 0,
  }
}

function tooManyStreams({ maxStreamsPerUser }: LiveOptions): ApiError {
  const reason = `${maxStreamsPerUser} live streams of this user are open, the limit; close some and try again`
  return new ApiError('rate_limited', reason, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
