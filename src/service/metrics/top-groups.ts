import { ApiError } from '../../contract/api-error.ts'
import type { AdditiveMetric } from '../../contract/metrics/metrics.ts'
import { compareDecimals } from '../../core/costs/decimal.ts'
import { GroupMetrics } from '../../core/metrics/metrics.ts'
import { groupKeyText, listTopGroups } from '../../store/metrics/metrics.ts'
import type { Deps } from '../deps.ts'
import { type MetricsPlan, TooManyRows, groupKeys, readGroups } from './group-metrics.ts'

/** Selects the largest groups of a metrics request. */

/** Above this many rows, the largest groups are determined first and only they are read. */
const MAX_ROWS = 20_000

/** Maximum rows of tokens per group, model and price for a ranking by cost. */
const MAX_COST_ROWS = 200_000

interface RankedGroups {
  readonly top: readonly GroupMetrics[]
  readonly other: GroupMetrics | undefined
}

/**
 * Reads all groups if they are few. Otherwise it determines the largest groups first, then reads those. One more
 * query reads the sum of the rest.
 */
export async function topGroups(deps: Deps, plan: MetricsPlan): Promise<RankedGroups> {
  const { selection } = plan
  if (selection.groups.names.length === 0) {
    const [all = new GroupMetrics([])] = await readGroups(deps, plan, selection)
    return { top: [all], other: undefined }
  }
  const few = await readGroups(deps, plan, selection, MAX_ROWS).catch(undefinedIfTooMany)
  const groups = few ?? (await largestGroups(deps, plan))
  const top = rankGroups(groups, plan.rank).slice(0, plan.top)
  if (few !== undefined && few.length <= plan.top) return { top, other: undefined }
  const keys = top.map((group) => groupKeyText(group.keys))
  const [other] = await readGroups(deps, plan, { ...selection, among: { keys, is: false } })
  return { top, other }
}

function undefinedIfTooMany(error: unknown): undefined {
  if (!(error instanceof TooManyRows)) throw error
}

/** Reads the largest groups when there are too many to read all. */
async function largestGroups(deps: Deps, plan: MetricsPlan): Promise<GroupMetrics[]> {
  const { selection, rank, top } = plan
  let keys: string[]
  if (rank === 'cost') {
    const withoutBuckets = { ...selection, buckets: { ...selection.buckets, calendar: 'none' as const } }
    const costs = { ...plan, measures: ['cost' as const] }
    const groups = await readGroups(deps, costs, withoutBuckets, MAX_COST_ROWS).catch(undefinedIfTooMany)
    if (groups === undefined) {
      const reason = 'too many groups to rank by cost; choose a shorter time range, or rank by total_tokens'
      throw new ApiError('unprocessable', reason)
    }
    keys = rankGroups(groups, rank)
      .slice(0, top)
      .map((group) => groupKeyText(group.keys))
  } else {
    const rows = await listTopGroups(deps.db, selection, rank, top)
    keys = rows.map((row) => groupKeyText(groupKeys(row, selection)))
  }
  return readGroups(deps, plan, { ...selection, among: { keys, is: true } })
}

function rankGroups(groups: readonly GroupMetrics[], rank: AdditiveMetric): GroupMetrics[] {
  const keys = new Map(groups.map((group) => [group, Buffer.from(groupKeyText(group.keys))]))
  return [...groups].sort((a, b) => {
    const byRank =
      rank === 'cost'
        ? compareDecimals(b.totals.cost, a.totals.cost)
        : Math.sign(b.totals.value(rank) - a.totals.value(rank))
    return byRank === 0 ? Buffer.compare(keys.get(a)!, keys.get(b)!) : byRank
  })
}
