/**
 * The shards that the response of one request leaves out because they are unavailable. Only requests that accept a partial
 * result have one. Shards are named by their numbers, from 1.
 */
export class PartialResult {
  #shards: readonly number[] = []
  #isSealed = false

  /** In ascending order; empty for a complete result. */
  get shards(): readonly number[] {
    return this.#shards
  }

  /**
   * Leaves out these shards too. False if that is impossible, because the response has begun and was not marked as such.
   */
  leaveOut(shards: readonly number[]): boolean {
    const added = shards.filter((shard) => !this.#shards.includes(shard))
    if (added.length === 0) return true
    if (this.#isSealed) return false
    this.#shards = [...this.#shards, ...added].sort((a, b) => a - b)
    return true
  }

  /** The response begins: its mark does not change from now on. */
  seal(): void {
    this.#isSealed = true
  }
}
