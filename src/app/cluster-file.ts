import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Replica, Replication, Shard, Topology } from '../core/cluster/topology.ts'

/** Reads the file of HEDDLE_CLUSTER; docs/deploy/cluster.md describes it. */
export function readTopology(path: string): Topology {
  try {
    return parseTopology(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(
      `HEDDLE_CLUSTER names a file that cannot be used: ${path}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
}

const DEFAULT_REPLICATION: Replication = {
  path: '/clickhouse/tables/{shard}/{database}/{table}',
  replica: '{replica}',
}

const ReplicaSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'must be the HTTP URL of a ClickHouse server' }),
  native: z
    .string()
    .regex(/^[\w.-]+:\d+$/, 'must be the host and port of the native protocol, such as clickhouse-1:9000'),
})

const TopologySchema = z.strictObject({
  shards: z
    .array(
      z.strictObject({
        replicas: z.array(ReplicaSchema).min(1, 'a shard needs at least one replica'),
        generation: z.int().min(1).default(1),
        joining: z.boolean().default(false),
      }),
    )
    .min(1, 'a cluster needs at least one shard'),
  replication: z
    .strictObject({
      path: z.string().includes('{shard}').default(DEFAULT_REPLICATION.path),
      replica: z.string().includes('{replica}').default(DEFAULT_REPLICATION.replica),
    })
    .optional(),
})

/** Throws with the place of the first mistake. */
export function parseTopology(text: string): Topology {
  const parsed = TopologySchema.safeParse(JSON.parse(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`)
  }
  const shards = parsed.data.shards.map(({ replicas, generation, joining }, index): Shard => ({
    number: index + 1,
    replicas: replicas as [Replica, ...Replica[]],
    generation,
    isJoining: joining,
  }))
  const isReplicated = shards.some(({ replicas }) => replicas.length > 1)
  checkGenerations(shards)
  return {
    shards: shards as [Shard, ...Shard[]],
    replication: parsed.data.replication ?? (isReplicated ? DEFAULT_REPLICATION : undefined),
  }
}

function checkGenerations(shards: readonly Shard[]): void {
  const [first] = shards
  if (first?.generation !== 1 || first.isJoining)
    throw new Error('shards.0: the first shard must be of generation 1 and must not be joining')
  shards.forEach((shard, index) => {
    const previous = shards[index - 1]
    if (previous !== undefined && shard.generation < previous.generation)
      throw new Error(
        `shards.${index}.generation: append new shards to the list; their generation is the highest`,
      )
    if (previous !== undefined && previous.isJoining && shard.generation > previous.generation)
      throw new Error(`shards.${index}: shards of generation ${previous.generation} are still joining`)
    if (shard.isJoining && shard.generation === 1)
      throw new Error(`shards.${index}.joining: only shards of a later generation than 1 can be joining`)
    if (previous?.generation === shard.generation && previous.isJoining !== shard.isJoining)
      throw new Error(`shards.${index}.joining: the shards of a generation join together`)
  })
  const servers = shards.flatMap(({ replicas }) => replicas.map(({ url }) => url))
  if (new Set(servers).size < servers.length) throw new Error('shards: a server is named twice')
}
