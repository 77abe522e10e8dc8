import type { RawJson } from '../../contract/raw-json.ts'
import type { CallExtras, StoredCallRow } from '../../core/calls/call-view.ts'
import type { Database } from '../../store/database/database.ts'
import { sizesOfTraces } from '../../store/calls/read/sizes.ts'
import { listUsers } from '../../store/access/users.ts'
import { findCallCosts } from './call-costs.ts'
import { findCallFeedback } from './call-feedback.ts'
import type { Deps } from '../deps.ts'
import { readTraceTotals } from './trace-totals.ts'

/** Loads the optional parts of call views: costs, feedback, usernames, sizes and totals of traces. */

/** Optional parts of a call view, as a request includes them. */
interface ExtrasOptions {
  readonly include_costs?: boolean | null | undefined
  readonly include_feedback?: boolean | null | undefined
  readonly include_usernames?: boolean | null | undefined
  readonly include_total_storage_size?: boolean | null | undefined
  readonly include_trace_totals?: boolean | null | undefined
}

export function needsExtras(options: ExtrasOptions): boolean {
  return (
    options.include_costs === true ||
    options.include_feedback === true ||
    options.include_usernames === true ||
    options.include_trace_totals === true ||
    options.include_total_storage_size === true
  )
}

/** Loads the requested extras for all rows together. The returned function picks those of one row. */
export async function loadCallExtras(
  deps: Deps,
  project_id: string,
  options: ExtrasOptions,
  rows: readonly StoredCallRow[],
): Promise<(row: StoredCallRow) => CallExtras> {
  const { db } = deps
  const stale = staleExtras(deps)
  if (!needsExtras(options)) return () => stale
  const [costs, feedback, usernames, sizes, totals] = await Promise.all([
    options.include_costs === true ? findCallCosts(deps, project_id, rows) : undefined,
    options.include_feedback === true ? findCallFeedback(db, project_id, rows) : undefined,
    options.include_usernames === true ? usernamesById(db) : undefined,
    options.include_total_storage_size === true
      ? sizesOfTraces(db, project_id, [...new Set(rows.filter(isRoot).map((row) => row.trace_id))])
      : undefined,
    options.include_trace_totals === true ? readTraceTotals(deps, project_id, rows) : undefined,
  ])
  return (row) => ({
    ...stale,
    costs: costs?.get(row.id)?.costs,
    unpriced: costs?.get(row.id)?.unpriced,
    ...(feedback === undefined ? {} : { feedback: feedback.get(row.id) ?? ([] as RawJson[]) }),
    trace_totals: totals?.get(row.trace_id),
    ...(usernames === undefined ? {} : { wb_username: usernames.get(row.wb_user_id ?? '') ?? null }),
    ...(sizes === undefined || !isRoot(row) ? {} : { total_storage_size_bytes: sizes.get(row.trace_id) }),
  })
}

/** Extras of every view: the time before which a running call counts as stale. */
export function staleExtras({ now, staleAfterMs }: Pick<Deps, 'now' | 'staleAfterMs'>): CallExtras {
  return staleAfterMs === 0 ? {} : { staleBefore: now() - BigInt(staleAfterMs) * 1000n }
}

/** The storage size of a trace is shown on its root call only. */
function isRoot(row: StoredCallRow): boolean {
  return row.parent_id === ''
}

async function usernamesById(db: Database): Promise<ReadonlyMap<string, string>> {
  return new Map((await listUsers(db)).map((user) => [user.user_id, user.username]))
}
