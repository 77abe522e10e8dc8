import { ApiError } from '../../contract/api-error.ts'
import { parseFieldMeasure } from '../../contract/metrics/field-measures.ts'
import type { MetricsRequest } from '../../contract/metrics/metrics.ts'
import type { ResponseOf } from '../../contract/operations.ts'
import type { GroupMetrics } from '../../core/metrics/metrics.ts'
import { calendarBuckets } from '../../core/metrics/time-buckets.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { formatTime } from '../../core/time/time.ts'
import { findPriceChanges } from '../../store/costs/prices.ts'
import type { MetricsSelection } from '../../store/metrics/metrics.ts'
import { selectMetrics } from '../../store/metrics/metrics-selection.ts'
import { bucketTimestamp, listBuckets } from '../../store/metrics/project-stats.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { type MetricsPlan, isUsageMetric } from './group-metrics.ts'
import { topGroups } from './top-groups.ts'

/** Handler for a project's metrics over time, grouped and ranked. */

/** Maximum values in a response, groups × buckets × metrics. More would exhaust the client's memory. */
const MAX_VALUES = 2_000_000

const DEFAULT_TOP = 10

export function metricsHandlers(deps: Deps): Pick<Handlers, 'project_metrics'> {
  return {
    project_metrics: async (request) => {
      const { project_id } = request
      const group_by = [...new Set(request.group_by)]
      const { bucket, buckets } = calendarBuckets(request, deps.now())
      const query = parseQuery(request.query)
      const selection = await selectMetrics(deps, {
        project_id,
        filter: request.filter,
        query,
        text: request.text,
        group_by,
        fields: request.measures?.flatMap((name) => parseFieldMeasure(name)?.field ?? []),
        buckets,
      })
      const times = bucket === 'none' ? [] : await listBuckets(deps.db, buckets)
      const plan = await planMetrics(deps, request, selection, times)
      const { top, other } = await topGroups(deps, plan)
      if ((top.length + 1) * times.length * plan.measures.length > MAX_VALUES) {
        const reason = `${top.length} groups × ${times.length} buckets × ${plan.measures.length} metrics exceed ${MAX_VALUES} values; choose larger buckets or fewer groups`
        throw new ApiError('invalid_request', reason)
      }
      const view = (group: GroupMetrics, names: readonly string[]) => group.view(names, plan.measures, times)
      return {
        start: formatTime(buckets.start),
        end: formatTime(buckets.end),
        bucket,
        timezone: buckets.timezone,
        timestamps: times.map(bucketTimestamp),
        groups: top.map((group) => view(group, group_by)),
        other: other === undefined ? null : view(other, []),
      } satisfies ResponseOf<'project_metrics'>
    },
  }
}

async function planMetrics(
  deps: Deps,
  request: MetricsRequest,
  selection: MetricsSelection,
  times: readonly number[],
): Promise<MetricsPlan> {
  const measures = [...new Set(request.measures ?? (['count', 'errors'] as const))]
  const rank = request.rank_by ?? 'count'
  const isUsage = [...measures, rank].some(isUsageMetric)
  if (isUsage) await deps.defaultPrices.ready()
  const changes = isUsage
    ? await findPriceChanges(deps.db, selection.project_id, selection.buckets)
    : undefined
  return { selection, measures, rank, top: request.top ?? DEFAULT_TOP, changes, times }
}
