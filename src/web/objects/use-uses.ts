import { useQuery } from '@tanstack/react-query'
import { formatRef } from '../../client/browser/ref.ts'
import { FACT_COLUMNS } from '../api/call-columns.ts'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { type CallFacts, factsOf } from '../call/call-facts.ts'
import type { ObjectVersion } from './object-kind.ts'

export interface Uses {
  readonly calls: readonly CallFacts[]
  readonly callCount: number
  /** Objects whose value names this version. */
  readonly objects: readonly ObjectVersion[]
}

const SHOWN_CALLS = 20
/** So many of the newest versions are looked into. */
const LOOKED_THROUGH = 500

export function refOf(project_id: string, version: ObjectVersion): string {
  const { object_id: name, digest } = version
  return formatRef({ kind: version.kind === 'op' ? 'op' : 'object', project_id, name, digest, path: [] })
}

/**
 * Where a version is used: calls of an op; runs of the evaluations that have a dataset; else calls that were given it, or
 * an object that names it.
 */
export function useUses(project: Project, version: ObjectVersion) {
  const ref = refOf(project.project_id, version)
  return useQuery({
    queryKey: ['uses', project.project_id, ref],
    queryFn: async ({ signal }): Promise<Uses> => {
      const objects = await readNaming(project, ref, signal)
      const holders = objects.map((object) => refOf(project.project_id, object))
      const filter = usesFilter(project, version, ref, holders)
      const [{ calls }, { count }] = await Promise.all([
        api.call(
          'project_calls',
          { ...inPath(project), columns: FACT_COLUMNS, filter, limit: SHOWN_CALLS },
          signal,
        ),
        api.call('calls_query_stats', { project_id: project.project_id, filter }, signal),
      ])
      return { calls: calls.map(factsOf), callCount: count, objects }
    },
  })
}

function usesFilter(
  { project_id }: Project,
  version: ObjectVersion,
  ref: string,
  holders: readonly string[],
) {
  if (version.kind === 'op') return { op_names: [ref] }
  const input_refs = [ref, ...holders]
  if (version.base_object_class !== 'Dataset') return { input_refs }
  return { input_refs, op_names: [`weave:///${project_id}/op/Evaluation.evaluate:*`] }
}

async function readNaming(project: Project, ref: string, signal: AbortSignal): Promise<ObjectVersion[]> {
  const { objs } = await api.call(
    'objs_query',
    {
      project_id: project.project_id,
      filter: { is_op: false },
      sort_by: [{ field: 'created_at', direction: 'desc' }],
      limit: LOOKED_THROUGH,
    },
    signal,
  )
  return objs.filter(({ val }) => val.text.includes(ref))
}
