import { ApiError } from '../../contract/api-error.ts'
import type { LiveEvent } from '../../contract/live/live.ts'
import { ConcurrencyLimiter } from '../../core/concurrency/concurrency-limiter.ts'
import { type LiveCursor, writeCursor } from '../../core/live/live-cursor.ts'
import type { Database } from '../../store/database/database.ts'
import { type LogEnd, RETENTION_MICROS } from '../../store/live/live-log.ts'
import { Channel } from './live-channel.ts'
import { type LiveOptions, type LivePage, readPages } from './live-page.ts'
import { LivePoller } from './live-poller.ts'
import { type EventBatch, type EventBatches, type EventFilter, Subscriber } from './live-subscriber.ts'
import { LogEnds } from './log-ends.ts'

/** Concurrent pages of streams that resume. Others wait, round robin over users; `maxStreamsPerUser` bounds them. */
const CATCH_UP_LIMITS = {
  maxConcurrent: 4,
  maxPerUser: 2,
  maxPerProject: Number.POSITIVE_INFINITY,
  maxWaitingPerUser: Number.POSITIVE_INFINITY,
  waitMs: 60_000,
}

export const RETRY_AFTER_SECONDS = 10

const RESET_REASON =
  'the cursor is older than the log, which keeps one day; reload your data and continue from this cursor'

/** What a client follows in the log. */
export interface LogRequest {
  readonly project_id: string
  readonly user_id: string
  /** Undefined: from the current end of the log. */
  readonly cursor: LiveCursor | undefined
  /** Whether to wait for further events at the end of the log. */
  readonly follow: boolean
  readonly filter: EventFilter | undefined
  /** Called when the stream has ended. */
  readonly onEnd?: () => void
}

/** The live feeds of all projects that are followed in this process, from the log of one shard. */
export class LogFeed {
  readonly #db: Database
  readonly #options: LiveOptions
  readonly #channels = new Map<string, { readonly channel: Channel; users: number }>()
  readonly #subscribers = new Set<Subscriber>()
  readonly #ends: LogEnds
  readonly #poller: LivePoller
  readonly #catchUps = new ConcurrencyLimiter(CATCH_UP_LIMITS, catchUpTimeout)

  constructor(db: Database, options: LiveOptions) {
    this.#db = db
    this.#options = options
    this.#ends = new LogEnds(db, options.order)
    this.#poller = new LivePoller(db, this.#ends, options, () => this.#openChannels())
  }

  /** Events until `return` is called, also while waiting. The first one is `ready` or `reset`. */
  follow(request: LogRequest): EventBatches {
    const subscriber = new Subscriber(request.filter, this.#options.maxQueuedEvents)
    const events = this.#events(request, subscriber)
    this.#subscribers.add(subscriber)
    const batches: EventBatches = {
      [Symbol.asyncIterator]: () => batches,
      next: () => events.next(),
      return: async () => {
        subscriber.end()
        this.#subscribers.delete(subscriber)
        try {
          return await events.return(undefined)
        } finally {
          request.onEnd?.()
        }
      },
    }
    return batches
  }

  /** Ends every stream. */
  close(): void {
    for (const subscriber of this.#subscribers) subscriber.end()
  }

  async *#events(request: LogRequest, subscriber: Subscriber): AsyncGenerator<EventBatch, undefined> {
    const { follow } = request
    const channel = this.#openChannel(request.project_id)
    try {
      const { emittedPages } = channel
      const { first, cursor: from, isEnd } = await this.#start(request)
      yield [first]
      let cursor = from
      // The channel emitted nothing since the position was read, so the client has everything and can subscribe.
      let isCaughtUp = isEnd && (!follow || channel.emittedPages === emittedPages)
      while (!isCaughtUp) {
        const { emittedPages: emittedBefore } = channel
        const page = await this.#readPage(request, cursor)
        if (subscriber.isEnded) return undefined
        yield subscriber.select(page.events)
        cursor = page.next
        isCaughtUp = page.isLast && (!follow || channel.emittedPages === emittedBefore)
      }
      if (!follow || subscriber.isEnded) return undefined
      channel.subscribe(subscriber, cursor)
      this.#poller.start()
      for (let events = await subscriber.take(); events !== undefined; events = await subscriber.take())
        yield events
      return undefined
    } finally {
      channel.unsubscribe(subscriber)
      this.#closeChannel(request.project_id)
      this.#subscribers.delete(subscriber)
      request.onEnd?.()
    }
  }

  /** Reads a page for one stream that is not caught up. */
  async #readPage({ project_id, user_id }: LogRequest, cursor: LiveCursor): Promise<LivePage> {
    const { pageRows, order } = this.#options
    const release = await this.#catchUps.acquire({ user_id })
    try {
      const pageOf = await readPages(this.#db, [{ project_id, cursor }], pageRows, order)
      return pageOf({ project_id, cursor })
    } finally {
      release()
    }
  }

  /** Determines the start cursor and the first event. */
  async #start({ project_id, cursor: given }: LogRequest): Promise<StreamStart> {
    const frontier = await this.#ends.read(project_id)
    if (given !== undefined && given.at >= frontier.now - RETENTION_MICROS)
      return { first: { kind: 'ready', cursor: writeCursor(given) }, cursor: given, isEnd: false }
    const end = frontierCursor(frontier)
    const first: LiveEvent =
      given === undefined
        ? { kind: 'ready', cursor: writeCursor(end) }
        : { kind: 'reset', cursor: writeCursor(end), reason: RESET_REASON }
    return { first, cursor: end, isEnd: true }
  }

  /** A channel exists only while it has users, so a project without followers costs nothing. */
  #openChannel(project_id: string): Channel {
    const entry = this.#channels.get(project_id) ?? {
      channel: new Channel(project_id),
      users: 0,
    }
    entry.users++
    this.#channels.set(project_id, entry)
    return entry.channel
  }

  *#openChannels(): Generator<Channel> {
    for (const { channel } of this.#channels.values()) yield channel
  }

  #closeChannel(project_id: string): void {
    const entry = this.#channels.get(project_id)
    if (entry !== undefined && --entry.users === 0) this.#channels.delete(project_id)
  }
}

interface StreamStart {
  readonly first: LiveEvent
  readonly cursor: LiveCursor
  /** The cursor is the current end of the log. */
  readonly isEnd: boolean
}

function catchUpTimeout(): ApiError {
  const reason = 'the server is busy with other live streams; reconnect with your cursor'
  return new ApiError('unavailable', reason, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}

function frontierCursor({ now, last }: LogEnd): LiveCursor {
  return last === undefined
    ? { at: now, block: 0, offset: 0, step: 0 }
    : { at: now, block: last.block, offset: last.offset + 1, step: 0 }
}
