import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { valueAt } from '../json/value-at.ts'
import { tagsOf } from './tags.ts'
import { PAGE_SIZE } from './use-call-list.ts'

/**
 * Whether the newest traces of a project have tags: then the list shows them unasked. Looked up once and not for each
 * filter, so that columns do not come and go.
 */
export function useHasTags(project: Project, isAsked: boolean): boolean {
  const { data } = useQuery({
    queryKey: ['has tags', project.project_id],
    queryFn: async ({ signal }) => {
      const { calls } = await api.call(
        'project_calls',
        {
          ...inPath(project),
          filter: { trace_roots_only: true },
          columns: ['attributes'],
          limit: PAGE_SIZE,
        },
        signal,
      )
      return calls.some(({ attributes }) => tagsOf(valueAt(attributes.text, ['tags']) ?? '').length > 0)
    },
    enabled: isAsked,
    staleTime: Infinity,
  })
  return data === true
}
