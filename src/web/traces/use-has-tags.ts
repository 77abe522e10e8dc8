import { useQuery } from '@tanstack/react-query'
import { TAG_FEEDBACK } from '../../client/browser/call-fields.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { valueAt } from '../json/value-at.ts'
import { parseTags, TAGS_PATH } from './tags.ts'
import { PAGE_SIZE } from './use-call-list.ts'

/**
 * Whether the newest traces of a project have tags; the list then shows the tags column by default. Read once per
 * project and not per filter, so that the column does not come and go.
 */
export function useHasTags(project: Project, isEnabled: boolean): boolean {
  const { data } = useQuery({
    queryKey: ['has tags', project.project_id],
    queryFn: async ({ signal }) => {
      const { calls } = await api.call(
        'project_calls',
        {
          ...projectParams(project),
          filter: { trace_roots_only: true },
          columns: [TAGS_PATH, 'summary'],
          include_feedback: true,
          limit: PAGE_SIZE,
        },
        signal,
      )
      return calls.some(
        ({ attributes, summary }) =>
          parseTags(valueAt(attributes.text, ['tags']) ?? '').length > 0 ||
          summary?.text.includes(`"${TAG_FEEDBACK}"`) === true,
      )
    },
    enabled: isEnabled,
    staleTime: Infinity,
  })
  return data === true
}
