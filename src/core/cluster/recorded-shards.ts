import type { Shard } from './topology.ts'

/**
 * Checks the file of HEDDLE_CLUSTER against what the servers have recorded of the cluster when nodes were started with
 * earlier files. A file that would look for calls on the wrong shard, or not at all, is refused.
 */

export interface RecordedShard {
  readonly number: number
  readonly generation: number
  readonly isJoining: boolean
}

export interface RecordedServer {
  readonly url: string
  /** In the file. */
  readonly shard: number
  /** As recorded, with the other shards; undefined on a server that no node has used in a cluster. */
  readonly recorded: { readonly shard: number; readonly shards: readonly RecordedShard[] } | undefined
  /** Whether it has calls. */
  readonly isUsed: boolean
}

/** Throws if the file does not fit. */
export function checkRecordedShards(file: readonly Shard[], servers: readonly RecordedServer[]): void {
  const isRecorded = servers.some(({ recorded }) => recorded !== undefined)
  if (!isRecorded) checkFirstStart(file, servers)
  for (const { url, shard, recorded } of servers) {
    if (recorded === undefined) continue
    if (recorded.shard !== shard)
      throw new Error(
        `${url} is shard ${recorded.shard} of this database, and the file of HEDDLE_CLUSTER names it as shard ${shard}: keep the order of the shards, and append new ones`,
      )
    for (const known of recorded.shards) checkKnownShard(file, known)
    for (const each of file) checkNewShard(each, recorded.shards)
  }
}

/** A single server that becomes a cluster keeps its calls, so it must be the only shard of generation 1. */
function checkFirstStart(file: readonly Shard[], servers: readonly RecordedServer[]): void {
  const used = new Set(servers.filter(({ isUsed }) => isUsed).map(({ shard }) => shard))
  const [only, ...others] = used
  // No calls: a new cluster. Calls on several shards: they were copied from a cluster.
  if (only === undefined || others.length > 0) return
  if (only !== 1)
    throw new Error(
      `the server of shard ${only} has calls, and the others have none: name it as the first shard in the file of HEDDLE_CLUSTER`,
    )
  const wrong = file.find(
    ({ number, generation, isJoining }) => number > 1 && (generation === 1 || !isJoining),
  )
  if (wrong !== undefined)
    throw new Error(
      `the first shard has calls, so shard ${wrong.number} is added to it: give it "generation": 2 and "joining": true in the file of HEDDLE_CLUSTER, start all nodes with that file, then remove "joining"`,
    )
}

/** Calls may be on each shard that was ever in use; a joining one has none. */
function checkKnownShard(file: readonly Shard[], known: RecordedShard): void {
  if (known.isJoining) return
  const found = file.find(({ number }) => number === known.number)
  if (found === undefined)
    throw new Error(
      `shard ${known.number} has calls, and is not in the file of HEDDLE_CLUSTER: use the file of the other nodes`,
    )
  if (found.generation !== known.generation)
    throw new Error(
      `shard ${known.number} is of generation ${known.generation}, and ${found.generation} in the file of HEDDLE_CLUSTER: a generation never changes`,
    )
}

/** Nodes that run with an earlier file would not look for calls there. */
function checkNewShard(shard: Shard, recorded: readonly RecordedShard[]): void {
  if (shard.isJoining) return
  const known = recorded.find(({ number }) => number === shard.number)
  if (known?.generation === shard.generation) return
  const latest = Math.max(
    ...recorded.filter(({ isJoining }) => !isJoining).map(({ generation }) => generation),
  )
  if (shard.generation <= latest)
    throw new Error(
      `shard ${shard.number} is new: its generation in the file of HEDDLE_CLUSTER must be ${latest + 1}, with "joining": true`,
    )
  throw new Error(
    `shard ${shard.number} is new: set "joining": true for it in the file of HEDDLE_CLUSTER, start all nodes with that file, then remove "joining"`,
  )
}
