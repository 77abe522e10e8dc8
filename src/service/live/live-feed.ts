import { ApiError } from '../../contract/api-error.ts'
import type { LiveEvent, LiveRequest } from '../../contract/live/live.ts'
import { type LiveCursor, readCursor, writeCursor } from '../../core/live/live-cursor.ts'
import { parseRef } from '../../core/objects/ref.ts'
import type { Database } from '../../store/database/database.ts'
import { type LogEnd, RETENTION_MICROS, readLogEnd } from '../../store/live/live-log.ts'
import { Channel } from './live-channel.ts'
import { Subscriber } from './live-subscriber.ts'
import { type LiveOptions, readPage } from './live-page.ts'

const LIVE_DEFAULTS: LiveOptions = {
  pollMs: 250,
  heartbeatMs: 10_000,
  pageRows: 1_000,
  maxQueuedEvents: 10_000,
  order: { delayMs: 0 },
}

const RESET_REASON =
  'the cursor is older than the log, which keeps one day; reload your data and continue from this cursor'

/** The live feeds of all projects that are followed in this process. */
export class LiveFeed {
  readonly #db: Database
  readonly #options: LiveOptions
  readonly #channels = new Map<string, { readonly channel: Channel; users: number }>()
  readonly #subscribers = new Set<Subscriber>()
  #isClosed = false

  constructor(db: Database, options: Partial<LiveOptions> = {}) {
    this.#db = db
    this.#options = { ...LIVE_DEFAULTS, ...options }
  }

  /**
   * Streams events until `return` is called, also while waiting. With `follow: false` it ends at the current end of
   * the log.
   */
  follow(request: LiveRequest): AsyncIterableIterator<LiveEvent> {
    if (this.#isClosed)
      throw new ApiError('unavailable', 'the server is shutting down; reconnect with your cursor')
    const subscriber = new Subscriber(eventFilter(request), this.#options.maxQueuedEvents)
    const events = this.#events(request, subscriber)
    this.#subscribers.add(subscriber)
    return {
      [Symbol.asyncIterator]() {
        return this
      },
      next: () => events.next(),
      return: async () => {
        subscriber.end()
        this.#subscribers.delete(subscriber)
        return events.return(undefined)
      },
    }
  }

  /** Ends every stream. Clients reconnect elsewhere with their cursors. */
  close(): void {
    this.#isClosed = true
    for (const subscriber of this.#subscribers) subscriber.end()
  }

  async *#events(request: LiveRequest, subscriber: Subscriber): AsyncGenerator<LiveEvent, undefined> {
    const { project_id } = request
    const channel = this.#openChannel(project_id)
    try {
      const { first, cursor: from } = await this.#start(request)
      yield first
      let cursor = from
      for (;;) {
        const { emittedPages } = channel
        const page = await readPage(this.#db, project_id, cursor, this.#options)
        for (const { event } of page.events) {
          if (subscriber.isEnded) return undefined
          if (subscriber.matches(event)) yield event
        }
        cursor = page.next
        // The channel emitted nothing since this page was read, so the client has everything and can subscribe.
        if (page.isLast && (request.follow === false || channel.emittedPages === emittedPages)) break
      }
      if (request.follow === false || subscriber.isEnded) return undefined
      channel.subscribe(subscriber, cursor)
      for (let events = await subscriber.take(); events !== undefined; events = await subscriber.take())
        for (const event of events) yield event
      return undefined
    } finally {
      channel.unsubscribe(subscriber)
      this.#closeChannel(project_id)
      this.#subscribers.delete(subscriber)
    }
  }

  /** Determines the start cursor and the first event. */
  async #start({ project_id, cursor }: LiveRequest): Promise<{ first: LiveEvent; cursor: LiveCursor }> {
    const frontier = await readLogEnd(this.#db, project_id, this.#options.order)
    const given = typeof cursor === 'string' ? readCursor(cursor) : undefined
    if (given !== undefined && given.at >= frontier.now - RETENTION_MICROS)
      return { first: { kind: 'ready', cursor: writeCursor(given) }, cursor: given }
    const end = frontierCursor(frontier)
    const first: LiveEvent =
      given === undefined
        ? { kind: 'ready', cursor: writeCursor(end) }
        : { kind: 'reset', cursor: writeCursor(end), reason: RESET_REASON }
    return { first, cursor: end }
  }

  /** A channel exists only while it has users, so a project without followers costs nothing. */
  #openChannel(project_id: string): Channel {
    const entry = this.#channels.get(project_id) ?? {
      channel: new Channel(this.#db, project_id, this.#options),
      users: 0,
    }
    entry.users++
    this.#channels.set(project_id, entry)
    return entry.channel
  }

  #closeChannel(project_id: string): void {
    const entry = this.#channels.get(project_id)
    if (entry !== undefined && --entry.users === 0) this.#channels.delete(project_id)
  }
}

function frontierCursor({ now, last }: LogEnd): LiveCursor {
  return last === undefined
    ? { at: now, block: 0, offset: 0, step: 0 }
    : { at: now, block: last.block, offset: last.offset + 1, step: 0 }
}

function eventFilter({ kinds, trace_id, op_name }: LiveRequest): (event: LiveEvent) => boolean {
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
