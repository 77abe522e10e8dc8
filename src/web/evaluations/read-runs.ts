import { CALL_LIST_COLUMNS } from '../api/call-columns.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { runOpNames, trialOpNames } from './evaluation-ops.ts'
import { type Run, toRun } from './run.ts'

const PAGE_SIZE = 50

export interface RunPage {
  readonly runs: readonly Run[]
  /** Number of trials by run id. */
  readonly trialCounts: ReadonlyMap<string, number>
  readonly next: string | null
}

/** Which runs to read. Default: all of the project. */
export interface RunFilter {
  /** Runs of any version of the evaluation with this name. */
  readonly evaluation?: string | undefined
  /** Runs of exactly these versions of evaluations. */
  readonly evaluationRefs?: readonly string[]
}

const RUN_FIELDS = {
  columns: [...CALL_LIST_COLUMNS, 'inputs', 'attributes', 'output'],
  include_costs: true,
  include_usernames: true,
}

/** Reads one page of runs, newest first. */
export async function readRunPage(
  project: Project,
  { evaluation, evaluationRefs }: RunFilter,
  cursor: string | null,
  signal: AbortSignal,
): Promise<RunPage> {
  const { calls, cursor: next } = await api.call(
    'project_calls',
    {
      ...projectParams(project),
      ...RUN_FIELDS,
      filter: {
        op_names: runOpNames(project.project_id),
        ...(evaluationRefs === undefined ? {} : { input_refs: [...evaluationRefs] }),
      },
      ...(evaluation === undefined ? {} : { query: evaluationQuery(evaluation) }),
      limit: PAGE_SIZE,
      cursor,
    },
    signal,
  )
  const runs = calls.map(toRun)
  return { runs, trialCounts: await countTrials(project, runs, signal), next }
}

/** Reads runs in the order of the ids. Missing runs are omitted. */
export async function readRuns(
  project: Project,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Run[]> {
  const { calls } = await api.call(
    'project_calls',
    {
      ...projectParams(project),
      ...RUN_FIELDS,
      filter: { call_ids: [...ids] },
      limit: Math.max(1, ids.length),
    },
    signal,
  )
  const byId = new Map(calls.map((call) => [call.id, toRun(call)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Matches any version of an evaluation. Python calls the input `self`, TypeScript `this`. */
function evaluationQuery(name: string): JsonText {
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
  const starts = runs.map(({ call }) => call.started_at).sort()
  const [start] = starts
  if (start === undefined) return new Map()
  const { groups } = await api.call(
    'project_metrics',
    {
      ...projectParams(project),
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
