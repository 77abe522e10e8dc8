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
  const storageKey = `heddle-has-tags ${project.project_id}`
  const { data } = useQuery({
    queryKey: ['has tags', project.project_id],
    // What was found before shows the column at once, and a column that comes later would move the others.
    initialData: () => (localStorage.getItem(storageKey) === null ? undefined : true),
    initialDataUpdatedAt: 0,
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
      const hasTags = calls.some(
        ({ attributes, summary }) =>
          parseTags(valueAt(attributes.text, ['tags']) ?? '').length > 0 ||
          summary?.text.includes(`"${TAG_FEEDBACK}"`) === true,
      )
      if (hasTags) localStorage.setItem(storageKey, '1')
      else localStorage.removeItem(storageKey)
      return hasTags
    },
    enabled: isEnabled,
    staleTime: Infinity,
  })
  return data === true
}
