import type { RecordClock } from '../../core/calls/record-clock.ts'
import { type CallKey, callKey } from '../calls/call-keys.ts'
import { isInserted, lastSeconds, type Period, RECONCILE_BATCH, SLICE_MICROS } from '../calls/unreconciled.ts'
import { fromAllProjects, fromAllProjectsOfShards } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { CallPresences } from './call-presence.ts'
import type { ClusterDatabase } from './cluster-database.ts'
import { remoteTable } from './cluster-tables.ts'
import { moveToFirstCandidate } from './move-calls.ts'

/**
 * Repairs calls that two shards have, because a writer crashed before it looked at the other candidates, or ClickHouse
 * completed an abandoned insert (sharded-call-writer.ts). Returns the number of calls that were moved.
 */
export async function joinSplitCalls(
  db: ClusterDatabase,
  clock: RecordClock,
  withinSeconds: number,
): Promise<number> {
  const { from: first, to } = await lastSeconds(db.firstShard, withinSeconds)
  const presences = new CallPresences(db)
  let joined = 0
  for (let from = first; from <= to; from += SLICE_MICROS) {
    const found = await findOnSeveralShards(db, { from, to: from + SLICE_MICROS })
    for (let i = 0; i < found.length; i += RECONCILE_BATCH) {
      const calls = found.slice(i, i + RECONCILE_BATCH).map(({ project_id, id }) => ({
        project_id,
        id,
        candidates: db.candidates(project_id, id),
      }))
      const homes = await presences.findHomes(calls)
      const split = calls.filter((call) => homes.get(callKey(call))?.isSplit === true)
      await moveToFirstCandidate(db, clock, split)
      joined += split.length
    }
  }
  return joined
}

/**
 * Ids written recently on a shard of a later generation that a shard of an earlier one has too. The earlier shard fetches the
 * ids; there are usually none in both, so Heddle reads next to nothing.
 */
async function findOnSeveralShards(db: ClusterDatabase, period: Period): Promise<CallKey[]> {
  const { shards } = db.topology
  const found = new Map<string, CallKey>()
  for (const [index, shard] of db.shards.entries()) {
    const generation = shards[index]?.generation ?? 1
    const later = shards.filter((other) => other.generation > generation)
    if (later.length === 0) continue
    const written = remoteTable({ source: shard.name, ...shard.settings }, 'calls', later)
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
