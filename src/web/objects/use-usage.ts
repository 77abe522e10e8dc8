import { useQuery } from '@tanstack/react-query'
import { formatRef } from '../../client/browser/ref.ts'
import { CALL_LIST_COLUMNS } from '../api/call-columns.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { type CallListItem, toCallListItem } from '../call/call-list-item.ts'
import type { ObjectVersion } from './object-kind.ts'

export interface Usage {
  readonly calls: readonly CallListItem[]
  readonly callCount: number
  /** Objects whose value contains a ref to this version. */
  readonly objects: readonly ObjectVersion[]
}

const SHOWN_CALLS = 20
/** The newest versions that are searched for refs. */
const MAX_SEARCHED_VERSIONS = 500

export function versionRef(project_id: string, version: ObjectVersion): string {
  const { object_id: name, digest } = version
  return formatRef({ kind: version.kind === 'op' ? 'op' : 'object', project_id, name, digest, path: [] })
}

/**
 * The usage of a version: the calls of an op, the evaluation runs of a dataset, or the calls whose inputs contain a ref to
 * the version or to an object that references it.
 */
export function useUsage(project: Project, version: ObjectVersion) {
  const ref = versionRef(project.project_id, version)
  return useQuery({
    queryKey: ['usage', project.project_id, ref],
    queryFn: async ({ signal }): Promise<Usage> => {
      const objects = await findReferencingObjects(project, ref, signal)
      const referencingRefs = objects.map((object) => versionRef(project.project_id, object))
      const filter = usageFilter(project, version, ref, referencingRefs)
      const [{ calls }, { count }] = await Promise.all([
        api.call(
          'project_calls',
          { ...projectParams(project), columns: CALL_LIST_COLUMNS, filter, limit: SHOWN_CALLS },
          signal,
        ),
        api.call('calls_query_stats', { project_id: project.project_id, filter }, signal),
      ])
      return { calls: calls.map(toCallListItem), callCount: count, objects }
    },
  })
}

function usageFilter(
  { project_id }: Project,
  version: ObjectVersion,
  ref: string,
  referencingRefs: readonly string[],
) {
  if (version.kind === 'op') return { op_names: [ref] }
  const input_refs = [ref, ...referencingRefs]
  if (version.base_object_class !== 'Dataset') return { input_refs }
  return { input_refs, op_names: [`weave:///${project_id}/op/Evaluation.evaluate:*`] }
}

async function findReferencingObjects(
  project: Project,
  ref: string,
  signal: AbortSignal,
): Promise<ObjectVersion[]> {
  const { objs } = await api.call(
    'objs_query',
    {
      project_id: project.project_id,
      filter: { is_op: false },
      sort_by: [{ field: 'created_at', direction: 'desc' }],
      limit: MAX_SEARCHED_VERSIONS,
    },
    signal,
  )
  return objs.filter(({ val }) => val.text.includes(ref))
}
