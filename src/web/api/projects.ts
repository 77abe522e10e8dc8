import { useQuery } from '@tanstack/react-query'
import { visibleText } from '../ui/visible-text.ts'
import { api } from './client.ts'
import type { Project } from './project.ts'

/** The name that is shown for a project: its display name, or the name in its id. */
export function useProjectName({ project_id, project }: Project): string {
  const listed = useProjects().data?.projects.find((each) => each.project_id === project_id)
  return listed === undefined || listed.display_name === '' ? project : visibleText(listed.display_name)
}

/** The projects that the caller may read. */
export function useProjects() {
  return useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => api.call('projects_list', {}, signal),
    staleTime: 30_000,
  })
}
