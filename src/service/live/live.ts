import type { LiveEvent, LiveRequest } from '../../contract/live/live.ts'
import { ApiError } from '../../contract/api-error.ts'
import { type LiveCursor, readCursor, writeCursor } from '../../core/live/live-cursor.ts'
import { parseRef } from '../../core/objects/ref.ts'
import type { Database } from '../../store/database/database.ts'
import { type Frontier, KEPT_MICROS, readFrontier } from '../../store/live/live-log.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { Channel, Listener } from './live-channel.ts'
import { type LiveOptions, readPage } from './live-page.ts'

/** The live feed of projects: docs/decisions/0009-live-feed.md. */

export function liveHandlers({ live }: Deps): Pick<Handlers, 'project_live'> {
  return { project_live: async (request) => live.follow(request) }
}

const LIVE_DEFAULTS: LiveOptions = {
  pollMs: 250,
  heartbeatMs: 10_000,
  pageRows: 1_000,
  maxWaiting: 10_000,
  order: { settleMs: 0 },
}

const RESET = 'the cursor is older than the day that is kept; read again what you show, and go on from here'

export class LiveFeed {
  readonly #db: Database
  readonly #options: LiveOptions
  readonly #channels = new Map<string, { readonly channel: Channel; users: number }>()
  readonly #listeners = new Set<Listener>()
  #isClosed = false

  constructor(db: Database, options: Partial<LiveOptions> = {}) {
    this.#db = db
    this.#options = { ...LIVE_DEFAULTS, ...options }
  }

  /** Endless, unless told otherwise; `return` ends it at once, also while it waits. */
  follow(request: LiveRequest): AsyncIterableIterator<LiveEvent> {
    if (this.#isClosed) throw new ApiError('unavailable', 'the server is shutting down; go on at another')
    const listener = new Listener(wantedBy(request), this.#options.maxWaiting)
    const events = this.#events(request, listener)
    this.#listeners.add(listener)
    return {
      [Symbol.asyncIterator]() {
        return this
      },
      next: () => events.next(),
      return: async () => {
        listener.end()
        this.#listeners.delete(listener)
        return events.return(undefined)
      },
    }
  }

  /** Ends every stream; their clients go on elsewhere with their cursors. */
  close(): void {
    this.#isClosed = true
    for (const listener of this.#listeners) listener.end()
  }

  async *#events(request: LiveRequest, listener: Listener): AsyncGenerator<LiveEvent, undefined> {
    const { project_id } = request
    const channel = this.#enter(project_id)
    try {
      const { first, cursor: from } = await this.#begin(request)
      yield first
      let cursor = from
      for (;;) {
        const { told: before } = channel
        const page = await readPage(this.#db, project_id, cursor, this.#options)
        for (const { event } of page.told) {
          if (listener.isEnded) return undefined
          if (listener.wants(event)) yield event
        }
        cursor = page.next
        // Nothing was handed out since this page was read, so it holds all that ever was: time to join.
        if (page.isLast && (request.follow === false || channel.told === before)) break
      }
      if (request.follow === false || listener.isEnded) return undefined
      channel.join(listener, cursor)
      for (let events = await listener.take(); events !== undefined; events = await listener.take())
        for (const event of events) yield event
      return undefined
    } finally {
      channel.leave(listener)
      this.#leave(project_id)
      this.#listeners.delete(listener)
    }
  }

  /** Where to begin, and what to say about it. */
  async #begin({ project_id, cursor }: LiveRequest): Promise<{ first: LiveEvent; cursor: LiveCursor }> {
    const frontier = await readFrontier(this.#db, project_id, this.#options.order)
    const given = typeof cursor === 'string' ? readCursor(cursor) : undefined
    if (given !== undefined && given.at >= frontier.now - KEPT_MICROS)
      return { first: { kind: 'ready', cursor: writeCursor(given) }, cursor: given }
    const end = endOf(frontier)
    const first: LiveEvent =
      given === undefined
        ? { kind: 'ready', cursor: writeCursor(end) }
        : { kind: 'reset', cursor: writeCursor(end), reason: RESET }
    return { first, cursor: end }
  }

  /** A project that nobody follows costs nothing: its channel comes with the first and goes with the last. */
  #enter(project_id: string): Channel {
    const known = this.#channels.get(project_id) ?? {
      channel: new Channel(this.#db, project_id, this.#options),
      users: 0,
    }
    known.users++
    this.#channels.set(project_id, known)
    return known.channel
  }

  #leave(project_id: string): void {
    const known = this.#channels.get(project_id)
    if (known !== undefined && --known.users === 0) this.#channels.delete(project_id)
  }
}

function endOf({ now, last }: Frontier): LiveCursor {
  return last === undefined
    ? { at: now, block: 0, offset: 0, step: 0 }
    : { at: now, block: last.block, offset: last.offset + 1, step: 0 }
}

function wantedBy({ kinds, trace_id, op_name }: LiveRequest): (event: LiveEvent) => boolean {
  const wanted: ReadonlySet<string> | undefined = kinds ? new Set(kinds) : undefined
  return (event) => {
    if (wanted !== undefined && !wanted.has(event.kind)) return false
    if (!('op_name' in event)) return true
    if (typeof trace_id === 'string' && event.trace_id !== trace_id) return false
    return typeof op_name !== 'string' || event.op_name === op_name || shortName(event.op_name) === op_name
  }
}

function shortName(op_name: string): string | undefined {
  const ref = parseRef(op_name)
  return ref?.kind === 'op' ? ref.name : undefined
}
