import { setImmediate } from 'node:timers/promises'

/** Other events are served after this much work. */
const SLICE_MS = 8

/** Gives the event loop a turn within long work: `if (slice.isOver) await slice.next()` at every step. */
export class TimeSlice {
  #startedMs = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#startedMs > SLICE_MS
  }

  async next(): Promise<void> {
    await setImmediate()
    this.#startedMs = performance.now()
  }
}
