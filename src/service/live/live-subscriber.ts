import type { LiveEvent } from '../../contract/live/live.ts'
import { type LivePosition, isBefore } from '../../core/live/live-cursor.ts'
import type { EventPage } from './live-page.ts'

export type EventFilter = (event: LiveEvent) => boolean
export type EventBatch = readonly LiveEvent[]
export type EventBatches = AsyncIterableIterator<EventBatch, undefined>

/** A subscriber of a channel: a bounded queue of events for one client. */
export class Subscriber {
  readonly #filter: EventFilter | undefined
  readonly #maxQueued: number
  #queue: EventBatch[] = []
  #queuedEvents = 0
  #wake: (() => void) | undefined
  #failure: Error | undefined
  #ended = false
  /** Events before this position are skipped. */
  position: LivePosition = { block: 0, offset: 0 }

  /** Without a filter the client gets all events. */
  constructor(filter: EventFilter | undefined, maxQueued: number) {
    this.#filter = filter
    this.#maxQueued = maxQueued
  }

  get isEnded(): boolean {
    return this.#ended
  }

  /** The events for this client: the same array if they are all. */
  select(events: EventBatch): EventBatch {
    return this.#filter === undefined ? events : events.filter(this.#filter)
  }

  /** Subscribers that get all events of a page share one array, so that it is encoded only once. */
  enqueue(page: EventPage): void {
    if (this.#ended) return
    const firstNew = page.positions.findIndex((position) => !isBefore(position, this.position))
    if (firstNew === -1) return
    this.#push(this.select(firstNew === 0 ? page.events : page.events.slice(firstNew)))
    // The client is too slow: queued events are still sent, then the connection ends and the client resumes with its
    // cursor.
    if (this.#queuedEvents > this.#maxQueued) this.end()
  }

  /** `at` is the position up to which the channel has read. */
  enqueueHeartbeat(at: LivePosition, cursor: string): void {
    // A client that just caught up may be ahead of the channel. Queued events make a heartbeat unnecessary.
    if (this.#ended || this.#queue.length > 0 || isBefore(at, this.position)) return
    this.#push([{ kind: 'heartbeat', cursor }])
  }

  /** Returns the next events, waiting for them; undefined after the end. */
  async take(): Promise<EventBatch | undefined> {
    while (this.#queue.length === 0) {
      if (this.#failure !== undefined) throw this.#failure
      if (this.#ended) return undefined
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
    const taken = this.#queue.shift()
    this.#queuedEvents -= taken?.length ?? 0
    return taken
  }

  end(failure?: Error): void {
    this.#ended = true
    this.#failure ??= failure
    this.#notify()
  }

  #push(events: EventBatch): void {
    if (events.length === 0) return
    this.#queue.push(events)
    this.#queuedEvents += events.length
    this.#notify()
  }

  #notify(): void {
    this.#wake?.()
    this.#wake = undefined
  }
}
