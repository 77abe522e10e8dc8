import type { RenewLease } from '../../store/jobs/leases.ts'
import { listDaysWithCalls, listProjectsBefore } from '../../store/retention/disk.ts'
import { listPolicies } from '../../store/retention/policies.ts'
import { reclaimDeleted } from '../../store/retention/reclaim.ts'
import { type DeletedCalls, runCutoffs } from '../../store/retention/run-cutoffs.ts'
import type { Deps } from '../deps.ts'

/** Calls of the last day are never deleted to free the disk. */
const MIN_AGE_MICROS = 86_400_000_000n
/** Days that one run deletes at most. */
const MAX_DAYS = 31
/** It frees a little more, so that not every run has to. */
const MARGIN_PERCENT = 2

interface FreeDiskOptions {
  readonly diskPercent: () => Promise<number>
  readonly untilPercent: number
  readonly renew: RenewLease
}

/** Deletes the oldest calls of all projects, day by day, until the disk is no longer full. What retention keeps stays. */
export async function freeDisk(
  { db, now }: Deps,
  { diskPercent, untilPercent, renew }: FreeDiskOptions,
): Promise<DeletedCalls> {
  const tags = new Map((await listPolicies(db)).map((policy) => [policy.project_id, policy.keep_tags]))
  let calls = 0
  for (const callsBefore of await listDaysWithCalls(db, now() - MIN_AGE_MICROS, MAX_DAYS)) {
    const cutoffs = (await listProjectsBefore(db, callsBefore)).map((project_id) => ({
      project_id,
      callsBefore,
      payloadsBefore: undefined,
      keep_tags: tags.get(project_id) ?? [],
    }))
    calls += (await runCutoffs(db, cutoffs, 'disk', renew)).calls
    await reclaimDeleted(db, renew, 0)
    if ((await diskPercent()) < untilPercent - MARGIN_PERCENT) break
  }
  return { calls, payloads: 0 }
}
