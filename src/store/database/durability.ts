import type { ClickHouseSettings } from '@clickhouse/client'

/**
 * Durability levels: what an acknowledged write survives. `process`: the end of any process, including `kill -9`.
 * `power`: a power failure of the machine. `quorum`: the loss of a replica. See docs/durability.md.
 */
export const DURABILITIES = ['process', 'power', 'quorum'] as const
export type Durability = (typeof DURABILITIES)[number]

/** How long replicas may take to confirm. Shorter than the retry window, so that the insert is retried. */
const QUORUM_TIMEOUT_MS = 10_000

/** Settings of one insert. `token` is the same for all its attempts and is only needed with replicas. */
export function insertSettings(durability: Durability, token: string): ClickHouseSettings {
  if (durability !== 'quorum') return {}
  return {
    insert_quorum: 'auto',
    insert_quorum_parallel: 1,
    insert_quorum_timeout: QUORUM_TIMEOUT_MS,
    insert_deduplicate: 1,
    insert_deduplication_token: token,
    // Otherwise rows that an interrupted attempt did not write into a materialized view stay missing.
    deduplicate_blocks_in_dependent_materialized_views: 1,
  }
}

/**
 * For rows that a mutation reads: every replica runs the mutation independently, and without the rows it would delete
 * nothing. The insert fails while a replica is down.
 */
export function onAllReplicas(replicas: number): ClickHouseSettings {
  if (replicas === 1) return {}
  return {
    insert_quorum: String(replicas),
    insert_quorum_parallel: 1,
    insert_quorum_timeout: QUORUM_TIMEOUT_MS,
  }
}
