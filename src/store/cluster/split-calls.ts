import { type CallKey, callKey } from '../calls/write/call-keys.ts'
import { isInserted, listWrittenSlices, type Period, RECONCILE_BATCH } from '../calls/write/unreconciled.ts'
import { fromAllProjects, fromAllProjectsOfShards } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { CallPresences } from './call-presence.ts'
import type { ClusterDatabase } from './cluster-database.ts'
import { remoteTable } from './cluster-tables.ts'
import { moveToFirstCandidate } from './move-calls.ts'
import type { WriteContext } from '../calls/write/write-context.ts'

/**
 * Repairs calls that two shards have, because a writer crashed before it looked at the other candidates, or ClickHouse
 * completed an abandoned insert (sharded-call-writer.ts). Returns the number of calls that were moved.
 */
export async function joinSplitCalls(
  db: ClusterDatabase,
  context: WriteContext,
  period: Period,
): Promise<number> {
  const presences = new CallPresences(db)
  let joined = 0
  for (const slice of await listWrittenSlices(db, period)) {
    const found = await findOnSeveralShards(db, slice)
    for (let i = 0; i < found.length; i += RECONCILE_BATCH) {
      const calls = found.slice(i, i + RECONCILE_BATCH).map(({ project_id, id }) => ({
        project_id,
        id,
        candidates: db.candidates(project_id, id),
      }))
      const homes = await presences.findHomes(calls)
      const split = calls.filter((call) => homes.get(callKey(call))?.isSplit === true)
      await moveToFirstCandidate(db, context, split)
      joined += split.length
    }
  }
  return joined
}

/**
 * Ids of calls inserted recently on a shard that a shard of another generation has too. That shard fetches the ids; there are
 * usually none in both, so Heddle reads next to nothing. In both directions, because a shard that has only an end or a name has
 * no row in `calls`.
 */
async function findOnSeveralShards(db: ClusterDatabase, period: Period): Promise<CallKey[]> {
  const { shards } = db.cluster.topology
  const found = new Map<string, CallKey>()
  for (const [index, shard] of db.shards.entries()) {
    const generation = shards[index]?.generation ?? 1
    const others = shards.filter((other) => other.generation !== generation)
    if (others.length === 0) continue
    const written = remoteTable({ source: shard.name, ...shard.settings }, 'calls', others)
    const statement = selectOnSeveralShards(written, period)
    const rows = await shard.rows<CallKey>(statement, {
      name: 'calls on several shards',
      kind: 'scan',
      hasSecrets: true,
    })
    for (const row of rows) found.set(callKey(row), row)
  }
  return [...found.values()]
}

/** `calls`, not an index of it: an interrupted insert may be missing there (unreconciled.ts). */
export function selectOnSeveralShards(calls: Sql, period: Period): Sql {
  return sql`SELECT DISTINCT project_id, id ${fromAllProjects('call_ids')}
WHERE (project_id, id) IN (SELECT project_id, id ${fromAllProjectsOfShards(calls)} WHERE ${isInserted(period)})`
}
