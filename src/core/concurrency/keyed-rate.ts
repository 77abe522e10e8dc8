import { BoundedMap } from './bounded-map.ts'
import { TokenBucket } from './token-bucket.ts'

/** A rate per key, such as a user or a network address. */
export interface KeyedRateOptions {
  readonly perMinute: number
  /** May be taken at once after a pause. */
  readonly burst: number
  /** Keys to remember. The least recently used are evicted and start with a full bucket. */
  readonly maxKeys?: number
}

const DEFAULT_MAX_KEYS = 10_000

/** Token buckets by key, in bounded memory. Each process counts on its own. */
export class KeyedRate {
  readonly #perSecond: number
  readonly #burst: number
  readonly #buckets: BoundedMap<string, TokenBucket>

  constructor({ perMinute, burst, maxKeys = DEFAULT_MAX_KEYS }: KeyedRateOptions) {
    this.#perSecond = perMinute / 60
    this.#burst = burst
    this.#buckets = new BoundedMap(maxKeys)
  }

  /** Takes the amount and returns 0, or takes nothing and returns the seconds after which it can be taken. */
  take(key: string, amount: number, nowMs: number): number {
    let bucket = this.#buckets.touch(key)
    if (bucket === undefined) {
      bucket = new TokenBucket(this.#perSecond, this.#burst / this.#perSecond, nowMs)
      this.#buckets.set(key, bucket)
    }
    const waitMs = bucket.waitMs(amount, nowMs)
    if (waitMs > 0) return Math.ceil(waitMs / 1_000)
    bucket.take(amount, nowMs)
    return 0
  }
}
