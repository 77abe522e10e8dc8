import { setTimeout as sleep } from 'node:timers/promises'
import type { Target, Tally } from './client.ts'
import type { Cluster, Node } from './cluster.ts'
import type { Random } from './random.ts'

interface Fault {
  readonly weight: number
  readonly name: string
  /** Faults of one place do not overlap; `all` overlaps with nothing. */
  readonly place: (node: Node) => string
  readonly run: (world: World, node: Node) => Promise<void>
}

interface World {
  readonly cluster: Cluster
  readonly random: Random
  readonly longestMs: number
  readonly faults: Faults
}

/** A request is under way for certain when it is this old: its bytes have been read. */
const UNDER_WAY_MS = 500

export interface FaultOptions {
  readonly cluster: Cluster
  readonly random: Random
  readonly tally: Tally
  /** Of one outage of the engine. */
  readonly longestMs: number
  /** The longest between two. */
  readonly pauseMs: number
}

/** Throws faults at random, one after another and now and then two at once. */
export class Faults {
  readonly #options: FaultOptions
  readonly #busy = new Set<string>()
  readonly counts = new Map<string, number>()
  /** Until when anything but a SIGTERM may explain a failure. */
  #troubledUntil = 0
  #asked: { readonly target: Target; readonly at: number } | undefined

  constructor(options: FaultOptions) {
    this.#options = options
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }

  async throwUntil(signal: AbortSignal): Promise<void> {
    const { random, pauseMs } = this.#options
    const running = new Set<Promise<void>>()
    const began = performance.now()
    while (!signal.aborted) {
      await sleep(random.between(300, pauseMs), undefined, { signal }).catch(() => {})
      if (signal.aborted) break
      const one = this.#throwOne(began)
      running.add(one)
      void one.finally(() => running.delete(one))
      if (!random.chance(0.2)) await Promise.all(running)
    }
    await Promise.all(running)
  }

  /** A client was refused, or its connection broke: if a SIGTERM is the only fault about, that is wrong. */
  onFailure(target: Target, beganAt: number, what: string): void {
    const asked = this.#asked
    if (asked === undefined || asked.target.name !== target.name) return
    if (beganAt > asked.at - UNDER_WAY_MS || beganAt < this.#troubledUntil) return
    this.#options.tally.say(
      `a request that was under way when node ${target.name} got SIGTERM failed: ${what}`,
    )
  }

  /** While this runs, requests that are under way must be answered well. */
  async whileAsked(target: Target, ending: () => Promise<void>): Promise<void> {
    this.#asked = { target, at: performance.now() }
    await ending()
    this.#asked = undefined
  }

