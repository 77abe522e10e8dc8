import { setTimeout as wait } from 'node:timers/promises'
import type { LiveEvent } from '../../contract/live/live.ts'
import { ApiError } from '../../contract/api-error.ts'
import { isBefore, type LiveCursor, type LivePosition, writeCursor } from '../../core/live/live-cursor.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../../store/database/database.ts'
import { readFrontier, SLACK_MICROS } from '../../store/live/live-log.ts'
import { type LiveOptions, readPage, type Told } from './live-page.ts'

/** One client of a channel: what waits to be sent to it. */
export class Listener {
  readonly #wants: (event: LiveEvent) => boolean
  readonly #maxWaiting: number
  #waiting: LiveEvent[] = []
  #wake: (() => void) | undefined
  #failure: Error | undefined
  #ended = false
  /** Nothing before this is for it. */
  position: LivePosition = { block: 0, offset: 0 }

  constructor(wants: (event: LiveEvent) => boolean, maxWaiting: number) {
    this.#wants = wants
    this.#maxWaiting = maxWaiting
  }

  get isEnded(): boolean {
    return this.#ended
  }

  wants(event: LiveEvent): boolean {
    return this.#wants(event)
  }

  hear(told: readonly Told[]): void {
    if (this.#ended) return
    for (const { event, ...place } of told) {
      if (!isBefore(place, this.position) && this.#wants(event)) this.#waiting.push(event)
    }
    // Too slow: what waits is still sent, then the connection ends and the client comes back with its cursor.
    if (this.#waiting.length > this.#maxWaiting) this.end()
    this.#wakeUp()
  }

  /** `at` is how far the channel has read. */
  beat(at: LivePosition, cursor: string): void {
    // Whoever has just caught up may have been told more than that; with events to send there is no need of it.
    if (this.#ended || this.#waiting.length > 0 || isBefore(at, this.position)) return
    this.#waiting.push({ kind: 'heartbeat', cursor })
    this.#wakeUp()
  }

  /** What has come since; undefined when there will be nothing more. */
  async take(): Promise<readonly LiveEvent[] | undefined> {
    while (this.#waiting.length === 0) {
      if (this.#failure !== undefined) throw this.#failure
      if (this.#ended) return undefined
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }

  end(failure?: Error): void {
    this.#ended = true
    this.#failure ??= failure
    this.#wakeUp()
  }

  #wakeUp(): void {
    this.#wake?.()
    this.#wake = undefined
  }
}

/** A project that somebody follows at this node: one reader of the log for all of them. */
export class Channel {
  readonly #db: Database
  readonly #project_id: string
  readonly #options: LiveOptions
  readonly #listeners = new Set<Listener>()
  #cursor: LiveCursor | undefined
  /** When the last row that was read was logged. */
  #lastRow: Micros = 0n
  #running = false
  /** Grows whenever events are handed out. */
  told = 0

  constructor(db: Database, project_id: string, options: LiveOptions) {
    this.#db = db
    this.#project_id = project_id
    this.#options = options
  }

  /** The listener has read everything up to the cursor, and at least all that this channel has handed out. */
  join(listener: Listener, cursor: LiveCursor): void {
    const mine = this.#cursor
    listener.position = mine !== undefined && isBefore(cursor, mine) ? mine : cursor
    this.#listeners.add(listener)
    if (mine === undefined) {
      this.#cursor = cursor
      this.#lastRow = cursor.at
    }
    if (!this.#running) {
      this.#running = true
      void this.#run()
    }
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener)
  }

  end(failure?: Error): void {
    for (const listener of this.#listeners) listener.end(failure)
    this.#listeners.clear()
  }

  async #run(): Promise<void> {
    const { pollMs, heartbeatMs } = this.#options
    const heart = setInterval(() => this.#beat(), heartbeatMs)
    let refreshed = performance.now()
    // Who comes while nobody is left, but the last poll is not over, is served by this same loop.
    while (this.#listeners.size > 0) {
      try {
        const isMore = await this.#poll()
        if (!isMore && performance.now() - refreshed >= heartbeatMs) {
          await this.#refresh()
          refreshed = performance.now()
        }
        if (!isMore) await wait(pollMs)
      } catch (error) {
        // The engine is away: connections are kept, with their cursors, until it is back.
        if (error instanceof ApiError) await wait(4 * pollMs)
        else this.end(error instanceof Error ? error : new Error(String(error)))
      }
    }
    clearInterval(heart)
    this.#running = false
    this.#cursor = undefined
  }

  async #poll(): Promise<boolean> {
    if (this.#cursor === undefined) return false
    const page = await readPage(this.#db, this.#project_id, this.#cursor, this.#options)
    if (page.next !== this.#cursor) this.#lastRow = page.next.at
    this.#cursor = page.next
    if (page.told.length > 0) {
      this.told++
      for (const listener of this.#listeners) listener.hear(page.told)
    }
    return !page.isLast
  }

  /** While nothing comes the cursor's time goes on, so that it does not become too old to be resumed from. */
  async #refresh(): Promise<void> {
    const cursor = this.#cursor
    if (cursor === undefined) return
    const { now, last } = await readFrontier(this.#db, this.#project_id, this.#options.order)
    if (last === undefined || isBefore(last, cursor)) this.#cursor = { ...cursor, at: now }
    // Rows newer than any we read, under lower numbers: a log that was empty began again after a restart.
    if (last !== undefined && isBefore(last, cursor) && last.at > this.#lastRow + SLACK_MICROS) this.end()
  }

  #beat(): void {
    const cursor = this.#cursor
    if (cursor === undefined) return
    // After a long silence the time alone says where to go on.
    const isSilent = cursor.at > this.#lastRow + SLACK_MICROS
    const text = writeCursor(isSilent ? { at: cursor.at, block: 0, offset: 0, step: 0 } : cursor)
    for (const listener of this.#listeners) listener.beat(cursor, text)
  }
}
