/**
 * Limits how many request bytes are parsed per event loop tick. One acknowledged insert makes fifty clients send their
 * next request at the same moment; parsing them all in one tick would block everything else for a quarter of a second.
 * After a few milliseconds' worth of bytes, the remaining requests wait for the next tick.
 */
export class EventLoopYielder {
  readonly #maxBytesPerTick: number
  readonly #waiting: { readonly bytes: number; readonly resume: () => void }[] = []
  /** Bytes admitted in the current tick. */
  #bytes = 0
  #isScheduled = false

  constructor(maxBytesPerTick = 256 * 1024) {
    this.#maxBytesPerTick = maxBytesPerTick
  }

  /** Returns undefined when there is no need to wait. */
  acquire(bytes: number): Promise<void> | undefined {
    this.#scheduleTick()
    if (this.#waiting.length === 0 && this.#fits(bytes)) {
      this.#bytes += bytes
      return undefined
    }
    return new Promise((resume) => this.#waiting.push({ bytes, resume }))
  }

  /** The first request of a tick always fits, whatever its size. */
  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#maxBytesPerTick
  }

  #scheduleTick(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#bytes = 0
      let next = this.#waiting[0]
      while (next !== undefined && this.#fits(next.bytes)) {
        this.#waiting.shift()
        this.#bytes += next.bytes
        next.resume()
        next = this.#waiting[0]
      }
      if (this.#bytes > 0) this.#scheduleTick()
    })
  }
}

/** One for the process: it has one event loop. */
export const eventLoopYielder = new EventLoopYielder()