  async #throwOne(began: number): Promise<void> {
    const { cluster, random, longestMs } = this.#options
    const fault = random.weighted(FAULTS)
    const node = random.pick(cluster.nodes)
    const place = fault.place(node)
    if (this.#busy.has(place) || this.#busy.has('all') || (place === 'all' && this.#busy.size > 0)) return
    this.#busy.add(place)
    this.counts.set(fault.name, (this.counts.get(fault.name) ?? 0) + 1)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    console.log(
      `fault ${this.total} at ${seconds} s: ${fault.name} (${place === 'engine' ? 'engine' : node.name})`,
    )
    const isPlainStop = fault.name === SIGTERM
    if (!isPlainStop) this.#troubledUntil = Number.POSITIVE_INFINITY
    try {
      await fault.run({ cluster, random, longestMs, faults: this }, node)
    } finally {
      // What was not torn in time is spared.
      if (place.startsWith('front')) node.front.mend()
      if (place.startsWith('back')) node.back.mend()
      this.#busy.delete(place)
      if (this.#busy.size === 0) this.#troubledUntil = performance.now()
    }
  }
}

const SIGTERM = 'SIGTERM of a node'
const anyMs = (random: Random, most: number): Promise<void> => sleep(random.next() * most)

/** One in eight is as long as it may be; most of the others are short, so that much is written between them. */
const outageMs = (random: Random, longestMs: number): number =>
  longestMs * (random.chance(0.125) ? 1 : random.next() ** 3)

/** Weights: an outage takes long, so it comes seldom. */
const FAULTS: readonly Fault[] = [
  {
    weight: 14,
    name: 'kill -9 of a node',
    place: (node) => node.name,
    run: async ({ cluster, random }, node) => {
      await node.process.kill()
      await anyMs(random, 1_000)
      await cluster.startNode(node)
    },
  },
  {
    weight: 10,
    name: SIGTERM,
    place: () => 'all',
    run: async ({ cluster, faults }, node) => {
      // Failures of the fault before have been heard by now.
      await sleep(UNDER_WAY_MS * 2)
      await faults.whileAsked(node, async () => {
        const code = await cluster.stopNode(node)
        if (code !== 0) console.log(`node ${node.name} ended with code ${code}`)
      })
      await cluster.startNode(node)
    },
  },
  {
    weight: 10,
    name: 'kill -9 of the engine',
    place: () => 'engine',
    run: async ({ cluster, random }) => {
      await cluster.engine.kill()
      await anyMs(random, 2_000)
      await cluster.startEngine()
    },
  },
  {
    weight: 3,
    name: 'engine away',
    place: () => 'engine',
    run: async ({ cluster, random, longestMs }) => {
      await cluster.engine.kill()
      await sleep(outageMs(random, longestMs))
      await cluster.startEngine()
    },
  },
  {
    weight: 3,
    name: 'engine stopped',
    place: () => 'engine',
    run: async ({ cluster, random, longestMs }) => {
      const { pid } = cluster.engine
      process.kill(pid, 'SIGSTOP')
      await sleep(outageMs(random, longestMs))
      process.kill(pid, 'SIGCONT')
    },
  },
  {
    weight: 12,
    name: 'answers lost on the way to clients',
    place: (node) => `front ${node.name}`,
    run: async ({ random }, node) => {
      node.front.tearAnswers(random.between(1, 5), 0)
      await anyMs(random, 1_000)
    },
  },
  {
    weight: 8,
    name: 'answers torn on the way to clients',
    place: (node) => `front ${node.name}`,
    run: async ({ random }, node) => {
      node.front.tearAnswers(random.between(1, 5), random.between(1, 40_000))
      await anyMs(random, 1_000)
    },
  },
  {
    weight: 6,
    name: 'requests torn on the way from clients',
    place: (node) => `front ${node.name}`,
    run: async ({ random }, node) => {
      node.front.tearRequests(random.between(1, 5))
      await anyMs(random, 1_000)
    },
  },
  {
    weight: 12,
    name: 'answers of the engine lost after its work',
    place: (node) => `back ${node.name}`,
    run: async ({ random }, node) => {
      node.back.tearAnswers(random.between(1, 5), 0)
      await anyMs(random, 1_000)
    },
  },
  {
    weight: 8,
    name: 'answers of the engine torn',
    place: (node) => `back ${node.name}`,
    run: async ({ random }, node) => {
      node.back.tearAnswers(random.between(1, 5), random.between(1, 40_000))
      await anyMs(random, 1_000)
    },
  },
  {
    weight: 6,
    name: 'statements torn on the way to the engine',
    place: (node) => `back ${node.name}`,
    run: async ({ random }, node) => {
      node.back.tearRequests(random.between(1, 5))
      await anyMs(random, 1_000)
    },
  },
  {
    weight: 4,
    name: 'every connection to the engine cut',
    place: (node) => `back ${node.name}`,
    run: async (_world, node) => node.back.sever(),
  },
  {
    weight: 4,
    name: 'every connection of clients cut',
    place: (node) => `front ${node.name}`,
    run: async (_world, node) => node.front.sever(),
  },
  {
    weight: 5,
    name: 'slow engine',
    place: (node) => `back ${node.name}`,
    run: async ({ random }, node) => {
      node.back.delay(random.between(50, 800))
      await sleep(random.between(1_000, 4_000))
    },
  },
]
