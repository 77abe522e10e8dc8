import { randomUUID } from 'node:crypto'
import { type Micros, parseTime } from '../../core/time/time.ts'
import { readClock } from '../calls/write/clock-sync.ts'
import type { Database } from '../database/database.ts'
import type { RenewLease } from '../jobs/leases.ts'
import { fromList } from '../query/scope.ts'
import { sql } from '../query/sql.ts'
import { recordDeletions } from './call-deletions.ts'
import { deleteOldCalls } from './delete-calls.ts'
import {
  closeRun,
  type DeletionReason,
  type DeletionRun,
  isRunComplete,
  LostListError,
  openRun,
} from './deletion-runs.ts'
import { expireOldPayloads } from './expire-payloads.ts'
import { countDeletions, findDueProjects } from './retention-plan.ts'
import { listPolicies } from './policies.ts'
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
  const run = await selectRun(db, cutoffs, reason, await readEarliestClock(db))
  if (run === undefined) return NOTHING
  await renew()
  await openRun(db, run)
  return carryOut(db, run, renew)
}

const NOTHING: DeletedCalls = { calls: 0, payloads: 0 }

/**
 * Carries out a run that is open. If its list is gone, it is selected again, with the same times: what it has left in the other tables
 * may not be found later, because a project whose calls are deleted is within its limit of bytes again.
 */
export async function carryOut(db: Database, run: DeletionRun, renew: RenewLease): Promise<DeletedCalls> {
  try {
    return await completeRun(db, run, renew)
  } catch (error) {
    if (!(error instanceof LostListError)) throw error
  }
  const again = await selectRun(db, await findCutoffsOfRun(db, run), run.reason, run.selectedAt)
  await renew()
  if (again !== undefined) await openRun(db, again)
  await closeRun(db, run.run_id)
  return again === undefined ? NOTHING : completeRun(db, again, renew)
}

/** Without projects whose policy was changed or removed since: it may keep more now. */
async function findCutoffsOfRun(
  db: Database,
  { projects, reason, selectedAt }: DeletionRun,
): Promise<ProjectCutoffs[]> {
  const policies = new Map((await listPolicies(db)).map((policy) => [policy.project_id, policy]))
  return projects.flatMap(({ project_id, callsBefore, payloadsBefore }) => {
    const policy = policies.get(project_id)
    const changedAt = policy === undefined ? undefined : parseTime(policy.changed_at)
    const isUnchanged = changedAt !== undefined && changedAt < selectedAt
    if (!isUnchanged && reason !== 'disk') return []
    return [{ project_id, callsBefore, payloadsBefore, keep_tags: policy?.keep_tags ?? [] }]
  })
}

/** Lists the calls to keep and counts the others. Nothing is deleted yet. Undefined: nothing is old enough. */
async function selectRun(
  db: Database,
  cutoffs: readonly ProjectCutoffs[],
  reason: DeletionReason,
  selectedAt: Micros,
): Promise<DeletionRun | undefined> {
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

/** Deletes what the run has selected, and closes it. It can be repeated, and by two nodes at once. */
async function completeRun(db: Database, run: DeletionRun, renew: RenewLease): Promise<DeletedCalls> {
  try {
    for (const shard of db.shards) {
      await deleteOldCalls(shard, run, renew)
      await expireOldPayloads(shard, run, renew)
    }
    if (!(await isRunComplete(db, run.run_id))) throw new LostListError(run.run_id)
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
