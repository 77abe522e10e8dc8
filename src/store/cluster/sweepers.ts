import type { RecordClock } from '../../core/calls/record-clock.ts'
import { Sweeper } from '../calls/sweeper.ts'
import { reconcileLeftovers } from '../calls/unreconciled.ts'
import type { Database } from '../database/database.ts'
import { ClusterDatabase } from './cluster-database.ts'
import { joinSplitCalls } from './split-calls.ts'

/** A sweeper for each shard, and one for calls that two shards have, which only a cluster with added shards needs. */
export function createSweepers(
  db: Database,
  clock: RecordClock,
  onError: (error: unknown) => void,
): readonly Sweeper[] {
  const sweepers = db.shards.map(
    (shard) => new Sweeper(shard, (seconds) => reconcileLeftovers(shard, clock, seconds), onError),
  )
  if (db instanceof ClusterDatabase && db.isGrown)
    sweepers.push(new Sweeper(db, (seconds) => joinSplitCalls(db, clock, seconds), onError))
  return sweepers
}
