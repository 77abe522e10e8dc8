/**
 * Limits how much work begins per event loop tick, in any unit. One acknowledged insert makes fifty clients send their
 * next request at the same moment; parsing them all in one tick would block everything else for a quarter of a second.
 * After a few milliseconds' worth of it, the remaining requests wait for the next tick, round robin between keys.
 */
export class EventLoopYielder {
  readonly #maxPerTick: number
  /** By key, in round-robin order. */
  readonly #lanes = new Map<string, Waiter[]>()
  /** Admitted in the current tick. */
  #admitted = 0
  #isScheduled = false

  constructor(maxPerTick: number) {
    this.#maxPerTick = maxPerTick
  }

  /** Returns undefined when there is no need to wait. */
  acquire(amount: number, key = ''): Promise<void> | undefined {
    this.#scheduleTick()
    if (this.#lanes.size === 0 && this.#fits(amount)) {
      this.#admitted += amount
      return undefined
    }
    return new Promise((resume) => {
      const lane = this.#lanes.get(key)
      if (lane === undefined) this.#lanes.set(key, [{ amount, resume }])
      else lane.push({ amount, resume })
    })
  }

  /** The first work of a tick always fits, however much it is. */
  #fits(amount: number): boolean {
    return this.#admitted === 0 || this.#admitted + amount <= this.#maxPerTick
  }

  #scheduleTick(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#admitted = 0
      this.#admit()
      if (this.#admitted > 0) this.#scheduleTick()
    })
  }

  #admit(): void {
    // A key that is set again comes last, also in this loop.
    for (const [key, lane] of this.#lanes) {
      const next = lane[0]
      if (next === undefined || !this.#fits(next.amount)) return
      lane.shift()
      this.#lanes.delete(key)
      if (lane.length > 0) this.#lanes.set(key, lane)
      this.#admitted += next.amount
      next.resume()
    }
  }
}

interface Waiter {
  readonly amount: number
  readonly resume: () => void
}

/** For bytes of requests to parse. One for the process: it has one event loop. */
export const eventLoopYielder = new EventLoopYielder(256 * 1024)
