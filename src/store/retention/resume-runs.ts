import type { Database } from '../database/database.ts'
import type { RenewLease } from '../jobs/leases.ts'
import { closeRun, listOpenRuns } from './deletion-runs.ts'
import { completeErasure } from './erase.ts'
import { carryOut, type DeletedCalls } from './run-cutoffs.ts'

/**
 * Carries out what an interrupted process has selected and not deleted completely, also erasures. Call it under the lease of retention.
 * A run that fails again is closed: the next selection finds what it left.
 */
export async function resumeRuns(
  db: Database,
  renew: RenewLease,
  onError: (error: unknown) => void,
): Promise<DeletedCalls> {
  const total = { calls: 0, payloads: 0 }
  for (const run of await listOpenRuns(db)) {
    await renew()
    try {
      if (run.reason === 'erasure') await completeErasure(db, run, renew)
      else {
        const { calls, payloads } = await carryOut(db, run, renew)
        total.calls += calls
        total.payloads += payloads
      }
    } catch (error) {
      await renew()
      await closeRun(db, run.run_id)
      onError(error)
    }
  }
  return total
}
