import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from './client.ts'
import type { Cluster, Node } from './cluster.ts'
import type { Random } from './random.ts'
import type { Shard } from './shard.ts'

export interface Fault {
  readonly weight: number
  readonly name: string
  /** What the fault affects. Faults of one scope do not overlap; `all` overlaps with nothing. */
  readonly scope: (node: Node, shard: Shard) => string
  /** The place in the log. */
  readonly place: (node: Node, shard: Shard) => string
  readonly run: (context: FaultContext, node: Node, shard: Shard) => Promise<void>
}

export interface FaultContext {
  readonly cluster: Cluster
  readonly random: Random
  readonly maxOutageMs: number
  readonly faults: { whileStopping(target: Target, stop: () => Promise<void>): Promise<void> }
  readonly onShardDown: (shard: Shard) => Promise<void>
}

/** A request of this age is certainly in progress: the server has read its bytes. */
export const IN_PROGRESS_MS = 500

export const SIGTERM = 'SIGTERM of a node'
export const sleepUpTo = (random: Random, maxMs: number): Promise<void> => sleep(random.next() * maxMs)

/** One in eight outages has the maximum length. Most others are short, so that more is written between them. */
export const outageMs = (random: Random, longestMs: number): number =>
  longestMs * (random.chance(0.125) ? 1 : random.next() ** 3)

const atNode = (node: Node): string => node.name
export const atShard = (_node: Node, shard: Shard): string => shard.name
const between = (node: Node, shard: Shard): string => `${node.name}, ${shard.name}`
/** A scope with the shard in its name. */
export const ofShard =
  (kind: string) =>
  (_node: Node, shard: Shard): string =>
    `${kind} ${shard.index}`

/** Outages take long, so they have a low weight. */
export const FAULTS: readonly Fault[] = [
  {
    weight: 14,
    name: 'kill -9 of a node',
    scope: (node) => node.name,
    place: atNode,
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
    place: atNode,
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
    scope: ofShard('clickhouse'),
    place: atShard,
    run: async ({ random }, _node, shard) => {
      await shard.clickhouse.kill()
      await sleepUpTo(random, 2_000)
      await shard.restart()
    },
  },
  {
    weight: 3,
    name: 'ClickHouse down',
    scope: ofShard('clickhouse'),
    place: atShard,
    run: async ({ random, maxOutageMs }, _node, shard) => {
      await shard.clickhouse.kill()
      await sleep(outageMs(random, maxOutageMs))
      await shard.restart()
    },
  },
  {
    weight: 3,
    name: 'ClickHouse paused (SIGSTOP)',
    scope: ofShard('clickhouse'),
    place: atShard,
    run: async ({ random, maxOutageMs }, _node, shard) => {
      const { clickhouse } = shard
      clickhouse.pause()
      await sleep(outageMs(random, maxOutageMs))
      clickhouse.resume()
    },
  },
  {
    weight: 12,
    name: 'responses to clients lost',
    scope: (node) => `front ${node.name}`,
    place: atNode,
    run: async ({ random }, node) => {
      node.front.breakResponses(random.between(1, 5), 0)
      await sleepUpTo(random, 1_000)
    },
  },
  {
    weight: 8,
    name: 'responses to clients truncated',
    scope: (node) => `front ${node.name}`,
    place: atNode,
    run: async ({ random }, node) => {
      node.front.breakResponses(random.between(1, 5), random.between(1, 40_000))
      await sleepUpTo(random, 1_000)
    },
  },
  {
    weight: 6,
    name: 'requests of clients dropped',
    scope: (node) => `front ${node.name}`,
    place: atNode,
    run: async ({ random }, node) => {
      node.front.dropRequests(random.between(1, 5))
      await sleepUpTo(random, 1_000)
    },
  },
  {
    weight: 12,
    name: 'responses of ClickHouse lost',
    scope: (node, shard) => `back ${node.name} ${shard.name}`,
    place: between,
    run: async ({ random }, node, shard) => {
      node.backs[shard.index]?.breakResponses(random.between(1, 5), 0)
      await sleepUpTo(random, 1_000)
    },
  },
  {
    weight: 8,
    name: 'responses of ClickHouse truncated',
    scope: (node, shard) => `back ${node.name} ${shard.name}`,
    place: between,
    run: async ({ random }, node, shard) => {
      node.backs[shard.index]?.breakResponses(random.between(1, 5), random.between(1, 40_000))
      await sleepUpTo(random, 1_000)
    },
  },
  {
    weight: 6,
    name: 'statements to ClickHouse dropped',
    scope: (node, shard) => `back ${node.name} ${shard.name}`,
    place: between,
    run: async ({ random }, node, shard) => {
      node.backs[shard.index]?.dropRequests(random.between(1, 5))
      await sleepUpTo(random, 1_000)
    },
  },
  {
    weight: 4,
    name: 'all connections to ClickHouse closed',
    scope: (node, shard) => `back ${node.name} ${shard.name}`,
    place: between,
    run: async (_context, node, shard) => node.backs[shard.index]?.closeConnections(),
  },
  {
    weight: 4,
    name: 'all client connections closed',
    scope: (node) => `front ${node.name}`,
    place: atNode,
    run: async (_context, node) => node.front.closeConnections(),
  },
  {
    weight: 5,
    name: 'slow ClickHouse',
    scope: (node, shard) => `back ${node.name} ${shard.name}`,
    place: between,
    run: async ({ random }, node, shard) => {
      node.backs[shard.index]?.delay(random.between(50, 800))
      await sleep(random.between(1_000, 4_000))
    },
  },
]
