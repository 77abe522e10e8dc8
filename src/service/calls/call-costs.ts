import { RawJson } from '../../contract/raw-json.ts'
import type { StoredCallRow } from '../../core/calls/call-view.ts'
import { type CallCosts, costsOf } from '../../core/costs/cost.ts'
import { find } from '../../core/json/navigate.ts'
import { parseTime } from '../../core/time/time.ts'
import { tokensByModel } from '../../core/costs/usage.ts'
import { findPrices } from '../../store/costs/prices.ts'
import type { Deps } from '../deps.ts'

/** What these calls cost, by call id. */
export async function costsOfCalls(
  deps: Pick<Deps, 'db' | 'defaultPrices'>,
  project_id: string,
  rows: readonly StoredCallRow[],
): Promise<ReadonlyMap<string, CallCosts>> {
  const used = rows.map((row) => ({ row, usage: usageOf(row) }))
  await deps.defaultPrices.ready()
  const prices = await findPrices(
    deps.db,
    project_id,
    used.flatMap(({ usage }) => [...tokensByModel(usage).keys()]),
  )
  return new Map(
    used.map(({ row, usage }) => [row.id, costsOf(usage, prices, parseTime(row.started_at) ?? 0n)]),
  )
}

export function usageOf(row: StoredCallRow): RawJson | undefined {
  return row.summary === undefined || row.summary === ''
    ? undefined
    : find(RawJson.fromText(row.summary), 'usage')
}
