import { type LiveCursor, isBefore, writeCursor } from '../../core/live/live-cursor.ts'
import type { Micros } from '../../core/time/time.ts'
import { type LogEnd, MAX_INSERT_MICROS } from '../../store/live/live-log.ts'
import type { LivePage } from './live-page.ts'
import type { Subscriber } from './live-subscriber.ts'

/** The channel of one followed project: distributes what the poller reads to all subscribers in this process. */
export class Channel {
  readonly project_id: string
  readonly #subscribers = new Set<Subscriber>()
  #cursor: LiveCursor | undefined
  /** When the last row that was read was written to the log. */
  #lastRow: Micros = 0n
  /** Number of pages emitted to subscribers so far. */
  emittedPages = 0
  #hasAdvanced = false
  /** The last page was full: the project has further rows and is read in pages of its own. */
  isLagging = false

  constructor(project_id: string) {
    this.project_id = project_id
  }

  /** From where the poller reads on; undefined without subscribers. */
  get cursor(): LiveCursor | undefined {
    return this.#subscribers.size === 0 ? undefined : this.#cursor
  }

  /** Adds a subscriber that has read everything up to the cursor, and at least everything this channel has emitted. */
  subscribe(subscriber: Subscriber, cursor: LiveCursor): void {
    const current = this.cursor
    subscriber.position = current !== undefined && isBefore(cursor, current) ? current : cursor
    this.#subscribers.add(subscriber)
    if (current !== undefined) return
    this.#cursor = cursor
    this.#lastRow = cursor.at
    this.isLagging = false
  }

  unsubscribe(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber)
  }

  end(failure?: Error): void {
    for (const subscriber of this.#subscribers) subscriber.end(failure)
    this.#subscribers.clear()
  }

  /** Emits a page that was read from `from`. It is ignored if the channel was restarted since. */
  emit(from: LiveCursor, page: LivePage): void {
    if (this.#cursor !== from) return
    this.isLagging = !page.isLast
    if (page.next !== from) {
      this.#lastRow = page.next.at
      this.#hasAdvanced = true
    }
    this.#cursor = page.next
    if (page.events.length === 0) return
    this.emittedPages++
    for (const subscriber of this.#subscribers) subscriber.enqueue(page)
  }

  /** Whether no row was read since the last call: only then the cursor needs a refresh. */
  takeIdle(): boolean {
    const isIdle = !this.#hasAdvanced
    this.#hasAdvanced = false
    return isIdle
  }

  /** Advances the cursor's time while there are no events, so that the cursor does not expire. */
  refresh(from: LiveCursor, { now, last }: LogEnd): void {
    if (this.#cursor !== from || this.isLagging) return
    if (last === undefined || isBefore(last, from)) this.#cursor = { ...from, at: now }
    // Newer rows under lower positions: an empty log restarted its numbering after a restart of ClickHouse.
    if (last !== undefined && isBefore(last, from) && last.at > this.#lastRow + MAX_INSERT_MICROS) this.end()
  }

  sendHeartbeat(): void {
    const cursor = this.#cursor
    if (cursor === undefined) return
    // After a long idle period the time alone identifies the position.
    const isIdle = cursor.at > this.#lastRow + MAX_INSERT_MICROS
    const text = writeCursor(isIdle ? { at: cursor.at, block: 0, offset: 0, step: 0 } : cursor)
    for (const subscriber of this.#subscribers) subscriber.enqueueHeartbeat(cursor, text)
  }
}
