import { randomInt } from 'node:crypto'
import type { Micros } from '../time/time.ts'
import { NODE_RANGE, newStamp, type Stamp, STAMP_EPOCH, stampTime } from './fact-versions.ts'

/** Microseconds since 1970 as a number, exact until 2255. */
export type FastClock = () => number

const systemMicros: FastClock = () => (performance.timeOrigin + performance.now()) * 1000

/** Between the clocks of the replicas of ClickHouse, and drift between two synchronizations. */
const CLOCK_TOLERANCE_MICROS = 10_000

/**
 * Stamps the records of calls in the order in which this node receives them: a hybrid logical clock. A stamp is unique,
 * above all earlier stamps of this node, and close to ClickHouse's time (`synchronize`), so that the stamps of different
 * nodes are comparable up to some milliseconds. See docs/decisions/0002.
 */
export class RecordClock {
  readonly #now: FastClock
  readonly #node: number
  /** ClickHouse's time minus ours. */
  #offset = 0
  #last = 0
  /** Nothing is known about the clocks of other nodes before the first synchronization. */
  #uncertainty = Number.POSITIVE_INFINITY

  constructor(now: FastClock = systemMicros) {
    this.#now = now
    this.#node = randomInt(NODE_RANGE)
  }

  next(): Stamp {
    this.#last = Math.max(this.#last + 1, Math.floor(this.#now() - STAMP_EPOCH + this.#offset))
    return newStamp(this.#last, this.#node)
  }

  /** The next stamp, above `stamp` too. */
  after(stamp: Stamp): Stamp {
    this.#last = Math.max(this.#last, stampTime(stamp))
    return this.next()
  }

  /** Whether a record with the stamp `other` may have been received before one with the lower stamp `stamp`. */
  mayBeBefore(other: Stamp, stamp: Stamp): boolean {
    return stampTime(other) - stampTime(stamp) <= this.#uncertainty
  }

  /** Follows ClickHouse's clock, whose time was read as `time` between these two readings of `now`. */
  synchronize(time: Micros, before: number, after: number): void {
    this.#offset = Number(time) - (before + after) / 2
    // Half of the reading is the error here; other nodes are assumed to have the same.
    this.#uncertainty = CLOCK_TOLERANCE_MICROS + 2 * (after - before)
  }

  now(): number {
    return this.#now()
  }
}
