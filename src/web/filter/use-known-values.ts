import { useQuery } from '@tanstack/react-query'
import { SCORE_FIELDS } from '../../client/browser/call-fields.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { rangeBounds, type TimeRange } from '../time/range.ts'
import { findField, fieldPath } from './fields.ts'
import type { CompletionContext } from './parse.ts'
import { collectPaths, escapeKey } from './paths.ts'
import type { KnownValues } from './suggest.ts'

const SAMPLE_SIZE = 40
const FEEDBACK_SAMPLE_SIZE = 200
const MONTH_MS = 30 * 86_400_000

/** Data for completion: paths in the newest calls, and values of the field that is being typed. */
export function useKnownValues(
  project: Project,
  range: TimeRange,
  context: CompletionContext | undefined,
): KnownValues {
  const paths = useKnownPaths(project, context !== undefined)
  const field = context?.kind === 'value' ? context.field : undefined
  const isGrouped = field !== undefined && !['time', 'duration'].includes(findField(field)?.type ?? '')
  const values = useQuery({
    queryKey: ['values', project.project_id, field, range],
    queryFn: ({ signal }) => readValues(project, range, field ?? '', signal),
    enabled: isGrouped,
    staleTime: 60_000,
    // Calls cannot be grouped by every field. Such a field has no value completion.
    retry: false,
  })
  return { paths, values: isGrouped ? (values.data ?? []) : [] }
}

/** Paths in the newest calls and their scores. */
export function useKnownPaths(project: Project, enabled: boolean): readonly string[] {
  const paths = useQuery({
    queryKey: ['paths', project.project_id],
    queryFn: async ({ signal }) =>
      (await Promise.all([readScorePaths(project, signal), readPaths(project, signal)])).flat(),
    enabled,
    staleTime: 60_000,
  })
  return paths.data ?? NO_PATHS
}

const NO_PATHS: readonly string[] = []

/** Types of scores, and where in the payload their value is. */
const SCORE_TYPE = /^(?:wandb\.(runnable|annotation)|evaluation|annotation)\.(.+)$/

/** `scores.<name>` of the newest feedback, with the paths into it. */
export async function readScorePaths(project: Project, signal: AbortSignal): Promise<string[]> {
  const { result } = await api.call(
    'feedback_query',
    {
      project_id: project.project_id,
      fields: ['feedback_type', 'payload'],
      sort_by: [{ field: 'created_at', direction: 'desc' }],
      limit: FEEDBACK_SAMPLE_SIZE,
    },
    signal,
  )
  const found = new Set<string>()
  for (const { feedback_type, payload } of result) {
    const [, kind, name] = SCORE_TYPE.exec(String(feedback_type)) ?? []
    if (name === undefined || typeof payload !== 'object' || payload === null) continue
    const members = payload as { readonly output?: unknown; readonly value?: unknown }
    const value = kind === 'runnable' ? members.output : (members.value ?? null)
    collectPaths(`${SCORE_FIELDS}.${escapeKey(name)}`, JSON.stringify(value ?? null), found)
  }
  return [...found]
}

async function readPaths(project: Project, signal: AbortSignal): Promise<string[]> {
  const { calls } = await api.call(
    'project_calls',
    {
      ...projectParams(project),
      columns: ['attributes', 'summary'],
      preview_characters: 2000,
      limit: SAMPLE_SIZE,
    },
    signal,
  )
  const found = new Set<string>()
  for (const call of calls) {
    collectPaths('inputs', call.preview?.inputs ?? '', found)
    collectPaths('output', call.preview?.output ?? '', found)
    collectPaths('attributes', call.attributes.text, found)
    collectPaths('summary', call.summary?.text ?? '', found)
  }
  // Fields computed by the server have short names of their own.
  return [...found].filter((path) => !path.startsWith('summary.weave.'))
}

async function readValues(project: Project, range: TimeRange, field: string, signal: AbortSignal) {
  const { after, before } = rangeBounds(range, Date.now())
  const { groups } = await api.call(
    'project_metrics',
    {
      ...projectParams(project),
      start: after ?? new Date(Date.now() - 12 * MONTH_MS).toISOString(),
      end: before,
      bucket: 'none',
      group_by: [fieldPath(field)],
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
