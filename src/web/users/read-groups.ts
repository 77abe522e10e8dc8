import { SCORE_FIELDS } from '../../client/browser/call-fields.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { groupKey, metricTotal } from '../dashboard/metric-charts.ts'
import type { Filter } from '../filter/ast.ts'
import { toQuery } from '../filter/to-query.ts'
import { readScorePaths } from '../filter/use-known-values.ts'
import { rangeBounds, type TimeRange } from '../time/range.ts'
import { firstStartMs } from '../traces/use-histogram.ts'

/** What people use: the totals of the traces of an end user, of a session or of a thread. */
export interface Activity {
  readonly key: string
  readonly traces: number
  readonly errors: number
  readonly tokens: number
  /** Undefined if no model has a price. */
  readonly cost: number | undefined
  readonly isCostPartial: boolean
  readonly p95LatencyMs: number | null
  /** Mean of each score of its traces, by name; pass or fail counts as 1 or 0. */
  readonly scores: readonly (readonly [name: string, mean: number])[]
}

export type ActivityRank = 'count' | 'errors' | 'total_tokens' | 'cost'

/** The most groups that the server returns. */
export const MAX_GROUPS = 100

/** Scores that a list shows. */
const MAX_SCORES = 5

interface GroupsRequest {
  readonly by: 'end_user' | 'session' | 'thread'
  readonly range: TimeRange
  readonly filter?: Filter
  readonly text?: string
  readonly rank?: ActivityRank
  /** Only the keys are needed: no scores are read. */
  readonly isKeysOnly?: true
}

/** Reads the largest groups of traces in a time range. Traces without the field are not part of any. */
export async function readGroups(
  project: Project,
  request: GroupsRequest,
  signal: AbortSignal,
): Promise<readonly Activity[]> {
  const byRoot = await readGroupsOf('trace_roots_only', project, request, signal)
  // Inner calls have the field, and used tokens, but some root has not: the values of whole traces are needed, which take longer.
  const isIncomplete = request.text === undefined && byRoot.some(({ traces }) => traces === 0)
  return isIncomplete ? readGroupsOf('traces_only', project, request, signal) : byRoot
}

async function readGroupsOf(
  scope: 'trace_roots_only' | 'traces_only',
  project: Project,
  { by, range, filter, text, rank = 'count', isKeysOnly }: GroupsRequest,
  signal: AbortSignal,
): Promise<readonly Activity[]> {
  const { after, before } = rangeBounds(range, Date.now())
  const startMs = after === undefined ? await firstStartMs(project, signal) : Date.parse(after)
  if (startMs === undefined) return []
  const scores = isKeysOnly ? [] : (await readScorePaths(project, signal)).slice(0, MAX_SCORES)
  const { groups } = await api.call(
    'project_metrics',
    {
      ...projectParams(project),
      start: new Date(startMs).toISOString(),
      ...(before === undefined ? {} : { end: before }),
      bucket: 'none',
      filter: { [scope]: text === undefined },
      query: toQuery(filter),
      text,
      group_by: [by],
      measures: ['count', 'errors', 'total_tokens', 'cost', 'p95_latency_ms', ...scores.map(meanOf)],
      top: MAX_GROUPS,
      rank_by: rank,
    },
    signal,
  )
  return groups.flatMap((group): Activity[] => {
    const key = groupKey(group)
    if (key === null || key === '') return []
    return [
      {
        key,
        traces: metricTotal(group, 'count') ?? 0,
        errors: metricTotal(group, 'errors') ?? 0,
        tokens: metricTotal(group, 'total_tokens') ?? 0,
        cost: metricTotal(group, 'cost') ?? undefined,
        isCostPartial: group.unpriced.length > 0,
        p95LatencyMs: metricTotal(group, 'p95_latency_ms'),
        scores: scores.flatMap((path) => {
          const mean = metricTotal(group, meanOf(path))
          return mean === null ? [] : [[path.slice(SCORE_FIELDS.length + 1), mean] as const]
        }),
      },
    ]
  })
}

function meanOf(path: string) {
  return `avg(${path})` as const
}
