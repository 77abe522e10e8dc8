import { setTimeout as sleep } from 'node:timers/promises'

/** How often each shard is pinged. */
const PING_INTERVAL_MS = 2_000

export interface ShardChange {
  /** From 1. */
  readonly shard: number
  readonly isUp: boolean
}

interface ShardState {
  downSinceMs: number | undefined
  check: Promise<void> | undefined
}

/**
 * Which shards of a cluster respond now. A shard responds if one of its replicas does. Each is pinged every two seconds once
 * `start` was called, and at once when a statement has failed (`check`). Shards are named by their indexes, from 0.
 */
export class ShardHealth {
  readonly #ping: (index: number) => Promise<boolean>
  readonly #shards: readonly ShardState[]
  readonly #listeners = new Set<(change: ShardChange) => void>()
  #timer: NodeJS.Timeout | undefined

  constructor(count: number, ping: (index: number) => Promise<boolean>) {
    this.#ping = ping
    this.#shards = Array.from({ length: count }, () => ({ downSinceMs: undefined, check: undefined }))
  }

  /** Of all shards. */
  get indexes(): readonly number[] {
    return this.#shards.map((_shard, index) => index)
  }

  get down(): readonly number[] {
    return this.indexes.filter((index) => !this.isUp(index))
  }

  isUp(index: number): boolean {
    return this.#shards[index]?.downSinceMs === undefined
  }

  /** By `performance.now()`; undefined while it responds. */
  downSinceMs(index: number): number | undefined {
    return this.#shards[index]?.downSinceMs
  }

  /** Pings all shards now, or waits for pings that have begun. A shard that does not respond is pinged twice, within 6 s. */
  async check(): Promise<void> {
    await Promise.all(this.indexes.map((index) => this.#checkShard(index)))
  }

  /** Waits until one of these shards may have changed, or until `untilMs`. */
  async waitForChange(indexes: readonly number[], untilMs: number): Promise<void> {
    const waitMs = Math.min(PING_INTERVAL_MS, Math.max(0, untilMs - performance.now()))
    await sleep(waitMs, undefined, { ref: false })
    await Promise.all(indexes.map((index) => this.#checkShard(index)))
  }

  /** Returns the function that ends the subscription. */
  onChange(listener: (change: ShardChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Called when one of these shards stops responding. */
  onDown(indexes: readonly number[], listener: () => void): () => void {
    return this.onChange(({ shard, isUp }) => {
      if (!isUp && indexes.includes(shard - 1)) listener()
    })
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.check(), PING_INTERVAL_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** One at a time for each shard: a shard that hangs does not delay the pings of others. */
  #checkShard(index: number): Promise<void> {
    const shard = this.#shards[index]
    if (shard === undefined) return Promise.resolve()
    shard.check ??= this.#update(index, shard)
    return shard.check
  }

  async #update(index: number, shard: ShardState): Promise<void> {
    // `Database.ping` tries a second time, on all replicas: a single lost ping is not an outage.
    const isUp = await this.#ping(index)
    shard.check = undefined
    if (isUp === this.isUp(index)) return
    shard.downSinceMs = isUp ? undefined : performance.now()
    for (const notify of this.#listeners) notify({ shard: index + 1, isUp })
  }
}
