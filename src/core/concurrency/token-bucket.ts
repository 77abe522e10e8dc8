/**
 * So much a second, with a burst: a bucket that fills at the rate and holds what comes in some seconds. More than it
 * can ever hold passes when it is full, and is paid for afterwards.
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

  /** Milliseconds until so many can be taken; 0 = now. */
  waitMs(amount: number, nowMs: number): number {
    this.#fill(nowMs)
    const missing = Math.min(amount, this.#capacity) - this.#level
    return missing <= 0 ? 0 : (missing / this.perSecond) * 1_000
  }

  /** Whatever the level: who asked before knows that there is enough, who did not pays later. */
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
