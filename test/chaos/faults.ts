import { setTimeout as sleep } from 'node:timers/promises'
import type { Target, Tally } from './client.ts'
import type { Cluster, Node } from './cluster.ts'
import type { Random } from './random.ts'

interface Fault {
  readonly weight: number
  readonly name: string
  /** What the fault affects. Faults of one scope do not overlap; `all` overlaps with nothing. */
  readonly scope: (node: Node) => string
  readonly run: (context: FaultContext, node: Node) => Promise<void>
}

interface FaultContext {
  readonly cluster: Cluster
  readonly random: Random
  readonly maxOutageMs: number
  readonly faults: Faults
}

/** A request of this age is certainly in progress: the server has read its bytes. */
const IN_PROGRESS_MS = 500

export interface FaultOptions {
  readonly cluster: Cluster
  readonly random: Random
  readonly tally: Tally
  /** The longest outage of ClickHouse. */
  readonly maxOutageMs: number
  /** The longest pause between two faults. */
  readonly maxPauseMs: number
}

/** Injects random faults, mostly one at a time, sometimes two concurrently. */
export class Faults {
  readonly #options: FaultOptions
  readonly #busy = new Set<string>()
  readonly counts = new Map<string, number>()
  /** Until when a fault other than SIGTERM may explain a failure. */
  #faultyUntil = 0
  #stopping: { readonly target: Target; readonly at: number } | undefined

  constructor(options: FaultOptions) {
    this.#options = options
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

  async #injectOne(startedAt: number): Promise<void> {
    const { cluster, random, maxOutageMs } = this.#options
    const fault = random.weighted(FAULTS)
    const node = random.pick(cluster.nodes)
    const scope = fault.scope(node)
    if (this.#busy.has(scope) || this.#busy.has('all') || (scope === 'all' && this.#busy.size > 0)) return
    this.#busy.add(scope)
    this.counts.set(fault.name, (this.counts.get(fault.name) ?? 0) + 1)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(
      `fault ${this.total} at ${seconds} s: ${fault.name} (${scope === 'clickhouse' ? 'ClickHouse' : node.name})`,
    )
    const isPlainStop = fault.name === SIGTERM
    if (!isPlainStop) this.#faultyUntil = Number.POSITIVE_INFINITY
    try {
      await fault.run({ cluster, random, maxOutageMs, faults: this }, node)
    } finally {
      // Cancels what the fault has not broken yet.
      if (scope.startsWith('front')) node.front.restore()
      if (scope.startsWith('back')) node.back.restore()
      this.#busy.delete(scope)
      if (this.#busy.size === 0) this.#faultyUntil = performance.now()
    }
  }
}

const SIGTERM = 'SIGTERM of a node'
const sleepUpTo = (random: Random, maxMs: number): Promise<void> => sleep(random.next() * maxMs)

/** One in eight outages has the maximum length. Most others are short, so that more is written between them. */
const outageMs = (random: Random, longestMs: number): number =>
  longestMs * (random.chance(0.125) ? 1 : random.next() ** 3)

/** Outages take long, so they have a low weight. */
const FAULTS: readonly Fault[] = [
  {
    weight: 14,
    name: 'kill -9 of a node',
    scope: (node) => node.name,
    run: async ({ cluster, random }, node) => {
      await node.process.kill()
      await sleepUpTo(random, 1_000)
      await cluster.startNode(node)
    },
  },
  {
    weight: 10,
    name: SIGTERM,
    scope: () => 'all',
    run: async ({ cluster, faults }, node) => {
      // By then the failures of the previous fault have been reported.
      await sleep(IN_PROGRESS_MS * 2)
      await faults.whileStopping(node, async () => {
        const code = await cluster.stopNode(node)
        if (code !== 0) console.log(`node ${node.name} ended with code ${code}`)
      })
      await cluster.startNode(node)
    },
  },
  {
    weight: 10,
    name: 'kill -9 of ClickHouse',
    scope: () => 'clickhouse',
    run: async ({ cluster, random }) => {
      await cluster.clickhouse.kill()
      await sleepUpTo(random, 2_000)
      await cluster.startClickHouse()
    },
  },
  {
    weight: 3,
    name: 'ClickHouse down',
    scope: () => 'clickhouse',
    run: async ({ cluster, random, maxOutageMs }) => {
      await cluster.clickhouse.kill()
      await sleep(outageMs(random, maxOutageMs))
      await cluster.startClickHouse()
    },
  },
  {
    weight: 3,
    name: 'ClickHouse paused (SIGSTOP)',
    scope: () => 'clickhouse',
    run: async ({ cluster, random, maxOutageMs }) => {
      const { pid } = cluster.clickhouse
      process.kill(pid, 'SIGSTOP')
      await sleep(outageMs(random, maxOutageMs))
      process.kill(pid, 'SIGCONT')
    },
  },
  {
    weight: 12,
    name: 'responses to clients lost',
    scope: (node) => `front ${node.name}`,
    run: async ({ random }, node) => {
      node.front.breakResponses(random.between(1, 5), 0)
      await sleepUpTo(random, 1_000)
    },
  },
  {
    weight: 8,
    name: 'responses to clients truncated',
    scope: (node) => `front ${node.name}`,
    run: async ({ random }, node) => {
      node.front.breakResponses(random.between(1, 5), random.between(1, 40_000))
      await sleepUpTo(random, 1_000)
    },
  },
  {
    weight: 6,
    name: 'requests of clients dropped',
    scope: (node) => `front ${node.name}`,
    run: async ({ random }, node) => {
      node.front.dropRequests(random.between(1, 5))
      await sleepUpTo(random, 1_000)
    },
  },
  {
    weight: 12,
    name: 'responses of ClickHouse lost',
    scope: (node) => `back ${node.name}`,
    run: async ({ random }, node) => {
      node.back.breakResponses(random.between(1, 5), 0)
      await sleepUpTo(random, 1_000)
    },
  },
  {
    weight: 8,
    name: 'responses of ClickHouse truncated',
    scope: (node) => `back ${node.name}`,
    run: async ({ random }, node) => {
      node.back.breakResponses(random.between(1, 5), random.between(1, 40_000))
      await sleepUpTo(random, 1_000)
    },
  },
  {
    weight: 6,
    name: 'statements to ClickHouse dropped',
    scope: (node) => `back ${node.name}`,
    run: async ({ random }, node) => {
      node.back.dropRequests(random.between(1, 5))
      await sleepUpTo(random, 1_000)
    },
  },
  {
    weight: 4,
    name: 'all connections to ClickHouse closed',
    scope: (node) => `back ${node.name}`,
    run: async (_context, node) => node.back.closeConnections(),
  },
  {
    weight: 4,
    name: 'all client connections closed',
    scope: (node) => `front ${node.name}`,
    run: async (_context, node) => node.front.closeConnections(),
  },
  {
    weight: 5,
    name: 'slow ClickHouse',
    scope: (node) => `back ${node.name}`,
    run: async ({ random }, node) => {
      node.back.delay(random.between(50, 800))
      await sleep(random.between(1_000, 4_000))
    },
  },
]
