import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { toCallListItem } from '../call/call-list-item.ts'
import { OPTIONAL_DEFAULTS, type OptionalDefault } from './columns.ts'
import { PAGE_SIZE } from './use-call-list.ts'

const NONE: readonly OptionalDefault[] = []

/**
 * The optional default columns that the newest traces of a project have values for. Read once per project and not per filter,
 * so that columns do not come and go.
 */
export function useOptionalColumns(project: Project, isEnabled: boolean): readonly OptionalDefault[] {
  const storageKey = `heddle-columns ${project.project_id}`
  const { data } = useQuery({
    queryKey: ['optional columns', project.project_id],
    // What was found before shows the columns at once, and a column that comes later would move the others.
    initialData: (): readonly OptionalDefault[] | undefined => {
      const names = localStorage.getItem(storageKey)?.split(',')
      return names && OPTIONAL_DEFAULTS.filter((name) => names.includes(name))
    },
    initialDataUpdatedAt: 0,
    queryFn: async ({ signal }): Promise<readonly OptionalDefault[]> => {
      const response = await api.call(
        'project_calls',
        {
          ...projectParams(project),
          filter: { traces_only: true },
          columns: ['summary'],
          include_feedback: true,
          include_trace_totals: true,
          limit: PAGE_SIZE,
        },
        signal,
      )
      const calls = response.calls.map(toCallListItem)
      const used = [
        ...(calls.some(({ endUser }) => endUser !== null) ? (['end_user'] as const) : []),
        ...(calls.some(({ tags }) => tags.length > 0) ? (['tags'] as const) : []),
      ]
      localStorage.setItem(storageKey, used.join())
      return used
    },
    enabled: isEnabled,
    staleTime: 3_600_000,
  })
  return data ?? NONE
}
