import type { ClickHouseClient } from '@clickhouse/client'

/** What a server with replicated tables has, so that a node returns to it only when it has everything. */

/**
 * `down`: it does not respond. `read-only`: it has lost Keeper, and accepts nothing. `lagging`: it lacks parts that other
 * replicas have. A server whose tables are not replicated is `complete`.
 */
export type ReplicaState = 'down' | 'read-only' | 'lagging' | 'complete'

/**
 * Entries that it has not read from Keeper or not copied yet. A delay alone would not do: it is 0 within the first second.
 * The connection names the database.
 */
const SELECT_STATE = `SELECT count() > 0 AND max(is_readonly OR is_session_expired) AS read_only,
    count() > 0 AND max(absolute_delay > 0 OR inserts_in_queue > 0 OR log_pointer <= log_max_index) AS lagging
FROM system.replicas WHERE database = currentDatabase()`

interface StateRow {
  readonly read_only: number
  readonly lagging: number
}

/** Never throws. The client has the timeout of a ping. */
export async function readReplicaState(client: ClickHouseClient): Promise<ReplicaState> {
  try {
    const result = await client.query({ query: SELECT_STATE, format: 'JSONEachRow' })
    const [row] = await result.json<StateRow>()
    if (row === undefined) return 'down'
    if (row.read_only !== 0) return 'read-only'
    return row.lagging === 0 ? 'complete' : 'lagging'
  } catch {
    return 'down'
  }
}

/**
 * The index of the server to use: the first that is complete. If none is, an incomplete one is better than none: the one in
 * use, which has at least what this node stored, then others; read-only ones last. -1 if none responds.
 */
export function preferredReplica(states: readonly ReplicaState[], inUse: number): number {
  const complete = states.indexOf('complete')
  if (complete >= 0) return complete
  for (const state of ['lagging', 'read-only'] as const) {
    if (states[inUse] === state) return inUse
    const index = states.indexOf(state)
    if (index >= 0) return index
  }
  return -1
}
