import { useQuery } from '@tanstack/react-query'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'

/** A published version of a dataset. */
export type DatasetVersion = BrowserResponse<'objs_query'>['objs'][number]

/** The names of the project's datasets, newest first. */
export function useDatasetNames({ project_id }: Project) {
  return useQuery({
    queryKey: ['objects', project_id, 'dataset names'],
    queryFn: async ({ signal }) => {
      const { objs } = await api.call(
        'objs_query',
        {
          project_id,
          filter: { base_object_classes: ['Dataset'], is_op: false, latest_only: true },
          sort_by: [{ field: 'created_at', direction: 'desc' }],
          metadata_only: true,
        },
        signal,
      )
      return objs.map(({ object_id }) => object_id)
    },
  })
}
