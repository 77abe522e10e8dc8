import { type Sweep, Sweeper } from '../calls/write/sweeper.ts'
import { repairWritten } from '../calls/write/unreconciled.ts'
import type { Database } from '../database/database.ts'
import { type ClusterDatabase, isCluster } from './cluster-database.ts'
import { joinSplitCalls } from './split-calls.ts'
import type { WriteContext } from '../calls/write/write-context.ts'

/** The same on every server: a restored database begins with a recorded sweep. */
export const CALLS_SWEEP = 'sweep of calls'
const SPLIT_CALLS_SWEEP = 'sweep of split calls'

/** A sweeper for each shard, and one for calls that two shards have, which only a cluster with added shards needs. */
export function createSweepers(
  db: Database,
  context: WriteContext,
  onError: (error: unknown) => void,
): readonly Sweeper[] {
  const sweepers = db.shards.map((shard) => new Sweeper(shard, callsSweep(shard, context), onError))
  if (isCluster(db) && db.cluster.isGrown)
    sweepers.push(new Sweeper(db, splitCallsSweep(db, context), onError))
  return sweepers
}

function callsSweep(shard: Database, context: WriteContext): Sweep {
  return { job: CALLS_SWEEP, repair: (period) => repairWritten(shard, context, period) }
}

function splitCallsSweep(db: ClusterDatabase, context: WriteContext): Sweep {
  return { job: SPLIT_CALLS_SWEEP, repair: (period) => joinSplitCalls(db, context, period) }
}
