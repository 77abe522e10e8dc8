import { RawJson } from '../contract/raw-json.ts'
import type { StoredCallRow } from '../core/call-view.ts'
import { costsOf, modelsOf } from '../core/cost.ts'
import { find } from '../core/json/navigate.ts'
import { parseTime } from '../core/time.ts'
import { findPrices } from '../store/prices.ts'
import type { Deps } from './deps.ts'

/** What these calls cost, by call id; a call without usage or without a price is not among them. */
export async function costsOfCalls(
  deps: Pick<Deps, 'db' | 'defaultPrices'>,
  project_id: string,
  rows: readonly StoredCallRow[],
): Promise<Map<string, RawJson>> {
  const used = rows.map((row) => ({ row, usage: usageOf(row) }))
  await deps.defaultPrices.ready()
  const prices = await findPrices(
    deps.db,
    project_id,
    used.flatMap(({ usage }) => modelsOf(usage)),
  )
  const costs = new Map<string, RawJson>()
  for (const { row, usage } of used) {
    const cost = costsOf(usage, prices, parseTime(row.started_at) ?? 0n)
    if (cost !== undefined) costs.set(row.id, cost)
  }
  return costs
}

function usageOf(row: StoredCallRow): RawJson | undefined {
  return row.summary === undefined || row.summary === ''
    ? undefined
    : find(RawJson.fromText(row.summary), 'usage')
}
