import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { MAX_SERIES } from '../charts/series.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { rangeBounds } from '../time/range.ts'
import { type ListQuery, listQueryKey } from '../traces/list-query.ts'
import { bucketForSpan, firstStartMs } from '../traces/use-histogram.ts'
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
] as const

/** Reads calls, errors, latencies, tokens and costs over time. The data is null for a project without calls. */
export function useMetrics(
  project: Project,
  listQuery: ListQuery,
  by: string | undefined,
  bucket: string | undefined,
) {
  return useQuery({
    queryKey: ['metrics', project.project_id, ...listQueryKey(listQuery), by, bucket],
    queryFn: ({ signal }) => readMetrics(project, listQuery, by, bucket, signal),
    enabled: listQuery.filterError === undefined,
    placeholderData: keepPreviousData,
  })
}

async function readMetrics(
  project: Project,
  listQuery: ListQuery,
  by: string | undefined,
  requestedBucket: string | undefined,
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
        measures: [...METRICS],
        group_by,
        top: MAX_SERIES,
      },
      signal,
    )
  const [overall, grouped] = await Promise.all([read([]), by === undefined ? undefined : read([by])])
  const times = overall.timestamps.map((text) => Date.parse(text))
  return {
    startMs,
    endMs: Math.max(endMs, (times.at(-1) ?? startMs) + bucketWidthMs(bucket)),
    bucket,
    by,
    times,
    overall: overall.groups[0],
    groups: grouped?.groups ?? [],
    other: grouped?.other ?? undefined,
  }
}
