import type { LiveEvent } from '../../contract/live/live.ts'
import { type LivePosition, isBefore } from '../../core/live/live-cursor.ts'
import type { PositionedEvent } from './live-page.ts'

/** A subscriber of a channel: a bounded queue of events for one client. */
export class Subscriber {
  readonly #filter: (event: LiveEvent) => boolean
  readonly #maxQueued: number
  #queue: LiveEvent[] = []
  #wake: (() => void) | undefined
  #failure: Error | undefined
  #ended = false
  /** Events before this position are skipped. */
  position: LivePosition = { block: 0, offset: 0 }

  constructor(filter: (event: LiveEvent) => boolean, maxQueued: number) {
    this.#filter = filter
    this.#maxQueued = maxQueued
  }

  get isEnded(): boolean {
    return this.#ended
  }

  matches(event: LiveEvent): boolean {
    return this.#filter(event)
  }

  enqueue(events: readonly PositionedEvent[]): void {
    if (this.#ended) return
    for (const { event, ...position } of events) {
      if (!isBefore(position, this.position) && this.#filter(event)) this.#queue.push(event)
    }
    // The client is too slow: queued events are still sent, then the connection ends and the client resumes with its
    // cursor.
    if (this.#queue.length > this.#maxQueued) this.end()
    this.#notify()
  }

  /** `at` is the position up to which the channel has read. */
  enqueueHeartbeat(at: LivePosition, cursor: string): void {
    // A client that just caught up may be ahead of the channel. Queued events make a heartbeat unnecessary.
    if (this.#ended || this.#queue.length > 0 || isBefore(at, this.position)) return
    this.#queue.push({ kind: 'heartbeat', cursor })
    this.#notify()
  }

  /** Returns the queued events, waiting for the first one; undefined after the end. */
  async take(): Promise<readonly LiveEvent[] | undefined> {
    while (this.#queue.length === 0) {
      if (this.#failure !== undefined) throw this.#failure
      if (this.#ended) return undefined
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
    const taken = this.#queue
    this.#queue = []
    return taken
  }

  end(failure?: Error): void {
    this.#ended = true
    this.#failure ??= failure
    this.#notify()
  }

  #notify(): void {
    this.#wake?.()
    this.#wake = undefined
  }
}
