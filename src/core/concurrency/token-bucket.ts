/**
 * A token bucket: a rate per second with a burst. An amount above the capacity passes when the bucket is full and
 * drives the level below zero, so it is paid off afterwards.
 */
export class TokenBucket {
  readonly perSecond: number
  readonly #capacity: number
  #level: number
  #atMs: number

  constructor(perSecond: number, burstSeconds: number, nowMs: number) {
    this.perSecond = perSecond
    this.#capacity = Math.max(1, perSecond * burstSeconds)
    this.#level = this.#capacity
    this.#atMs = nowMs
  }

  /** Milliseconds until the amount can be taken; 0 if it can be taken now. */
  waitMs(amount: number, nowMs: number): number {
    this.#fill(nowMs)
    const missing = Math.min(amount, this.#capacity) - this.#level
    return missing <= 0 ? 0 : (missing / this.perSecond) * 1_000
  }

  /** Takes the amount without checking the level. Call `waitMs` first to respect the rate. */
  take(amount: number, nowMs: number): void {
    this.#fill(nowMs)
    this.#level -= amount
  }

  #fill(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - this.#atMs)
    this.#atMs = nowMs
    this.#level = Math.min(this.#capacity, this.#level + (passedMs / 1_000) * this.perSecond)
  }
}
