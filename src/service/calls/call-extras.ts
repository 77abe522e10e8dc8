import type { RawJson } from '../../contract/raw-json.ts'
import type { CallExtras, StoredCallRow } from '../../core/calls/call-view.ts'
import type { Database } from '../../store/database/database.ts'
import { sizesOfTraces } from '../../store/calls/sizes.ts'
import { listUsers } from '../../store/access/users.ts'
import { costsOfCalls } from './call-costs.ts'
import { feedbackOfCalls } from './call-feedback.ts'
import type { Deps } from '../deps.ts'

/** What a reader asked for beside the calls themselves. */
interface Asked {
  readonly include_costs?: boolean | null | undefined
  readonly include_feedback?: boolean | null | undefined
  readonly include_usernames?: boolean | null | undefined
  readonly include_total_storage_size?: boolean | null | undefined
}

/** Looks it up for all of these calls at once; the answer tells it for each. */
export async function callExtras(
  deps: Deps,
  project_id: string,
  asked: Asked,
  rows: readonly StoredCallRow[],
): Promise<(row: StoredCallRow) => CallExtras> {
  const { db } = deps
  const [costs, feedback, usernames, sizes] = await Promise.all([
    asked.include_costs === true ? costsOfCalls(deps, project_id, rows) : undefined,
    asked.include_feedback === true ? feedbackOfCalls(db, project_id, rows) : undefined,
    asked.include_usernames === true ? usernamesById(db) : undefined,
    asked.include_total_storage_size === true
      ? sizesOfTraces(db, project_id, [...new Set(rows.filter(isRoot).map((row) => row.trace_id))])
      : undefined,
  ])
  const stale = staleExtras(deps)
  return (row) => ({
    ...stale,
    costs: costs?.get(row.id)?.costs,
    unpriced: costs?.get(row.id)?.unpriced,
    ...(feedback === undefined ? {} : { feedback: feedback.get(row.id) ?? ([] as RawJson[]) }),
    ...(usernames === undefined ? {} : { wb_username: usernames.get(row.wb_user_id ?? '') ?? null }),
    ...(sizes === undefined || !isRoot(row) ? {} : { total_storage_size_bytes: sizes.get(row.trace_id) }),
  })
}

/** What every reader is told: since when a running call is stale. */
export function staleExtras({ now, staleAfterMs }: Pick<Deps, 'now' | 'staleAfterMs'>): CallExtras {
  return staleAfterMs === 0 ? {} : { staleBefore: now() - BigInt(staleAfterMs) * 1000n }
}

/** Of a call in the middle of a trace it would say nothing. */
function isRoot(row: StoredCallRow): boolean {
  return row.parent_id === ''
}

async function usernamesById(db: Database): Promise<ReadonlyMap<string, string>> {
  return new Map((await listUsers(db)).map((user) => [user.user_id, user.username]))
}
