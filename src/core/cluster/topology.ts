/**
 * The ClickHouse servers of a cluster, from the file that HEDDLE_CLUSTER names. Shards hold different calls, the replicas
 * of a shard the same ones.
 */
export interface Topology {
  readonly shards: readonly [Shard, ...Shard[]]
  /** Undefined: tables are not replicated, and every shard is one server. */
  readonly replication: Replication | undefined
}

export interface Shard {
  /** Its position in the file, from 1. It never changes: calls are found by it. */
  readonly number: number
  /** In order of preference: statements use the first one that responds. */
  readonly replicas: readonly [Replica, ...Replica[]]
  /** Shards of a later generation were added to a cluster with calls (placement.ts). */
  readonly generation: number
  /** It is read, but new calls are still stored on the shards of earlier generations. */
  readonly isJoining: boolean
}

export interface Replica {
  /** HTTP, where Heddle sends statements. */
  readonly url: string
  /** Host and port of the native protocol, where other ClickHouse servers read from. */
  readonly native: string
}

/** Arguments of replicated table engines. ClickHouse replaces `{shard}`, `{replica}`, `{database}` and `{table}`. */
export interface Replication {
  readonly path: string
  readonly replica: string
}
