import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '../../contract/api-error.ts'
import { type LiveCursor, isBefore, writeCursor } from '../../core/live/live-cursor.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../../store/database/database.ts'
import { MAX_INSERT_MICROS, readLogEnd } from '../../store/live/live-log.ts'
import { type LiveOptions, readPage } from './live-page.ts'
import type { Subscriber } from './live-subscriber.ts'

/** The channel of one followed project: one reader of the live log for all its subscribers in this process. */
export class Channel {
  readonly #db: Database
  readonly #project_id: string
  readonly #options: LiveOptions
  readonly #subscribers = new Set<Subscriber>()
  #cursor: LiveCursor | undefined
  /** When the last row that was read was written to the log. */
  #lastRow: Micros = 0n
  #running = false
  /** Number of pages emitted to subscribers so far. */
  emittedPages = 0

  constructor(db: Database, project_id: string, options: LiveOptions) {
    this.#db = db
    this.#project_id = project_id
    this.#options = options
  }

  /** Adds a subscriber that has read everything up to the cursor, and at least everything this channel has emitted. */
  subscribe(subscriber: Subscriber, cursor: LiveCursor): void {
    const current = this.#cursor
    subscriber.position = current !== undefined && isBefore(cursor, current) ? current : cursor
    this.#subscribers.add(subscriber)
    if (current === undefined) {
      this.#cursor = cursor
      this.#lastRow = cursor.at
    }
    if (!this.#running) {
      this.#running = true
      void this.#run()
    }
  }

  unsubscribe(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber)
  }

  end(failure?: Error): void {
    for (const subscriber of this.#subscribers) subscriber.end(failure)
    this.#subscribers.clear()
  }

  async #run(): Promise<void> {
    const { pollMs, heartbeatMs } = this.#options
    const heartbeat = setInterval(() => this.#sendHeartbeat(), heartbeatMs)
    let refreshed = performance.now()
    // A subscriber that joins while the last poll is still running is served by this same loop.
    while (this.#subscribers.size > 0) {
      try {
        const hasMore = await this.#poll()
        if (!hasMore && performance.now() - refreshed >= heartbeatMs) {
          await this.#refresh()
          refreshed = performance.now()
        }
        if (!hasMore) await wait(pollMs)
      } catch (error) {
        // ClickHouse is unavailable: connections and cursors are kept until it is back.
        if (error instanceof ApiError) await wait(4 * pollMs)
        else this.end(error instanceof Error ? error : new Error(String(error)))
      }
    }
    clearInterval(heartbeat)
    this.#running = false
    this.#cursor = undefined
  }

  async #poll(): Promise<boolean> {
    if (this.#cursor === undefined) return false
    const page = await readPage(this.#db, this.#project_id, this.#cursor, this.#options)
    if (page.next !== this.#cursor) this.#lastRow = page.next.at
    this.#cursor = page.next
    if (page.events.length > 0) {
      this.emittedPages++
      for (const subscriber of this.#subscribers) subscriber.enqueue(page.events)
    }
    return !page.isLast
  }

  /** Advances the cursor's time while there are no events, so that the cursor does not expire. */
  async #refresh(): Promise<void> {
    const cursor = this.#cursor
    if (cursor === undefined) return
    const { now, last } = await readLogEnd(this.#db, this.#project_id, this.#options.order)
    if (last === undefined || isBefore(last, cursor)) this.#cursor = { ...cursor, at: now }
    // Newer rows under lower positions: an empty log restarted its numbering after a restart of ClickHouse.
    if (last !== undefined && isBefore(last, cursor) && last.at > this.#lastRow + MAX_INSERT_MICROS)
      this.end()
  }

  #sendHeartbeat(): void {
    const cursor = this.#cursor
    if (cursor === undefined) return
    // After a long idle period the time alone identifies the position.
    const isIdle = cursor.at > this.#lastRow + MAX_INSERT_MICROS
    const text = writeCursor(isIdle ? { at: cursor.at, block: 0, offset: 0, step: 0 } : cursor)
    for (const subscriber of this.#subscribers) subscriber.enqueueHeartbeat(cursor, text)
  }
}
