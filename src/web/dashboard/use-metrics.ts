import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BrowserInput, BrowserResponse } from '../../client/browser/client.ts'
import { MAX_SERIES } from '../charts/series.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { rangeBounds } from '../time/range.ts'
import { type ListQuery, listQueryKey } from '../traces/list-query.ts'
import { bucketForSpan, firstStartMs } from '../traces/use-histogram.ts'
import type { Measure } from './measures.ts'
import { bucketWidthMs, fittingBucket, isBucket } from './buckets.ts'

type MetricsResponse = BrowserResponse<'project_metrics'>
export type MetricsGroup = MetricsResponse['groups'][number]

/** Metrics of a project over time, overall and by group. */
export interface Metrics {
  readonly startMs: number
  readonly endMs: number
  readonly bucket: string
  /** The field that calls are grouped by. */
  readonly by: string | undefined
  /** Start of each bucket. */
  readonly times: readonly number[]
  /** All calls together. */
  readonly overall: MetricsGroup | undefined
  /** The largest groups; empty without grouping. */
  readonly groups: readonly MetricsGroup[]
  readonly other: MetricsGroup | undefined
}

const METRICS = [
  'count',
  'errors',
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cost',
  'p50_latency_ms',
  'p95_latency_ms',
  'p99_latency_ms',
  'p50_time_to_first_token',
  'p95_time_to_first_token',
] as const satisfies readonly Measure[]

/** The measures of a chart, if it does not need all of them. */
interface WantedMeasures {
  readonly measures: readonly Measure[]
  /** The measure that ranks the groups. */
  readonly rank_by?: NonNullable<BrowserInput<'project_metrics'>['rank_by']>
  readonly top?: number
  /** Without the values of all calls together, if they are grouped. */
  readonly isGroupsOnly?: boolean
}

const ALL_MEASURES: WantedMeasures = { measures: METRICS }

/** Reads calls, errors, latencies, tokens and costs over time. The data is null for a project without calls. */
export function useMetrics(
  project: Project,
  listQuery: ListQuery,
  by: string | undefined,
  bucket: string | undefined,
  wanted = ALL_MEASURES,
) {
  return useQuery({
    queryKey: ['metrics', project.project_id, ...listQueryKey(listQuery), by, bucket, wanted],
    queryFn: ({ signal }) => readMetrics(project, listQuery, by, bucket, wanted, signal),
    enabled: listQuery.filterError === undefined,
    placeholderData: keepPreviousData,
  })
}

async function readMetrics(
  project: Project,
  listQuery: ListQuery,
  by: string | undefined,
  requestedBucket: string | undefined,
  wanted: WantedMeasures,
  signal: AbortSignal,
): Promise<Metrics | null> {
  const nowMs = Date.now()
  const bounds = rangeBounds(listQuery.range, nowMs)
  const startMs = bounds.after === undefined ? await firstStartMs(project, signal) : Date.parse(bounds.after)
  const endMs = bounds.before === undefined ? nowMs : Date.parse(bounds.before)
  if (startMs === undefined || startMs >= endMs) return null
  const spanMs = endMs - startMs
  const bucket = isBucket(requestedBucket) ? fittingBucket(requestedBucket, spanMs) : bucketForSpan(spanMs)
  const read = (group_by: string[]): Promise<MetricsResponse> =>
    api.call(
      'project_metrics',
      {
        ...projectParams(project),
        start: new Date(startMs).toISOString(),
        end: new Date(endMs).toISOString(),
        bucket,
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        filter: { trace_roots_only: listQuery.rootsOnly },
        query: listQuery.query,
        measures: [...wanted.measures],
        group_by,
        top: wanted.top ?? MAX_SERIES,
        rank_by: wanted.rank_by,
      },
      signal,
    )
  const [overall, grouped] = await Promise.all([
    by !== undefined && wanted.isGroupsOnly === true ? undefined : read([]),
    by === undefined ? undefined : read([by]),
  ])
  const times = ((overall ?? grouped)?.timestamps ?? []).map((text) => Date.parse(text))
  return {
    startMs,
    endMs: Math.max(endMs, (times.at(-1) ?? startMs) + bucketWidthMs(bucket)),
    bucket,
    by,
    times,
    overall: overall?.groups[0],
    groups: grouped?.groups ?? [],
    other: grouped?.other ?? undefined,
  }
}
