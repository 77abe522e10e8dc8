import { FACT_COLUMNS } from '../api/call-columns.ts'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { runOpNames, trialOpNames } from './evaluation-ops.ts'
import { type Run, runOf } from './run.ts'

const PAGE_SIZE = 50

export interface RunPage {
  readonly runs: readonly Run[]
  /** Trials by run. */
  readonly trialCounts: ReadonlyMap<string, number>
  readonly next: string | null
}

const SHOWN = {
  columns: [...FACT_COLUMNS, 'inputs', 'attributes', 'output'],
  include_costs: true,
  include_usernames: true,
}

/** The newest runs first, of one evaluation or of all. */
export async function readRunPage(
  project: Project,
  evaluation: string | undefined,
  cursor: string | null,
  signal: AbortSignal,
): Promise<RunPage> {
  const { calls, cursor: next } = await api.call(
    'project_calls',
    {
      ...inPath(project),
      ...SHOWN,
      filter: { op_names: runOpNames(project.project_id) },
      ...(evaluation === undefined ? {} : { query: ofEvaluation(evaluation) }),
      limit: PAGE_SIZE,
      cursor,
    },
    signal,
  )
  const runs = calls.map(runOf)
  return { runs, trialCounts: await countTrials(project, runs, signal), next }
}

/** In the order of the ids; those that are not there are left out. */
export async function readRuns(
  project: Project,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Run[]> {
  const { calls } = await api.call(
    'project_calls',
    { ...inPath(project), ...SHOWN, filter: { call_ids: [...ids] }, limit: Math.max(1, ids.length) },
    signal,
  )
  const byId = new Map(calls.map((call) => [call.id, runOf(call)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Any version of it, however the SDK calls the object whose method ran. */
function ofEvaluation(name: string): JsonText {
  const substr = { $literal: `/object/${name}:` }
  return JsonText.of({
    $expr: {
      $or: ['inputs.self', 'inputs.this'].map((field) => ({
        $contains: { input: { $getField: field }, substr },
      })),
    },
  })
}

async function countTrials(
  project: Project,
  runs: readonly Run[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const starts = runs.map(({ facts }) => facts.started_at).sort()
  const [start] = starts
  if (start === undefined) return new Map()
  const { groups } = await api.call(
    'project_metrics',
    {
      ...inPath(project),
      start,
      filter: { parent_ids: runs.map(({ id }) => id), op_names: trialOpNames(project.project_id) },
      group_by: ['parent_id'],
      measures: ['count'],
      bucket: 'none',
      top: 100,
    },
    signal,
  )
  return new Map(
    groups.flatMap(({ key, totals }) => {
      const id = key['parent_id']
      const count = totals['count']
      return typeof id === 'string'
        ? [[id, Number(count instanceof JsonText ? count.text : (count ?? 0))]]
        : []
    }),
  )
}
