import { randomUUID } from 'node:crypto'
import type { Micros } from '../../core/time/time.ts'
import { readClock } from '../calls/write/clock-sync.ts'
import type { Database } from '../database/database.ts'
import type { RenewLease } from '../jobs/leases.ts'
import { fromList } from '../query/scope.ts'
import { sql } from '../query/sql.ts'
import { recordDeletions } from './call-deletions.ts'
import { deleteOldCalls } from './delete-calls.ts'
import { closeRun, type DeletionReason, type DeletionRun, isRunComplete, openRun } from './deletion-runs.ts'
import { expireOldPayloads } from './expire-payloads.ts'
import { countDeletions, findDueProjects } from './retention-plan.ts'
import { endList, type ProjectCutoffs, selectCalls, selectKeptCalls } from './selected-calls.ts'

/** What was deleted in all projects of a run. */
export interface DeletedCalls {
  readonly calls: number
  readonly payloads: number
}

/** Deletes what is older than the cutoffs of its project, in all these projects at once, except what is to be kept. */
export async function runCutoffs(
  db: Database,
  cutoffs: readonly ProjectCutoffs[],
  reason: DeletionReason,
  renew: RenewLease,
): Promise<DeletedCalls> {
  const run = await selectRun(db, cutoffs, reason)
  if (run === undefined) return { calls: 0, payloads: 0 }
  await renew()
  await openRun(db, run)
  return completeRun(db, run, renew)
}

/** Lists the calls to keep and counts the others. Nothing is deleted yet. Undefined: nothing is old enough. */
async function selectRun(
  db: Database,
  cutoffs: readonly ProjectCutoffs[],
  reason: DeletionReason,
): Promise<DeletionRun | undefined> {
  const selectedAt = await readEarliestClock(db)
  const due = await findDueProjects(db, cutoffs)
  const dueCutoffs = cutoffs.filter(({ project_id }) => due.has(project_id))
  if (dueCutoffs.length === 0) return undefined
  const run_id = randomUUID()
  await selectCalls(db, run_id, selectKeptCalls(dueCutoffs))
  await endList(db, run_id)
  const kept = sql`SELECT project_id, id ${fromList(run_id)}`
  const counts = await countDeletions(db, dueCutoffs, { kept, storedBefore: selectedAt })
  const projects = dueCutoffs.map(({ project_id, callsBefore, payloadsBefore }) => ({
    project_id,
    callsBefore,
    payloadsBefore,
    calls: counts.get(project_id)?.calls.count ?? 0,
    payloads: counts.get(project_id)?.payloads.count ?? 0,
  }))
  return { run_id, reason, selectedAt, projects }
}

/** `inserted_at` is the time of the shard that has the row. */
async function readEarliestClock(db: Database): Promise<Micros> {
  const clocks = await Promise.all(db.shards.map(async (shard) => (await readClock(shard)) ?? 0n))
  return clocks.reduce((a, b) => (a < b ? a : b))
}

/** Carries out a run that is open, and closes it. It can be repeated, and by two nodes at once. */
export async function completeRun(db: Database, run: DeletionRun, renew: RenewLease): Promise<DeletedCalls> {
  try {
    for (const shard of db.shards) {
      await deleteOldCalls(shard, run, renew)
      await expireOldPayloads(shard, run, renew)
    }
    await requireComplete(db, run.run_id)
  } catch (error) {
    // Some calls may be gone. If this fails too, the run that resumes this one records it.
    await recordRun(db, run, () => 0).catch(() => {})
    throw error
  }
  await renew()
  await recordRun(db, run, (count) => count)
  await closeRun(db, run.run_id)
  const sum = (of: (project: DeletedCalls) => number): number =>
    run.projects.reduce((total, project) => total + of(project), 0)
  return { calls: sum(({ calls }) => calls), payloads: sum(({ payloads }) => payloads) }
}

/** Without its list, a run deletes nothing, and cannot be resumed. */
export async function requireComplete(db: Database, run_id: string): Promise<void> {
  if (await isRunComplete(db, run_id)) return
  await closeRun(db, run_id)
  throw new Error(
    `the list of calls of deletion run ${run_id} is gone or was closed by another node; what was not deleted before stays until the next run`,
  )
}

async function recordRun(
  db: Database,
  { run_id, reason, projects }: DeletionRun,
  count: (count: number) => number,
): Promise<void> {
  const deletions = projects
    .filter(({ calls, payloads }) => calls + payloads > 0)
    .map(({ project_id, calls, payloads }) => ({
      project_id,
      run_id,
      reason,
      calls: count(calls),
      payloads: count(payloads),
    }))
  await recordDeletions(db, deletions)
}
