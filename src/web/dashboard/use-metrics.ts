import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BrowserAnswer } from '../../client/browser/client.ts'
import { MOST_SERIES } from '../charts/series.ts'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { boundsOf } from '../time/range.ts'
import { type ListQuestion, questionKey } from '../traces/list-question.ts'
import { bucketFor, firstStart } from '../traces/use-histogram.ts'
import { bucketWidthMs, fittingBucket, isBucket } from './buckets.ts'

type Answer = BrowserAnswer<'project_metrics'>
export type NumbersGroup = Answer['groups'][number]

export interface Numbers {
  readonly startMs: number
  readonly endMs: number
  readonly bucket: string
  /** What the groups are told apart by. */
  readonly by: string | undefined
  /** When each bucket begins. */
  readonly times: readonly number[]
  /** Of everything. */
  readonly overall: NumbersGroup | undefined
  /** The largest groups; empty when nothing is grouped. */
  readonly groups: readonly NumbersGroup[]
  readonly other: NumbersGroup | undefined
}

const MEASURES = [
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

/** Calls, failures, latencies, tokens and costs over time; undefined data are those of a project without calls. */
export function useNumbers(
  project: Project,
  question: ListQuestion,
  by: string | undefined,
  bucket: string | undefined,
) {
  return useQuery({
    queryKey: ['numbers', project.project_id, ...questionKey(question), by, bucket],
    queryFn: ({ signal }) => readNumbers(project, question, by, bucket, signal),
    enabled: question.trouble === undefined,
    placeholderData: keepPreviousData,
  })
}

async function readNumbers(
  project: Project,
  question: ListQuestion,
  by: string | undefined,
  asked: string | undefined,
  signal: AbortSignal,
): Promise<Numbers | null> {
  const nowMs = Date.now()
  const bounds = boundsOf(question.range, nowMs)
  const startMs = bounds.after === undefined ? await firstStart(project, signal) : Date.parse(bounds.after)
  const endMs = bounds.before === undefined ? nowMs : Date.parse(bounds.before)
  if (startMs === undefined || startMs >= endMs) return null
  const spanMs = endMs - startMs
  const bucket = isBucket(asked) ? fittingBucket(asked, spanMs) : bucketFor(spanMs)
  const read = (group_by: string[]): Promise<Answer> =>
    api.call(
      'project_metrics',
      {
        ...inPath(project),
        start: new Date(startMs).toISOString(),
        end: new Date(endMs).toISOString(),
        bucket,
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        filter: { trace_roots_only: question.rootsOnly },
        query: question.query,
        measures: [...MEASURES],
        group_by,
        top: MOST_SERIES,
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
