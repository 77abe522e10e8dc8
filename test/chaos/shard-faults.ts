import { setTimeout as sleep } from 'node:timers/promises'
import { atShard, type Fault, type FaultContext, ofShard, outageMs, sleepUpTo } from './fault-kinds.ts'
import type { Shard } from './shard.ts'

/** How a shard becomes unavailable to all nodes and all other shards; returns how it comes back. */
type Outage = (context: FaultContext, shard: Shard) => Promise<() => Promise<void>>

const killed: Outage = async (_context, shard) => {
  await shard.clickhouse.kill()
  return () => shard.restart()
}

const paused: Outage = async (_context, { clickhouse }) => {
  clickhouse.pause()
  return async () => clickhouse.resume()
}

const cutOff: Outage = async ({ cluster }, shard) => {
  const proxies = [shard.native, ...cluster.nodes.flatMap(({ backs }) => backs[shard.index] ?? [])]
  for (const proxy of proxies) proxy.disconnect()
  return async () => {
    for (const proxy of proxies) proxy.restore()
  }
}

/** Nothing else fails during it, so everything that does not need this shard must work. */
function aloneDown(weight: number, name: string, outage: Outage): Fault {
  return {
    weight,
    name,
    scope: () => 'all',
    place: atShard,
    run: async (context, _node, shard) => {
      const restore = await outage(context, shard)
      try {
        await context.onShardDown(shard)
      } finally {
        await restore()
      }
    },
  }
}

/** Faults that only a cluster has. */
export const SHARD_FAULTS: readonly Fault[] = [
  aloneDown(6, 'a shard killed, the others in use', killed),
  aloneDown(4, 'a shard paused, the others in use', paused),
  aloneDown(6, 'a shard cut off, the others in use', cutOff),
  {
    weight: 3,
    name: 'node cut off from a shard',
    scope: (node, shard) => `back ${node.name} ${shard.name}`,
    place: (node, shard) => `${node.name}, ${shard.name}`,
    run: async ({ random, maxOutageMs }, node, shard) => {
      node.backs[shard.index]?.disconnect()
      await sleep(outageMs(random, maxOutageMs))
    },
  },
  {
    weight: 4,
    name: 'shard cut off from the others',
    scope: ofShard('native'),
    place: atShard,
    run: async ({ random, maxOutageMs }, _node, shard) => {
      shard.native.disconnect()
      await sleep(outageMs(random, maxOutageMs))
    },
  },
  {
    weight: 8,
    name: 'responses between shards truncated',
    scope: ofShard('native'),
    place: atShard,
    run: async ({ random }, _node, shard) => {
      shard.native.breakResponses(random.between(1, 5), random.chance(0.3) ? 0 : random.between(1, 40_000))
      await sleepUpTo(random, 2_000)
    },
  },
  {
    weight: 4,
    name: 'queries between shards dropped',
    scope: ofShard('native'),
    place: atShard,
    run: async ({ random }, _node, shard) => {
      shard.native.dropRequests(random.between(1, 5))
      await sleepUpTo(random, 2_000)
    },
  },
  {
    weight: 4,
    name: 'slow network between shards',
    scope: ofShard('native'),
    place: atShard,
    run: async ({ random }, _node, shard) => {
      shard.native.delay(random.between(50, 800))
      await sleep(random.between(1_000, 4_000))
    },
  },
]
