import { RawJson } from '../../contract/raw-json.ts'
import type { StoredCallRow } from '../../core/calls/call-view.ts'
import { type CallCosts, callCosts } from '../../core/costs/cost.ts'
import { find } from '../../core/json/navigate.ts'
import { parseTime } from '../../core/time/time.ts'
import { tokensByModel } from '../../core/costs/usage.ts'
import { findModelPrices } from '../../store/costs/model-prices.ts'
import type { Deps } from '../deps.ts'

/** Computes the costs of calls from their recorded usage, by call id. */
export async function findCallCosts(
  deps: Pick<Deps, 'db' | 'defaultPrices'>,
  project_id: string,
  rows: readonly StoredCallRow[],
): Promise<ReadonlyMap<string, CallCosts>> {
  const used = rows.map((row) => ({ row, usage: recordedUsage(row) }))
  const models = used.flatMap(({ usage }) => [...tokensByModel(usage).keys()])
  const prices = await findModelPrices(deps, project_id, models)
  return new Map(
    used.map(({ row, usage }) => [row.id, callCosts(usage, prices, parseTime(row.started_at) ?? 0n)]),
  )
}

/** `summary.usage` of a call; undefined if it recorded none. */
export function recordedUsage(row: StoredCallRow): RawJson | undefined {
  return row.summary === undefined || row.summary === ''
    ? undefined
    : find(RawJson.fromText(row.summary), 'usage')
}
