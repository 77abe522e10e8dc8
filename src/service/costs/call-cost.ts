import { ApiError } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { explainCosts, type UsedTokens } from '../../core/costs/call-cost.ts'
import { parseDecimal } from '../../core/costs/decimal.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { reportedInAttributes } from '../../core/costs/reported-cost.ts'
import { parseTimeField } from '../../core/metrics/time-buckets.ts'
import { EARLIEST, LATEST, parseTime } from '../../core/time/time.ts'
import { usageEntries } from '../../core/costs/usage.ts'
import { findCall } from '../../store/calls/read/select-calls.ts'
import { listReportedUsage } from '../../store/calls/read/stats.ts'
import { findPriceChanges } from '../../store/costs/prices.ts'
import { recordedUsage } from '../calls/call-costs.ts'
import { pricedTokens } from './priced-tokens.ts'
import type { Deps } from '../deps.ts'
import { findModelPrices } from '../../store/costs/model-prices.ts'
import type { Handlers } from '../handler.ts'

/** Handlers that explain costs: one call's, or a project's over time. */
export function callCostHandlers(deps: Deps): Pick<Handlers, 'call_cost' | 'project_costs'> {
  const { db } = deps
  const findUsedPrices = (project_id: string, used: readonly UsedTokens[]) =>
    findModelPrices(
      deps,
      project_id,
      used.map(({ model }) => model),
    )
  return {
    call_cost: async ({ project_id, call_id }) => {
      const row = await findCall(db, project_id, call_id)
      if (row === undefined)
        throw new ApiError(
          'not_found',
          `there is no call ${call_id} in ${project_id}; it may have been deleted`,
        )
      const moment = parseTime(row.started_at) ?? 0n
      const used = usageEntries(recordedUsage(row)).map((entry) => ({ ...entry, moment }))
      const isReported = used.some(({ reported }) => reported !== undefined)
      const reportedCost = isReported
        ? undefined
        : reportedInAttributes(RawJson.fromText(row.attributes || '{}'))
      return explainCosts(used, await findUsedPrices(project_id, used), reportedCost)
    },
    project_costs: async (request) => {
      const { project_id, filter } = request
      const buckets = {
        start: typeof request.start === 'string' ? parseTimeField(request.start, 'start') : EARLIEST,
        end: typeof request.end === 'string' ? parseTimeField(request.end, 'end') : LATEST + 1n,
        seconds: 1,
        timezone: 'UTC',
        calendar: 'none' as const,
      }
      const query = parseQuery(request.query)
      await deps.defaultPrices.ready()
      const changes = await findPriceChanges(db, project_id, buckets)
      const rows = await listReportedUsage(db, { project_id, filter, query, buckets, changes })
      const used = rows.map((row) => ({
        model: row.model,
        moment: parseTime(row.moment) ?? 0n,
        tokens: pricedTokens(row),
        reported: row.is_reported === 1 ? parseDecimal(row.reported_sum ?? '0') : undefined,
      }))
      return explainCosts(used, await findUsedPrices(project_id, used))
    },
  }
}
