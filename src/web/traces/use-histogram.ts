import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { rangeBounds } from '../time/range.ts'
import { type ListQuery, listQueryKey } from './list-query.ts'

export interface Bucket {
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
  readonly errors: number
}

export interface Histogram {
  readonly buckets: readonly Bucket[]
  readonly count: number
  readonly errors: number
}

const BUCKETS_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const
type BucketName = keyof typeof BUCKETS_MS

/**
 * Counts of calls and errors over time. `isEnabled` delays the request until the list is loaded. Traces without a root are counted only
 * if the list has some (`hasOrphans`), because that reads the trace ids of all calls.
 */
export function useHistogram(
  project: Project,
  listQuery: ListQuery,
  { isEnabled, hasOrphans }: { readonly isEnabled: boolean; readonly hasOrphans: boolean },
) {
  return useQuery({
    queryKey: [
      'histogram',
      project.project_id,
      ...listQueryKey({ ...listQuery, sort: undefined }),
      hasOrphans,
    ],
    queryFn: ({ signal }) => readHistogram(project, listQuery, hasOrphans, signal),
    enabled: isEnabled && listQuery.filterError === undefined,
    placeholderData: keepPreviousData,
  })
}

async function readHistogram(
  project: Project,
  listQuery: ListQuery,
  hasOrphans: boolean,
  signal: AbortSignal,
): Promise<Histogram> {
  const nowMs = Date.now()
  const bounds = rangeBounds(listQuery.range, nowMs)
  const startMs = bounds.after === undefined ? await firstStartMs(project, signal) : Date.parse(bounds.after)
  const endMs = bounds.before === undefined ? nowMs : Date.parse(bounds.before)
  if (startMs === undefined || startMs >= endMs) return { buckets: [], count: 0, errors: 0 }
  const bucket = bucketForSpan(endMs - startMs)
  const response = await api.call(
    'project_metrics',
    {
      ...projectParams(project),
      start: new Date(startMs).toISOString(),
      end: new Date(endMs).toISOString(),
      bucket,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      filter: { [hasOrphans ? 'traces_only' : 'trace_roots_only']: listQuery.rootsOnly },
      query: listQuery.query,
      text: listQuery.text,
      measures: ['count', 'errors'],
    },
    signal,
  )
  const [group] = response.groups
  const counts = group?.series['count'] ?? []
  const errors = group?.series['errors'] ?? []
  const times = response.timestamps.map((text) => Date.parse(text))
  return {
    buckets: times.map((fromMs, i) => ({
      fromMs,
      toMs: times[i + 1] ?? fromMs + BUCKETS_MS[bucket],
      count: toNumber(counts[i]),
      errors: toNumber(errors[i]),
    })),
    count: toNumber(group?.totals['count']),
    errors: toNumber(group?.totals['errors']),
  }
}

export function toNumber(value: number | { readonly text: string } | null | undefined): number {
  if (value === null || value === undefined) return 0
  return typeof value === 'number' ? value : Number(value.text)
}

/** The smallest bucket that gives at most 250 bars. */
export function bucketForSpan(spanMs: number): BucketName {
  const names = Object.keys(BUCKETS_MS) as BucketName[]
  return names.find((name) => spanMs / BUCKETS_MS[name] <= 250) ?? 'week'
}

/** Start of the oldest call; `undefined` for a project without calls. */
export async function firstStartMs(project: Project, signal: AbortSignal): Promise<number | undefined> {
  const { calls } = await api.call(
    'project_calls',
    { ...projectParams(project), direction: 'asc', columns: ['id'], limit: 1 },
    signal,
  )
  return calls[0] === undefined ? undefined : Date.parse(calls[0].started_at)
}
