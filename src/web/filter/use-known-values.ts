import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { boundsOf, type TimeRange } from '../time/range.ts'
import { findField, pathOf } from './fields.ts'
import type { Expectation } from './parse.ts'
import { pathsIn } from './paths.ts'
import type { KnownValues } from './suggest.ts'

const SAMPLE = 40
const MONTH_MS = 30 * 86_400_000

/** What the filter box can complete: paths in the newest calls, and the values of the field that is being written. */
export function useKnownValues(
  project: Project,
  range: TimeRange,
  expectation: Expectation | undefined,
): KnownValues {
  const paths = useQuery({
    queryKey: ['paths', project.project_id],
    queryFn: ({ signal }) => readPaths(project, signal),
    enabled: expectation !== undefined,
    staleTime: 60_000,
  })
  const field = expectation?.kind === 'value' ? expectation.field : undefined
  const isGrouped = field !== undefined && !['time', 'duration'].includes(findField(field)?.type ?? '')
  const values = useQuery({
    queryKey: ['values', project.project_id, field, range],
    queryFn: ({ signal }) => readValues(project, range, field ?? '', signal),
    enabled: isGrouped,
    staleTime: 60_000,
    // A field may be none that calls can be grouped by: then there is nothing to complete.
    retry: false,
  })
  return { paths: paths.data ?? [], values: isGrouped ? (values.data ?? []) : [] }
}

async function readPaths(project: Project, signal: AbortSignal): Promise<string[]> {
  const { calls } = await api.call(
    'project_calls',
    { ...inPath(project), columns: ['attributes', 'summary'], preview_characters: 2000, limit: SAMPLE },
    signal,
  )
  const found = new Set<string>()
  for (const call of calls) {
    pathsIn('inputs', call.preview?.inputs ?? '', found)
    pathsIn('output', call.preview?.output ?? '', found)
    pathsIn('attributes', call.attributes.text, found)
    pathsIn('summary', call.summary?.text ?? '', found)
  }
  // What is worked out by the server has short names of its own.
  return [...found].filter((path) => !path.startsWith('summary.weave.'))
}

async function readValues(project: Project, range: TimeRange, field: string, signal: AbortSignal) {
  const { after, before } = boundsOf(range, Date.now())
  const { groups } = await api.call(
    'project_metrics',
    {
      ...inPath(project),
      start: after ?? new Date(Date.now() - 12 * MONTH_MS).toISOString(),
      end: before,
      bucket: 'none',
      group_by: [pathOf(field)],
      measures: ['count'],
      top: 30,
    },
    signal,
  )
  return groups.flatMap(({ key, totals }) => {
    const text = Object.values(key)[0]
    const count = totals['count']
    return text === null || text === undefined || text === ''
      ? []
      : [{ text, count: typeof count === 'number' ? count : Number(count?.text ?? 0) }]
  })
}
