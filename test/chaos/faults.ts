import { setTimeout as sleep } from 'node:timers/promises'
import type { Tally, Target } from './client.ts'
import type { Cluster } from './cluster.ts'
import { type Fault, FAULTS, IN_PROGRESS_MS, SIGTERM } from './fault-kinds.ts'
import type { Random } from './random.ts'
import type { Shard } from './shard.ts'
import { SHARD_FAULTS } from './shard-faults.ts'

export interface FaultOptions {
  readonly cluster: Cluster
  readonly random: Random
  readonly tally: Tally
  /** The longest outage of ClickHouse. */
  readonly maxOutageMs: number
  /** The longest pause between two faults. */
  readonly maxPauseMs: number
  /** Called while this shard is down and nothing else is. */
  readonly onShardDown: (shard: Shard) => Promise<void>
}

/** Injects random faults, mostly one at a time, sometimes two concurrently. */
export class Faults {
  readonly #options: FaultOptions
  readonly #busy = new Set<string>()
  readonly #kinds: readonly Fault[]
  readonly counts = new Map<string, number>()
  /** Until when a fault other than SIGTERM may explain a failure. */
  #faultyUntil = 0
  #stopping: { readonly target: Target; readonly at: number } | undefined

  constructor(options: FaultOptions) {
    this.#options = options
    this.#kinds = options.cluster.shards.length > 1 ? [...FAULTS, ...SHARD_FAULTS] : FAULTS
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }

  async injectUntil(signal: AbortSignal): Promise<void> {
    const { random, maxPauseMs } = this.#options
    const running = new Set<Promise<void>>()
    const startedAt = performance.now()
    while (!signal.aborted) {
      await sleep(random.between(300, maxPauseMs), undefined, { signal }).catch(() => {})
      if (signal.aborted) break
      const fault = this.#injectOne(startedAt)
      running.add(fault)
      void fault.finally(() => running.delete(fault))
      if (!random.chance(0.2)) await Promise.all(running)
    }
    await Promise.all(running)
  }

  /** Called when a request was rejected or its connection broke. That is an error if a SIGTERM is the only current fault. */
  onFailure(target: Target, startedAt: number, reason: string): void {
    const stopping = this.#stopping
    if (stopping === undefined || stopping.target.name !== target.name) return
    if (startedAt > stopping.at - IN_PROGRESS_MS || startedAt < this.#faultyUntil) return
    this.#options.tally.reportError(
      `a request that was in progress when node ${target.name} got SIGTERM failed: ${reason}`,
    )
  }

  /** While `stop` runs, requests that are in progress must succeed. */
  async whileStopping(target: Target, stop: () => Promise<void>): Promise<void> {
    this.#stopping = { target, at: performance.now() }
    await stop()
    this.#stopping = undefined
  }

  /** For what is not a random fault: waits until none is running, and keeps new ones from starting. */
  async alone(run: () => Promise<void>): Promise<void> {
    while (this.#busy.size > 0) await sleep(100)
    this.#busy.add('all')
    this.#faultyUntil = Number.POSITIVE_INFINITY
    try {
      await run()
    } finally {
      this.#busy.delete('all')
      this.#faultyUntil = performance.now()
    }
  }

  async #injectOne(startedAt: number): Promise<void> {
    const { cluster, random, maxOutageMs, onShardDown } = this.#options
    const fault = random.weighted(this.#kinds)
    const node = random.pick(cluster.nodes)
    const shard = random.pick(cluster.shards)
    const scope = fault.scope(node, shard)
    if (this.#busy.has(scope) || this.#busy.has('all') || (scope === 'all' && this.#busy.size > 0)) return
    this.#busy.add(scope)
    this.counts.set(fault.name, (this.counts.get(fault.name) ?? 0) + 1)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`fault ${this.total} at ${seconds} s: ${fault.name} (${fault.place(node, shard)})`)
    const isPlainStop = fault.name === SIGTERM
    if (!isPlainStop) this.#faultyUntil = Number.POSITIVE_INFINITY
    try {
      await fault.run({ cluster, random, maxOutageMs, faults: this, onShardDown }, node, shard)
    } finally {
      // Cancels what the fault has not broken yet.
      if (scope.startsWith('front')) node.front.restore()
      if (scope.startsWith('back')) node.backs[shard.index]?.restore()
      if (scope.startsWith('native')) shard.native.restore()
      this.#busy.delete(scope)
      if (this.#busy.size === 0) this.#faultyUntil = performance.now()
    }
  }
}
