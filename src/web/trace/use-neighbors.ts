import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'

/** The traces that started before and after a trace. */
export interface Neighbors {
  readonly older: string | undefined
  readonly newer: string | undefined
}

/** Finds the neighbors of a trace by start time, for pages that are not next to a list. */
export function useNeighbors(project: Project, rootId: string | undefined): Neighbors {
  const { data } = useQuery({
    queryKey: ['neighbors', project.project_id, rootId],
    queryFn: async ({ signal }) => {
      const read = async (request: object): Promise<readonly { id: string; started_at: string }[]> => {
        const { calls } = await api.call(
          'project_calls',
          { ...projectParams(project), columns: ['id', 'started_at'], ...request },
          signal,
        )
        return calls
      }
      const [root] = await read({ filter: { call_ids: [rootId ?? ''] }, limit: 1 })
      if (root === undefined) return undefined
      const filter = { traces_only: true }
      const [older, newer] = await Promise.all([
        read({ filter, direction: 'desc', before: root.started_at, limit: 1 }),
        // Includes the trace itself.
        read({ filter, direction: 'asc', after: root.started_at, limit: 2 }),
      ])
      return { older: older[0]?.id, newer: newer.find(({ id }) => id !== rootId)?.id }
    },
    enabled: rootId !== undefined,
  })
  return data ?? { older: undefined, newer: undefined }
}
