import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { boundsOf } from '../time/range.ts'
import { type ListQuestion, questionKey } from './list-question.ts'

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

/** How many calls began when, and how many of them failed. It is asked for when the list itself `isThere`. */
export function useHistogram(project: Project, question: ListQuestion, isThere: boolean) {
  return useQuery({
    queryKey: ['histogram', project.project_id, ...questionKey({ ...question, sort: undefined })],
    queryFn: ({ signal }) => readHistogram(project, question, signal),
    enabled: isThere && question.trouble === undefined && question.text === undefined,
    placeholderData: keepPreviousData,
  })
}

async function readHistogram(
  project: Project,
  question: ListQuestion,
  signal: AbortSignal,
): Promise<Histogram> {
  const nowMs = Date.now()
  const bounds = boundsOf(question.range, nowMs)
  const startMs = bounds.after === undefined ? await firstStart(project, signal) : Date.parse(bounds.after)
  const endMs = bounds.before === undefined ? nowMs : Date.parse(bounds.before)
  if (startMs === undefined || startMs >= endMs) return { buckets: [], count: 0, errors: 0 }
  const bucket = bucketFor(endMs - startMs)
  const answer = await api.call(
    'project_metrics',
    {
      ...inPath(project),
      start: new Date(startMs).toISOString(),
      end: new Date(endMs).toISOString(),
      bucket,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      filter: { trace_roots_only: question.rootsOnly },
      query: question.query,
      measures: ['count', 'errors'],
    },
    signal,
  )
  const [group] = answer.groups
  const counts = group?.series['count'] ?? []
  const errors = group?.series['errors'] ?? []
  const times = answer.timestamps.map((text) => Date.parse(text))
  return {
    buckets: times.map((fromMs, i) => ({
      fromMs,
      toMs: times[i + 1] ?? fromMs + BUCKETS_MS[bucket],
      count: numberOf(counts[i]),
      errors: numberOf(errors[i]),
    })),
    count: numberOf(group?.totals['count']),
    errors: numberOf(group?.totals['errors']),
  }
}

export function numberOf(value: number | { readonly text: string } | null | undefined): number {
  if (value === null || value === undefined) return 0
  return typeof value === 'number' ? value : Number(value.text)
}

/** As fine as can still be seen: up to about 250 bars. */
export function bucketFor(spanMs: number): BucketName {
  const names = Object.keys(BUCKETS_MS) as BucketName[]
  return names.find((name) => spanMs / BUCKETS_MS[name] <= 250) ?? 'week'
}

/** undefined for a project without calls. */
export async function firstStart(project: Project, signal: AbortSignal): Promise<number | undefined> {
  const { calls } = await api.call(
    'project_calls',
    { ...inPath(project), direction: 'asc', columns: ['id'], limit: 1 },
    signal,
  )
  return calls[0] === undefined ? undefined : Date.parse(calls[0].started_at)
}
