import { ApiError } from '../../contract/api-error.ts'
import type { LiveEvent, LiveRequest } from '../../contract/live/live.ts'
import { type LiveCursor, readCursor, writeCursor } from '../../core/live/live-cursor.ts'
import { parseRef } from '../../core/objects/ref.ts'
import { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import { ConcurrencyLimiter, type ConcurrencyLimits } from '../../core/concurrency/concurrency-limiter.ts'
import type { Database } from '../../store/database/database.ts'
import { type LogEnd, RETENTION_MICROS } from '../../store/live/live-log.ts'
import { Channel } from './live-channel.ts'
import { type LiveOptions, type LivePage, readPages } from './live-page.ts'
import { LivePoller } from './live-poller.ts'
import { type EventBatch, type EventFilter, Subscriber } from './live-subscriber.ts'
import { LogEnds } from './log-ends.ts'

const LIVE_DEFAULTS: LiveOptions = {
  pollMs: 250,
  heartbeatMs: 10_000,
  pageRows: 1_000,
  pollRows: 4_000,
  maxQueuedEvents: 10_000,
  maxStreamsPerUser: 100,
  order: { delayMs: 0 },
}

/** Concurrent pages of streams that resume. Others wait, round robin over users; `maxStreamsPerUser` bounds them. */
const CATCH_UP_LIMITS = {
  maxConcurrent: 4,
  maxPerUser: 2,
  maxPerProject: Number.POSITIVE_INFINITY,
  maxWaitingPerUser: Number.POSITIVE_INFINITY,
  waitMs: 60_000,
}

const RETRY_AFTER_SECONDS = 10

const RESET_REASON =
  'the cursor is older than the log, which keeps one day; reload your data and continue from this cursor'

/** The live feeds of all projects that are followed in this process. */
export class LiveFeed {
  readonly #db: Database
  readonly #options: LiveOptions
  readonly #channels = new Map<string, { readonly channel: Channel; users: number }>()
  readonly #subscribers = new Set<Subscriber>()
  readonly #ends: LogEnds
  readonly #poller: LivePoller
  readonly #streams: ConcurrencyLimiter
  readonly #catchUps = new ConcurrencyLimiter(CATCH_UP_LIMITS, catchUpTimeout)
  #isClosed = false

  constructor(db: Database, options: Partial<LiveOptions> = {}) {
    this.#db = db
    this.#options = { ...LIVE_DEFAULTS, ...options }
    this.#ends = new LogEnds(db, this.#options.order)
    this.#poller = new LivePoller(db, this.#ends, this.#options, () => this.#openChannels())
    this.#streams = new ConcurrencyLimiter(streamLimits(this.#options), () => tooManyStreams(this.#options))
  }

  /**
   * Streams events until `return` is called, also while waiting. With `follow: false` it ends at the current end of
   * the log.
   */
  follow(request: LiveRequest, user_id: string): BatchedStream<LiveEvent> {
    if (this.#isClosed)
      throw new ApiError('unavailable', 'the server is shutting down; reconnect with your cursor')
    const release = this.#streams.acquireNow({ user_id })
    const subscriber = new Subscriber(eventFilter(request), this.#options.maxQueuedEvents)
    const events = this.#events({ request, user_id, subscriber, release })
    this.#subscribers.add(subscriber)
    const batches: AsyncIterableIterator<EventBatch> = {
      [Symbol.asyncIterator]: () => batches,
      next: () => events.next(),
      return: async () => {
        subscriber.end()
        this.#subscribers.delete(subscriber)
        try {
          return await events.return(undefined)
        } finally {
          release()
        }
      },
    }
    return new BatchedStream(batches)
  }

  /** Ends every stream. Clients reconnect elsewhere with their cursors. */
  close(): void {
    this.#isClosed = true
    for (const subscriber of this.#subscribers) subscriber.end()
  }

  async *#events(stream: Stream): AsyncGenerator<EventBatch, undefined> {
    const { request, subscriber, release } = stream
    const channel = this.#openChannel(request.project_id)
    try {
      const { emittedPages } = channel
      const { first, cursor: from, isEnd } = await this.#start(request)
      yield [first]
      let cursor = from
      // The channel emitted nothing since the position was read, so the client has everything and can subscribe.
      let isCaughtUp = isEnd && (request.follow === false || channel.emittedPages === emittedPages)
      while (!isCaughtUp) {
        const { emittedPages: emittedBefore } = channel
        const page = await this.#readPage(stream, cursor)
        if (subscriber.isEnded) return undefined
        yield subscriber.select(page.events)
        cursor = page.next
        isCaughtUp = page.isLast && (request.follow === false || channel.emittedPages === emittedBefore)
      }
      if (request.follow === false || subscriber.isEnded) return undefined
      channel.subscribe(subscriber, cursor)
      this.#poller.start()
      for (let events = await subscriber.take(); events !== undefined; events = await subscriber.take())
        yield events
      return undefined
    } finally {
      channel.unsubscribe(subscriber)
      this.#closeChannel(request.project_id)
      this.#subscribers.delete(subscriber)
      release()
    }
  }

  /** Reads a page for one stream that is not caught up. */
  async #readPage({ request, user_id }: Stream, cursor: LiveCursor): Promise<LivePage> {
    const { pageRows, order } = this.#options
    const { project_id } = request
    const release = await this.#catchUps.acquire({ user_id })
    try {
      const pageOf = await readPages(this.#db, [{ project_id, cursor }], pageRows, order)
      return pageOf({ project_id, cursor })
    } finally {
      release()
    }
  }

  /** Determines the start cursor and the first event. */
  async #start({ project_id, cursor }: LiveRequest): Promise<StreamStart> {
    const frontier = await this.#ends.read(project_id)
    const given = typeof cursor === 'string' ? readCursor(cursor) : undefined
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

interface Stream {
  readonly request: LiveRequest
  readonly user_id: string
  readonly subscriber: Subscriber
  /** Gives back the user's stream. */
  readonly release: () => void
}

interface StreamStart {
  readonly first: LiveEvent
  readonly cursor: LiveCursor
  /** The cursor is the current end of the log. */
  readonly isEnd: boolean
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

function catchUpTimeout(): ApiError {
  const reason = 'the server is busy with other live streams; reconnect with your cursor'
  return new ApiError('unavailable', reason, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}

function frontierCursor({ now, last }: LogEnd): LiveCursor {
  return last === undefined
    ? { at: now, block: 0, offset: 0, step: 0 }
    : { at: now, block: last.block, offset: last.offset + 1, step: 0 }
}

/** Undefined if the request selects all events. */
function eventFilter({ kinds, trace_id, op_name }: LiveRequest): EventFilter | undefined {
  if (!kinds && typeof trace_id !== 'string' && typeof op_name !== 'string') return undefined
  const wantedKinds: ReadonlySet<string> | undefined = kinds ? new Set(kinds) : undefined
  return (event) => {
    if (wantedKinds !== undefined && !wantedKinds.has(event.kind)) return false
    if (!('op_name' in event)) return true
    if (typeof trace_id === 'string' && event.trace_id !== trace_id) return false
    return typeof op_name !== 'string' || event.op_name === op_name || opShortName(event.op_name) === op_name
  }
}

function opShortName(op_name: string): string | undefined {
  const ref = parseRef(op_name)
  return ref?.kind === 'op' ? ref.name : undefined
}
